import { has, isAmount, isField, isWithin, pathOfCause, type Cause } from './causes.js';
import { InvalidInput } from './input.js';
import * as errors from './rejections.js';

export type Rejection = errors.DomainError | InvalidInput;

export type RejectionClass<T extends Rejection = Rejection> = new (...args: never[]) => T;

/** A field of an error type of the GraphQL schema. Its value is a property of the class. */
export interface ErrorField {
  /** The name of the field. Defaults to the name of the property. */
  readonly name?: string;
  readonly type: 'Int' | 'SafeInt' | 'String' | 'UUID' | ['String'] | ['UUID'] | 'EntityKind';
  readonly nullable?: boolean;
  readonly description: string;
}

/** The codes of errors of OpenStack Placement's REST API. Clients match on them. */
export const REST_CODES = {
  undefined: 'placement.undefined_code',
  concurrentUpdate: 'placement.concurrent_update',
  inventoryInUse: 'placement.inventory.inuse',
  duplicateName: 'placement.duplicate_name',
  providerInUse: 'placement.resource_provider.inuse',
  providerHasChildren: 'placement.resource_provider.cannot_delete_parent',
  providerNotFound: 'placement.resource_provider.not_found',
  duplicateKey: 'placement.query.duplicate_key',
  badValue: 'placement.query.bad_value',
  missingValue: 'placement.query.missing_value',
} as const;

export type RestCode = (typeof REST_CODES)[keyof typeof REST_CODES];

/** The entry of a code. The texts of OpenStack Placement are in `api/rest/restErrors.ts`. */
interface RejectionFacts<T extends Rejection> {
  /** A sentence that states when a write fails with the code. */
  readonly meaning: string;
  /**
   * True if a concurrent write causes the rejection, so that a retry with the current state may succeed. After any
   * other rejection, a retry fails until the request or the stored state changes.
   */
  readonly retryable?: true;
  /** The HTTP status of the REST API; of NOT_FOUND, 404 if the address names the object. Null if no route has the code. */
  readonly status: number | null;
  /** Defaults to REST_CODES.undefined. */
  readonly restCode?: RestCode;
  /** The fields besides those of each error. The schema adds those that read the database. */
  readonly fields: { readonly [Property in keyof T]?: ErrorField };
  /** Matches the input value that caused the rejection, in order of preference. */
  readonly causes?: (error: T) => readonly Cause[];
}

interface RejectionEntry extends Omit<RejectionFacts<never>, 'retryable'> {
  /** Null if a module above this one has the class. */
  readonly class: RejectionClass | null;
  readonly retryable: boolean;
}

function stated<T extends Rejection>(
  type: RejectionClass<T> | null,
  statement: RejectionFacts<T>,
): RejectionEntry {
  return { retryable: false, ...(statement as RejectionFacts<never>), class: type };
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

interface OfAllocation {
  readonly resourceProviderUuid: string;
  readonly resourceClassName: string;
}

const ofAmount = ({ resourceProviderUuid, resourceClassName }: OfAllocation): Cause =>
  isAmount(resourceProviderUuid, resourceClassName);
const isProvider =
  ({ resourceProviderUuid }: Pick<OfAllocation, 'resourceProviderUuid'>): Cause =>
  ({ value }) =>
    value === resourceProviderUuid;

/**
 * All rejections of a write in order of precedence, and last COMMITTED, which is none. If several apply, the write
 * fails with the first of them. If several have this code, it reports the first in input order.
 */
export const REJECTIONS = {
  OLDER_SERVER: stated(errors.OlderServer, {
    meaning: 'The write is the first to use a feature that a running server of version 1.0 lacks.',
    status: null,
    fields: {
      servers: { type: ['String'], description: 'The processes of version 1.0, each with its machine.' },
    },
  }),
  INVALID_INPUT: stated(InvalidInput, {
    meaning: 'A value is malformed, out of range, contradictory or duplicate, or a name is unknown.',
    status: 400,
    fields: {},
  }),
  NOT_FOUND: stated(errors.NotFound, {
    meaning: 'The object to change, or a provider in the input, does not exist.',
    status: 400,
    fields: {
      entity: { type: 'EntityKind', description: 'The kind of the missing object.' },
      key: { type: 'String', description: 'The uuid or name of the missing object.' },
    },
    causes: ({ entity, key }) => [
      ({ value, owner }) => value === key && (entity !== 'INVENTORY' || isWithin(owner, 'inventories')),
    ],
  }),
  DUPLICATE_NAME: stated(errors.DuplicateName, {
    meaning: 'Another provider or aggregate has this name.',
    status: 409,
    restCode: REST_CODES.duplicateName,
    fields: { providerName: name('The requested name.') },
    causes: ({ providerName }) => [isField('name', providerName)],
  }),
  DUPLICATE_UUID: stated(errors.DuplicateUuid, {
    meaning: 'A provider with this UUID exists already.',
    status: 409,
    restCode: REST_CODES.duplicateName,
    fields: { uuid: { type: 'UUID', description: 'The requested uuid.' } },
    causes: ({ uuid }) => [isField('uuid', uuid)],
  }),
  STANDARD_IS_IMMUTABLE: stated(errors.StandardIsImmutable, {
    meaning: 'Standard traits and resource classes cannot be deleted.',
    status: 400,
    fields: { standardName: name('The name of the trait or class.') },
    causes: ({ standardName }) => [isField('name', standardName)],
  }),
  ILLEGAL_REPARENT: stated(errors.IllegalReparent, {
    meaning: 'A provider cannot move under itself or a descendant.',
    status: 400,
    fields: PROVIDER,
    causes: () => [({ field }) => field === 'parent'],
  }),
  PROVIDER_GENERATION_CONFLICT: stated(errors.ProviderGenerationConflict, {
    meaning: 'The provider does not have the generation in the input.',
    retryable: true,
    status: 409,
    restCode: REST_CODES.concurrentUpdate,
    fields: { ...PROVIDER, ...GENERATIONS },
    causes: ({ resourceProviderUuid }) =>
      ['resourceProvider', 'uuid'].map(
        (key) =>
          ({ field, owner }) =>
            field === 'generation' && has(owner, key, resourceProviderUuid),
      ),
  }),
  CONSUMER_GENERATION_CONFLICT: stated(errors.ConsumerGenerationConflict, {
    meaning: 'The consumer does not have the generation in the input.',
    retryable: true,
    status: 409,
    restCode: REST_CODES.concurrentUpdate,
    fields: { consumerUuid: { type: 'UUID', description: 'The consumer.' }, ...GENERATIONS },
    causes: ({ consumerUuid }) =>
      ['generation', 'consumer'].map(
        (key) =>
          ({ field, value, owner }) =>
            field === key && value !== undefined && has(owner, 'consumer', consumerUuid),
      ),
  }),
  PROVIDER_HAS_CHILDREN: stated(errors.ProviderHasChildren, {
    meaning: 'A provider with children cannot be deleted.',
    status: 409,
    restCode: REST_CODES.providerHasChildren,
    fields: { ...PROVIDER, childCount: { type: 'Int', description: 'The number of children.' } },
    causes: (error) => [isProvider(error)],
  }),
  PROVIDER_IN_USE: stated(errors.ProviderInUse, {
    meaning: 'A provider with allocations cannot be deleted.',
    status: 409,
    restCode: REST_CODES.providerInUse,
    fields: PROVIDER,
    causes: (error) => [isProvider(error)],
  }),
  TRAIT_IN_USE: stated(errors.TraitInUse, {
    meaning: 'A trait that a provider has cannot be deleted.',
    status: 409,
    fields: { traitName: name('The name of the trait.') },
    causes: ({ traitName }) => [isField('name', traitName)],
  }),
  RESOURCE_CLASS_IN_USE: stated(errors.ResourceClassInUse, {
    meaning: 'A resource class with inventories cannot be deleted.',
    status: 409,
    fields: { resourceClassName: name('The name of the resource class.') },
    causes: ({ resourceClassName }) => [isField('name', resourceClassName)],
  }),
  AGGREGATE_IN_USE: stated(errors.AggregateInUse, {
    meaning: 'An aggregate that contains a provider cannot be deleted.',
    status: null,
    fields: {
      aggregateUuid: { type: 'UUID', description: 'The aggregate.' },
      resourceProviderUuids: { type: ['UUID'], description: 'Providers in the aggregate, at most 10.' },
    },
    causes: ({ aggregateUuid }) => [({ value }) => value === aggregateUuid],
  }),
  INVENTORY_IN_USE: stated(errors.InventoryInUse, {
    meaning: 'An inventory with allocations cannot be deleted.',
    status: 409,
    restCode: REST_CODES.inventoryInUse,
    fields: {
      ...PROVIDER,
      resourceClassName: { type: 'String', description: 'The resource class of the first inventory in use.' },
      resourceClassNames: {
        type: ['String'],
        description: 'The resource classes of all inventories in use.',
      },
    },
    causes: ({ resourceClassName }) => [
      ({ value, owner }) => value === resourceClassName && owner?.field === 'remove',
      ({ field, owner }) => field === 'set' && owner?.field === 'inventories',
    ],
  }),
  CONSUMPTION_IN_USE: stated(errors.ConsumptionInUse, {
    meaning:
      'The consumption of an inventory with allocations would change, or a counter that an inventory consumes would go.',
    status: 409,
    restCode: REST_CODES.inventoryInUse,
    fields: {
      resourceProviderUuid: { type: 'UUID', description: 'The provider of the inventory that consumes.' },
      resourceClassName: { type: 'String', description: 'The resource class of this inventory.' },
      counterProviderUuid: { type: 'UUID', description: 'The provider of the counter.' },
      counterClassName: { type: 'String', description: 'The resource class of the counter.' },
    },
    causes: (error) => [isProvider(error)],
  }),
  NO_INVENTORY: stated(errors.NoInventory, {
    meaning: 'The provider has no inventory of the resource class.',
    status: 409,
    fields: ALLOCATION,
    causes: (error) => [ofAmount(error)],
  }),
  UNIT_VIOLATION: stated(errors.UnitViolation, {
    meaning: 'An amount violates minUnit, maxUnit or stepSize of the inventory.',
    status: 409,
    fields: {
      ...ALLOCATION,
      requested: { type: 'SafeInt', description: 'The amount that one consumer requests.' },
      minUnit: { type: 'Int', description: 'The smallest amount of one allocation.' },
      maxUnit: { type: 'Int', description: 'The largest amount of one allocation.' },
      stepSize: { type: 'Int', description: 'An amount is a multiple of this, or exactly minUnit.' },
    },
    causes: (error) => [(place) => place.value === error.requested && ofAmount(error)(place)],
  }),
  CAPACITY_EXCEEDED: stated(errors.CapacityExceeded, {
    meaning: 'The usage would exceed the capacity, and the current usage.',
    status: 409,
    fields: {
      ...ALLOCATION,
      requested: { type: 'SafeInt', description: 'The total amount that the input requests.' },
      capacity: { type: 'SafeInt', description: 'The capacity of the inventory.' },
      used: { type: 'SafeInt', description: 'The amount in use by consumers that the input does not name.' },
    },
    causes: (error) => [ofAmount(error)],
  }),
  QUOTA_EXCEEDED: stated(errors.QuotaExceeded, {
    meaning: 'The counted usage of the project or its group would exceed a limit.',
    status: 409,
    fields: {
      resourceClassName: {
        name: 'quotaClassName',
        type: 'String',
        nullable: true,
        description: 'The resource class. Null for the number of consumers.',
      },
      limit: { type: 'SafeInt', description: 'The limit.' },
      used: { type: 'SafeInt', description: 'The counted usage before the write.' },
      asked: { type: 'SafeInt', description: 'The amount by which the write would raise the usage.' },
      projectId: {
        type: 'String',
        nullable: true,
        description: 'The project with the limit. Null if it is that of a group.',
      },
      group: {
        type: 'String',
        nullable: true,
        description: 'The group with the limit. Null if it is that of a project.',
      },
    },
    causes: ({ projectId }) => [
      ({ field, value }) => field === 'projectId' && (projectId === null || value === projectId),
    ],
  }),
  RESHAPE_REFUSED: stated(errors.ReshapeRefused, {
    meaning: 'The final state violates rules of inventories or allocations.',
    status: null,
    fields: {},
  }),
  RESHAPE_NEEDED: stated(errors.ReshapeNeeded, {
    meaning: 'The input removes inventories or providers in use without `allocations`.',
    status: null,
    fields: {},
  }),
  OWNED_BY_ANOTHER: stated(errors.OwnedByAnother, {
    meaning: 'Another owner has a part of a provider that the input states.',
    status: null,
    fields: {
      ...PROVIDER,
      owner: { type: 'String', description: 'The owner in the input.' },
      otherOwner: { type: 'String', description: 'The owner of the part.' },
    },
  }),
  NO_CANDIDATES: stated(null, {
    meaning: 'No candidates fit the request for all consumers.',
    status: null,
    fields: {},
  }),
  CONCURRENT_UPDATE: stated(errors.ConcurrentUpdate, {
    meaning: 'Concurrent writes caused conflicts until the server gave up.',
    retryable: true,
    status: 409,
    restCode: REST_CODES.concurrentUpdate,
    fields: {},
  }),
  COMMITTED: stated(null, {
    meaning: 'No rejection: the write was committed, but its payload could not be read.',
    status: null,
    fields: {},
  }),
};

export type ErrorCode = keyof typeof REJECTIONS;

/** Returns the code of a rejection, also of {@link InvalidInput}. Null for bugs and failures. */
export function codeOf(error: unknown): ErrorCode | null {
  if (error instanceof InvalidInput) return 'INVALID_INPUT';
  return error instanceof errors.DomainError ? (error.code as ErrorCode) : null;
}

/** Returns the path of the first value of an input that caused a rejection; [] if none did. */
export function pathOf(error: errors.DomainError, input: object): string[] {
  const causes = REJECTIONS[error.code as ErrorCode].causes?.(error as never) ?? [];
  return pathOfCause(causes, input);
}
