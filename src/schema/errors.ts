import { InvalidInput } from '../domain/invalidInput.js';
import { VOCABULARY, type DomainError, type EntityKind, type ErrorCode } from '../domain/errors.js';
import {
  CapacityExceeded,
  ConcurrentUpdate,
  ConsumerGenerationConflict,
  DuplicateName,
  DuplicateUuid,
  IllegalReparent,
  InventoryInUse,
  NoInventory,
  NotFound,
  ProviderGenerationConflict,
  ProviderHasChildren,
  ProviderInUse,
  ResourceClassInUse,
  StandardIsImmutable,
  TraitInUse,
  UnitViolation,
} from '../ledger/errors.js';
import { builder } from './builder.js';

export type Rejection = DomainError | InvalidInput;

export const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'Why a mutation changed nothing. If several reasons apply, the first of these values. More may be added.',
  values: Object.fromEntries(
    VOCABULARY.map(({ code, meaning }) => [code, { description: meaning }]),
  ) as Record<ErrorCode, { description: string }>,
});

const EntityKindEnum = builder.enumType('EntityKind', {
  description: 'The kind of an object that was not found.',
  values: {
    RESOURCE_PROVIDER: {
      description: 'The key is its uuid or name, as in the input.',
    },
    INVENTORY: {
      description: 'The key is its class name.',
    },
    CONSUMER: { description: 'The key is its uuid.' },
    TRAIT: { description: 'The key is its name.' },
    RESOURCE_CLASS: { description: 'The key is its name.' },
    AGGREGATE: { description: 'The key is its uuid.' },
  } satisfies Record<EntityKind, { description: string }>,
});

const UserError = builder.interfaceRef<Rejection>('UserError').implement({
  description: 'Why a mutation changed nothing. `... on UserError` matches later errors too.',
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

/** Returns the name, the description and the interface of an error type. */
export function common(code: ErrorCode) {
  return {
    name: typeName(code),
    description: VOCABULARY.find((entry) => entry.code === code)!.meaning,
    interfaces: [UserError],
  };
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
  readonly type: 'Int' | 'SafeInt' | 'String' | 'UUID' | ['String'];
  readonly nullable?: boolean;
  readonly description: string;
}

/** Defines an error type whose fields are scalar properties of the error class. */
function errorType<T extends Rejection>(
  error: new (...args: never[]) => T,
  code: ErrorCode,
  properties: { readonly [Property in keyof T]?: ErrorField },
): void {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- the interface is checked against it
  builder.objectType(error as new () => Rejection, {
    ...common(code),
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

const GENERATIONS = {
  expectedGeneration: {
    type: 'Int',
    nullable: true,
    description: 'The generation in the input. Null if it requires absence.',
  },
  currentGeneration: { type: 'Int', nullable: true, description: 'The current generation. Null if absent.' },
} as const;

errorType(InvalidInput, 'INVALID_INPUT', {});

builder.objectType(NotFound, {
  ...common('NOT_FOUND'),
  fields: (t) => ({
    entity: t.expose('entity', {
      type: EntityKindEnum,
      description: 'The kind of the missing object.',
    }),
    key: t.exposeString('key', { description: 'The uuid or name of the missing object.' }),
  }),
});

const PROVIDER = {
  resourceProviderUuid: { type: 'UUID', description: 'The resource provider.' },
} as const;

function name(description: string) {
  return { name: 'name', type: 'String', description } as const;
}

errorType(DuplicateName, 'DUPLICATE_NAME', { providerName: name('The requested name.') });
errorType(DuplicateUuid, 'DUPLICATE_UUID', { uuid: { type: 'UUID', description: 'The requested uuid.' } });
errorType(StandardIsImmutable, 'STANDARD_IS_IMMUTABLE', {
  standardName: name('The name of the trait or class.'),
});
errorType(IllegalReparent, 'ILLEGAL_REPARENT', PROVIDER);
errorType(ProviderGenerationConflict, 'PROVIDER_GENERATION_CONFLICT', {
  ...PROVIDER,
  ...GENERATIONS,
});
errorType(ProviderHasChildren, 'PROVIDER_HAS_CHILDREN', PROVIDER);
errorType(ProviderInUse, 'PROVIDER_IN_USE', PROVIDER);
errorType(TraitInUse, 'TRAIT_IN_USE', { traitName: name('The name of the trait.') });
errorType(ResourceClassInUse, 'RESOURCE_CLASS_IN_USE', {
  resourceClassName: name('The name of the resource class.'),
});
errorType(InventoryInUse, 'INVENTORY_IN_USE', {
  ...PROVIDER,
  resourceClassName: {
    type: 'String',
    description: 'The resource class of the first inventory in use.',
  },
  resourceClassNames: {
    type: ['String'],
    description: 'The resource classes of all inventories in use.',
  },
});
errorType(ConcurrentUpdate, 'CONCURRENT_UPDATE', {});

const ALLOCATION = {
  resourceProviderUuid: { type: 'UUID', description: 'The resource provider.' },
  resourceClassName: { type: 'String', description: 'The resource class.' },
} as const;

errorType(ConsumerGenerationConflict, 'CONSUMER_GENERATION_CONFLICT', {
  consumerUuid: { type: 'UUID', description: 'The consumer.' },
  ...GENERATIONS,
});

errorType(NoInventory, 'NO_INVENTORY', ALLOCATION);

errorType(UnitViolation, 'UNIT_VIOLATION', {
  ...ALLOCATION,
  requested: { type: 'SafeInt', description: 'The amount that one consumer requests.' },
  minUnit: { type: 'Int', description: 'The smallest amount of one allocation.' },
  maxUnit: { type: 'Int', description: 'The largest amount of one allocation.' },
  stepSize: { type: 'Int', description: 'An amount is a multiple of this, or exactly minUnit.' },
});

errorType(CapacityExceeded, 'CAPACITY_EXCEEDED', {
  ...ALLOCATION,
  requested: { type: 'SafeInt', description: 'The total amount that the input requests.' },
  capacity: { type: 'SafeInt', description: 'The capacity of the inventory.' },
  used: { type: 'SafeInt', description: 'The amount in use by consumers that the input does not name.' },
});
