import * as errors from '../model/rejections.js';
import { InvalidInput } from '../model/input.js';
import { MEANINGS, VOCABULARY, type DomainError, type EntityKind, type ErrorCode } from '../model/errors.js';
import { builder, meanings, objectType } from './builder.js';
import { COUNTED_ABOVE, costOfList, readInPages } from './cost/operationCost.js';
import { Consumer, ResourceProvider } from './refs.js';

type Rejection = DomainError | InvalidInput;

const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'Why a mutation has no payload: it changed nothing, unless COMMITTED. If several reasons apply, the first of ' +
    'these values. More may be added.',
  values: meanings(MEANINGS),
});

const EntityKindEnum = builder.enumType('EntityKind', {
  description: 'The kind of an object that was not found.',
  values: meanings<EntityKind>({
    RESOURCE_PROVIDER: 'The key is its uuid or name, as in the input.',
    INVENTORY: 'The key is its class name.',
    CONSUMER: 'The key is its uuid.',
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
      resolve: (_error, _args, _context, { parentType }) => entryOf(parentType.name).code,
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
      resolve: (_error, _args, _context, { parentType }) => entryOf(parentType.name).retryable,
    }),
  }),
});

type RejectionClass<T extends Rejection = Rejection> = new (...args: never[]) => T;

const classes = new Map<ErrorCode, RejectionClass>();

/** Returns the class of the rejections with a code. */
export function classOf(code: ErrorCode): RejectionClass {
  return classes.get(code)!;
}

/** Sets the class of a code. Returns the name, the description and the interface of its error type. */
export function common(code: ErrorCode, error: RejectionClass) {
  classes.set(code, error);
  return { name: typeName(code), description: MEANINGS[code], interfaces: [UserError] };
}

/** Returns the type name of a code: InvalidInputError for INVALID_INPUT. */
function typeName(code: ErrorCode): string {
  return `${code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`;
}

function entryOf(type: string): (typeof VOCABULARY)[number] {
  return VOCABULARY.find(({ code }) => typeName(code) === type)!;
}

interface ErrorField {
  /** The name of the field. Defaults to the name of the property. */
  readonly name?: string;
  readonly type: 'Int' | 'SafeInt' | 'String' | 'UUID' | ['String'] | ['UUID'] | typeof EntityKindEnum;
  readonly nullable?: boolean;
  readonly description: string;
}

/** Defines an error type whose fields are properties of the error class. */
function errorType<T extends Rejection>(
  code: ErrorCode,
  error: RejectionClass<T>,
  properties: { readonly [Property in keyof T]?: ErrorField },
): void {
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the interface is checked against it
  builder.objectType(error as new () => Rejection, {
    ...common(code, error),
    fields: (t) =>
      Object.fromEntries(
        Object.entries<ErrorField | undefined>(properties).map(([property, options]) => {
          const { name = property, ...field } = options!;
          return [
            name,
            t.field({ ...field, resolve: (source) => source[property as keyof Rejection] as never }),
          ];
        }),
      ),
  });
}

const PROVIDER = { resourceProviderUuid: { type: 'UUID', description: 'The resource provider.' } } as const;
const ALLOCATION = {
  ...PROVIDER,
  resourceClassName: { type: 'String', description: 'The resource class.' },
} as const;
const GENERATIONS = {
  expectedGeneration: {
    type: 'Int',
    nullable: true,
    description: 'The generation in the input. Null if it requires absence.',
  },
  currentGeneration: { type: 'Int', nullable: true, description: 'The current generation. Null if absent.' },
} as const;

function name(description: string) {
  return { name: 'name', type: 'String', description } as const;
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

errorType('INVALID_INPUT', InvalidInput, {});
errorType('NOT_FOUND', errors.NotFound, {
  entity: { type: EntityKindEnum, description: 'The kind of the missing object.' },
  key: { type: 'String', description: 'The uuid or name of the missing object.' },
});
errorType('DUPLICATE_NAME', errors.DuplicateName, { providerName: name('The requested name.') });
errorType('DUPLICATE_UUID', errors.DuplicateUuid, {
  uuid: { type: 'UUID', description: 'The requested uuid.' },
});
errorType('STANDARD_IS_IMMUTABLE', errors.StandardIsImmutable, {
  standardName: name('The name of the trait or class.'),
});
errorType('ILLEGAL_REPARENT', errors.IllegalReparent, PROVIDER);
errorType('PROVIDER_GENERATION_CONFLICT', errors.ProviderGenerationConflict, { ...PROVIDER, ...GENERATIONS });
errorType('CONSUMER_GENERATION_CONFLICT', errors.ConsumerGenerationConflict, {
  consumerUuid: { type: 'UUID', description: 'The consumer.' },
  ...GENERATIONS,
});
errorType('PROVIDER_HAS_CHILDREN', errors.ProviderHasChildren, {
  ...PROVIDER,
  childCount: { type: 'Int', description: 'The number of children.' },
});
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
errorType('PROVIDER_IN_USE', errors.ProviderInUse, PROVIDER);
usersFields(errors.ProviderInUse);
errorType('TRAIT_IN_USE', errors.TraitInUse, { traitName: name('The name of the trait.') });
errorType('RESOURCE_CLASS_IN_USE', errors.ResourceClassInUse, {
  resourceClassName: name('The name of the resource class.'),
});
errorType('AGGREGATE_IN_USE', errors.AggregateInUse, {
  aggregateUuid: { type: 'UUID', description: 'The aggregate.' },
  resourceProviderUuids: { type: ['UUID'], description: 'Providers in the aggregate, at most 10.' },
});
errorType('INVENTORY_IN_USE', errors.InventoryInUse, {
  ...PROVIDER,
  resourceClassName: { type: 'String', description: 'The resource class of the first inventory in use.' },
  resourceClassNames: { type: ['String'], description: 'The resource classes of all inventories in use.' },
});
usersFields(errors.InventoryInUse);
errorType('NO_INVENTORY', errors.NoInventory, ALLOCATION);
errorType('UNIT_VIOLATION', errors.UnitViolation, {
  ...ALLOCATION,
  requested: { type: 'SafeInt', description: 'The amount that one consumer requests.' },
  minUnit: { type: 'Int', description: 'The smallest amount of one allocation.' },
  maxUnit: { type: 'Int', description: 'The largest amount of one allocation.' },
  stepSize: { type: 'Int', description: 'An amount is a multiple of this, or exactly minUnit.' },
});
errorType('CAPACITY_EXCEEDED', errors.CapacityExceeded, {
  ...ALLOCATION,
  requested: { type: 'SafeInt', description: 'The total amount that the input requests.' },
  capacity: { type: 'SafeInt', description: 'The capacity of the inventory.' },
  used: { type: 'SafeInt', description: 'The amount in use by consumers that the input does not name.' },
});
errorType('CONCURRENT_UPDATE', errors.ConcurrentUpdate, {});

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

builder.objectType(errors.ReshapeRefused, {
  ...common('RESHAPE_REFUSED', errors.ReshapeRefused),
  fields: (t) => ({
    violations: t.expose('violations', {
      type: [Violation],
      complexity: COUNTED_ABOVE,
      description: 'All violations, in the order of the codes.',
    }),
  }),
});

builder.objectType(errors.ReshapeNeeded, {
  ...common('RESHAPE_NEEDED', errors.ReshapeNeeded),
  fields: (t) => ({
    consumers: t.field({
      type: [Consumer],
      ...readInPages(100, 'treeConsumers of the root of the tree'),
      description:
        'The consumers that would lose an inventory or provider in use. State them in `allocations`.',
      resolve: ({ consumers }, _args, { loaders }) => loaders.consumers.existing(consumers),
    }),
  }),
});
