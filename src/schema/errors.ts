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

type Rejection = DomainError | InvalidInput;

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
    RESOURCE_PROVIDER: { description: 'A resource provider; the key is its uuid.' },
    INVENTORY: {
      description: 'An inventory of a resource provider; the key is the name of its resource class.',
    },
    CONSUMER: { description: 'A consumer; the key is its uuid.' },
    TRAIT: { description: 'A trait; the key is its name.' },
    RESOURCE_CLASS: { description: 'A resource class; the key is its name.' },
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
        'True where a rival write is the reason, so that the same intent may succeed after reading the state again.',
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

const PROVIDER = 'The resource provider concerned.';

builder.objectType(InvalidInput, {
  ...common('INVALID_INPUT'),
  fields: (t) => ({
    path: t.stringList({
      description:
        'The field of the input that is refused, from the outside in, positions in lists as decimal numbers from 0: ' +
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

builder.objectType(DuplicateName, {
  ...common('DUPLICATE_NAME'),
  fields: (t) => ({
    name: t.exposeString('providerName', { description: 'The name asked for.' }),
  }),
});

builder.objectType(DuplicateUuid, {
  ...common('DUPLICATE_UUID'),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The uuid asked for.' }),
  }),
});

builder.objectType(StandardIsImmutable, {
  ...common('STANDARD_IS_IMMUTABLE'),
  fields: (t) => ({
    name: t.exposeString('standardName', {
      description: 'The name of the standard trait or resource class.',
    }),
  }),
});

builder.objectType(IllegalReparent, {
  ...common('ILLEGAL_REPARENT'),
  fields: (t) => ({
    resourceProviderUuid: t.expose('resourceProviderUuid', { type: 'UUID', description: PROVIDER }),
  }),
});

builder.objectType(ProviderGenerationConflict, {
  ...common('PROVIDER_GENERATION_CONFLICT'),
  fields: (t) => ({
    resourceProviderUuid: t.expose('resourceProviderUuid', { type: 'UUID', description: PROVIDER }),
    expectedGeneration: t.exposeInt('expectedGeneration', {
      nullable: true,
      description: 'The generation in the input; null stands for a provider that was expected to be absent.',
    }),
    currentGeneration: t.exposeInt('currentGeneration', {
      nullable: true,
      description: 'The generation now; null when the provider is absent.',
    }),
  }),
});

builder.objectType(ProviderHasChildren, {
  ...common('PROVIDER_HAS_CHILDREN'),
  fields: (t) => ({
    resourceProviderUuid: t.expose('resourceProviderUuid', { type: 'UUID', description: PROVIDER }),
  }),
});

builder.objectType(ProviderInUse, {
  ...common('PROVIDER_IN_USE'),
  fields: (t) => ({
    resourceProviderUuid: t.expose('resourceProviderUuid', { type: 'UUID', description: PROVIDER }),
  }),
});

builder.objectType(TraitInUse, {
  ...common('TRAIT_IN_USE'),
  fields: (t) => ({
    name: t.exposeString('traitName', { description: 'The name of the trait.' }),
  }),
});

builder.objectType(ResourceClassInUse, {
  ...common('RESOURCE_CLASS_IN_USE'),
  fields: (t) => ({
    name: t.exposeString('resourceClassName', { description: 'The name of the resource class.' }),
  }),
});

builder.objectType(InventoryInUse, {
  ...common('INVENTORY_IN_USE'),
  fields: (t) => ({
    resourceProviderUuid: t.expose('resourceProviderUuid', { type: 'UUID', description: PROVIDER }),
    resourceClassName: t.exposeString('resourceClassName', {
      description: 'The resource class of the inventory.',
    }),
  }),
});

builder.objectType(ConcurrentUpdate, common('CONCURRENT_UPDATE'));

/**
 * The `errors` option of a mutation field: its answer is the union `<Field>Result` of its payload and these
 * rejections. Any other error that the resolver throws is a bug and ends in the response's `errors`.
 */
export function rejections<T extends (new (...args: never[]) => Rejection)[]>(field: string, ...types: T) {
  return {
    types,
    union: {
      name: `${field.charAt(0).toUpperCase()}${field.slice(1)}Result`,
      description: `What ${field} answers: its payload, or the reason why nothing was changed.`,
    },
  };
}
