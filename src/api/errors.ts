import * as errors from '../model/rejections.js';
import {
  REJECTIONS,
  type ErrorCode,
  type ErrorField,
  type Rejection,
  type RejectionClass,
} from '../model/errors.js';
import { mapValues } from '../model/collections.js';
import { builder, meanings, objectType } from './builder.js';
import { COUNTED_ABOVE, costOfList, readInPages } from './cost/operationCost.js';
import { Consumer, ResourceProvider } from './refs.js';

const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'Why a mutation has no payload: it changed nothing, unless COMMITTED. If several reasons apply, the first of ' +
    'these values. More may be added.',
  values: meanings(mapValues(REJECTIONS, ({ meaning }) => meaning)),
});

const EntityKindEnum = builder.enumType('EntityKind', {
  description: 'The kind of an object that was not found.',
  values: meanings<errors.EntityKind>({
    RESOURCE_PROVIDER: 'The key is its uuid or name, as in the input.',
    INVENTORY: 'The key is its class name.',
    CONSUMER: 'The key is its uuid.',
    HOLD: 'The time at which a consumer ends by itself. The key is the uuid of the consumer.',
    TRAIT: 'The key is its name.',
    RESOURCE_CLASS: 'The key is its name.',
    AGGREGATE: 'The key is its uuid.',
  }),
});

const UserError = builder.interfaceRef<Rejection>('UserError').implement({
  description:
    'Why a mutation has no payload: it changed nothing, unless COMMITTED. `... on UserError` matches later errors too.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description: 'The reason.',
      resolve: (_error, _args, _context, { parentType }) => codeOfType(parentType.name),
    }),
    message: t.exposeString('message', {
      description: 'The reason, for people.',
    }),
    path: t.stringList({
      description: 'The path in the input, or [].',
      resolve: ({ path }) => [...path],
    }),
    retryable: t.boolean({
      description: 'Whether rereading and retrying may succeed.',
      resolve: (_error, _args, _context, { parentType }) => REJECTIONS[codeOfType(parentType.name)].retryable,
    }),
  }),
});

const CODES = Object.keys(REJECTIONS) as ErrorCode[];

const classes = new Map<ErrorCode, RejectionClass>();

/** Returns the class of the rejections with a code. */
export function classOf(code: ErrorCode): RejectionClass {
  return classes.get(code)!;
}

/** Sets the class of a code. Returns the name, the description and the interface of its error type. */
export function common(code: ErrorCode, error: RejectionClass) {
  classes.set(code, error);
  return { name: typeName(code), description: REJECTIONS[code].meaning, interfaces: [UserError] };
}

/** Returns the type name of a code: InvalidInputError for INVALID_INPUT. */
function typeName(code: ErrorCode): string {
  return `${code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`;
}

function codeOfType(type: string): ErrorCode {
  return CODES.find((code) => typeName(code) === type)!;
}

/** Defines an error type whose fields are properties of the error class. */
function errorType(code: ErrorCode, error: RejectionClass): void {
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the interface is checked against it
  builder.objectType(error as new () => Rejection, {
    ...common(code, error),
    fields: (t) =>
      Object.fromEntries(
        Object.entries<ErrorField>(REJECTIONS[code].fields).map(([property, options]) => {
          const { name = property, type, ...field } = options;
          return [
            name,
            t.field({
              ...field,
              type: type === 'EntityKind' ? EntityKindEnum : type,
              resolve: (source) => source[property as keyof Rejection] as never,
            }),
          ];
        }),
      ),
  });
}

for (const code of CODES) {
  const { class: error } = REJECTIONS[code];
  if (error !== null) errorType(code, error);
}

/** Adds the consumers whose allocations prevent a write. */
function usersFields(error: new (...args: never[]) => { readonly users: errors.Users }): void {
  const max = errors.ProviderInUse.MAX_USERS;
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the fields are checked against it
  builder.objectFields(error as new () => { readonly users: errors.Users }, (t) => ({
    consumerCount: t.int({
      description: 'The number of consumers with these allocations.',
      resolve: ({ users }) => users.count,
    }),
    consumers: t.field({
      type: [Consumer],
      complexity: costOfList(max),
      description: `The first ${max} of them, by their oldest allocation.`,
      resolve: ({ users }, _args, { loaders }) => loaders.consumers.existing(users.first),
    }),
  }));
}

builder.objectField(errors.ProviderHasChildren, 'children', (t) =>
  t.field({
    type: [ResourceProvider],
    complexity: costOfList(errors.ProviderHasChildren.MAX_CHILDREN),
    description: `The first ${errors.ProviderHasChildren.MAX_CHILDREN} children, by name.`,
    resolve: async ({ children }, _args, { loaders }) => {
      const found = await Promise.all(children.map(({ uuid }) => loaders.providers.byUuid(uuid)));
      return found.filter((child) => child !== null);
    },
  }),
);
usersFields(errors.ProviderInUse);
usersFields(errors.InventoryInUse);

const Violation = objectType<errors.ReshapeViolation>('ReshapeViolation', {
  description: 'A rule that the final state violates.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description: 'The code of the same rejection of a single write.',
      resolve: ({ rejection }) => rejection.code,
    }),
    message: t.string({
      description: 'The violation as a sentence.',
      resolve: ({ rejection }) => rejection.message,
    }),
    resourceProviderUuid: t.field({
      type: 'UUID',
      nullable: true,
      description: 'The provider.',
      resolve: ({ rejection }) => rejection.resourceProviderUuid,
    }),
    resourceClassName: t.string({
      nullable: true,
      description: 'The resource class. Null for the whole provider.',
      resolve: ({ rejection }) => ('resourceClassName' in rejection ? rejection.resourceClassName : null),
    }),
    consumerUuid: t.expose('consumer', {
      type: 'UUID',
      nullable: true,
      description: 'The consumer of the allocation.',
    }),
  }),
});

builder.objectFields(errors.ReshapeRefused, (t) => ({
  violations: t.expose('violations', {
    type: [Violation],
    complexity: COUNTED_ABOVE,
    description: 'All violations, in the order of the codes.',
  }),
}));

builder.objectFields(errors.ReshapeNeeded, (t) => ({
  consumers: t.field({
    type: [Consumer],
    ...readInPages(100, 'treeConsumers of the root of the tree'),
    description:
      'The consumers that would lose an inventory or provider in use. State them in `allocations`.',
    resolve: ({ consumers }, _args, { loaders }) => loaders.consumers.existing(consumers),
  }),
}));
