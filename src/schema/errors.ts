import { InvalidInput } from '../domain/invalidInput.js';
import { VOCABULARY, type DomainError, type EntityKind, type ErrorCode } from '../domain/errors.js';
import {
  ConcurrentUpdate,
  DuplicateName,
  DuplicateUuid,
  IllegalReparent,
  InventoryInUse,
  NotFound,
  ProviderGenerationConflict,
  ProviderHasChildren,
  ProviderInUse,
  ResourceClassInUse,
  StandardIsImmutable,
  TraitInUse,
} from '../ledger/errors.js';
import { builder } from './builder.js';

export type Rejection = DomainError | InvalidInput;

export const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'Why a mutation changed nothing. When several reasons apply, the answer is the one that comes first in this ' +
    `order: ${VOCABULARY.map((entry) => entry.code).join(', ')}. More codes may be added.`,
  values: Object.fromEntries(
    VOCABULARY.map(({ code, meaning }) => [code, { description: meaning }]),
  ) as Record<ErrorCode, { description: string }>,
});

const EntityKindEnum = builder.enumType('EntityKind', {
  description: 'The kind of a thing that was not found.',
  values: {
    RESOURCE_PROVIDER: {
      description: 'A resource provider; the key is its uuid, or the name by which it was named.',
    },
    INVENTORY: {
      description: 'An inventory of a resource provider; the key is the name of its resource class.',
    },
    CONSUMER: { description: 'A consumer; the key is its uuid.' },
    TRAIT: { description: 'A trait; the key is its name.' },
    RESOURCE_CLASS: { description: 'A resource class; the key is its name.' },
    AGGREGATE: { description: 'An aggregate; the key is its uuid.' },
  } satisfies Record<EntityKind, { description: string }>,
});

const ErrorInterface = builder.interfaceRef<Rejection>('Error').implement({
  description:
    'A reason why a mutation changed nothing. Spread `... on Error` to be ready for ones added later.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description: 'The reason, for programs.',
      resolve: (_error, _args, _context, { parentType }) => entryOf(parentType.name).code,
    }),
    message: t.exposeString('message', {
      description: 'The reason in one sentence that names the value or object concerned, for people.',
    }),
    retryable: t.boolean({
      description:
        'True where a concurrent write is the reason, so that the same intent may succeed after reading the state again.',
      resolve: (_error, _args, _context, { parentType }) => entryOf(parentType.name).retryable,
    }),
  }),
});

/** What the type of every error has in common. */
export function common(code: ErrorCode) {
  return {
    name: typeName(code),
    description: VOCABULARY.find((entry) => entry.code === code)!.meaning,
    interfaces: [ErrorInterface],
  };
}

/** INVALID_INPUT gives InvalidInputError. */
function typeName(code: ErrorCode): string {
  return `${code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`;
}

function entryOf(type: string): (typeof VOCABULARY)[number] {
  return VOCABULARY.find(({ code }) => typeName(code) === type)!;
}

interface ErrorField {
  /** Its name, where that is not the name of the property. */
  readonly name?: string;
  readonly type: 'Int' | 'SafeInt' | 'String' | 'UUID' | ['String'];
  readonly nullable?: boolean;
  readonly description: string;
}

/** The type of an error that has properties of scalar types as its fields. */
export function errorType<T extends Rejection>(
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

/** The fields of an error about a generation that is not the one expected; what each of them says. */
export function generationFields(expected: string, current: string) {
  return {
    expectedGeneration: { type: 'Int', nullable: true, description: expected },
    currentGeneration: { type: 'Int', nullable: true, description: current },
  } as const;
}

builder.objectType(InvalidInput, {
  ...common('INVALID_INPUT'),
  fields: (t) => ({
    path: t.stringList({
      description:
        'The field of the input that is rejected, from the outside in, positions in lists as decimal numbers from 0: ' +
        '`["inventories", "2", "allocationRatio"]`.',
      resolve: ({ path }) => [...path],
    }),
  }),
});

builder.objectType(NotFound, {
  ...common('NOT_FOUND'),
  fields: (t) => ({
    entity: t.expose('entity', {
      type: EntityKindEnum,
      description: 'What kind of thing is missing.',
    }),
    key: t.exposeString('key', { description: 'Its uuid or name.' }),
  }),
});

const PROVIDER = {
  resourceProviderUuid: { type: 'UUID', description: 'The resource provider concerned.' },
} as const;

function name(description: string) {
  return { name: 'name', type: 'String', description } as const;
}

errorType(DuplicateName, 'DUPLICATE_NAME', { providerName: name('The name asked for.') });
errorType(DuplicateUuid, 'DUPLICATE_UUID', { uuid: { type: 'UUID', description: 'The uuid asked for.' } });
errorType(StandardIsImmutable, 'STANDARD_IS_IMMUTABLE', {
  standardName: name('The name of the standard trait or resource class.'),
});
errorType(IllegalReparent, 'ILLEGAL_REPARENT', PROVIDER);
errorType(ProviderGenerationConflict, 'PROVIDER_GENERATION_CONFLICT', {
  ...PROVIDER,
  ...generationFields(
    'The generation in the input; null stands for a provider that was expected to be absent.',
    'The generation now; null when the provider is absent.',
  ),
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
    description: 'The resource class of the inventory, of several the first.',
  },
  resourceClassNames: {
    type: ['String'],
    description: 'The resource classes of all inventories that would have to go and have allocations.',
  },
});
errorType(ConcurrentUpdate, 'CONCURRENT_UPDATE', {});
