import { CLASS_PATTERN, closed, UUID } from './names.js';

/** The keys of objects by provider or by consumer. The ledger checks that they are UUIDs. */
export const UUID_KEY = '^[0-9a-fA-F-]{36}$';

/** An object whose keys match a pattern. */
export function keyed(pattern: string, value: object, least = 0) {
  return {
    type: 'object',
    patternProperties: { [pattern]: value },
    minProperties: least,
    additionalProperties: false,
  } as const;
}

const RESOURCES = keyed(CLASS_PATTERN, { type: 'integer', minimum: 1 }, 1);
const OWNER_ID = { type: 'string', minLength: 1, maxLength: 255 } as const;
const OWNERS = { project_id: OWNER_ID, user_id: OWNER_ID };
const OWNER_NAMES = ['project_id', 'user_id'] as const;

const LIST = {
  type: 'array',
  minItems: 1,
  items: closed({ resource_provider: closed({ uuid: UUID }, ['uuid']), resources: RESOURCES }, [
    'resource_provider',
    'resources',
  ]),
} as const;

/** @param least the minimum number of providers */
const byProvider = (least: number) =>
  keyed(UUID_KEY, closed({ generation: { type: 'integer' }, resources: RESOURCES }, ['resources']), least);

const GENERATION = { consumer_generation: { type: ['integer', 'null'] } };
const MAPPINGS = {
  mappings: {
    type: 'object',
    minProperties: 1,
    patternProperties: { '[a-zA-Z0-9_-]{1,64}': { type: 'array', minItems: 1, items: UUID } },
  },
};
const TYPE = { consumer_type: { type: 'string', pattern: CLASS_PATTERN, minLength: 1, maxLength: 255 } };

const OWNED = { allocations: byProvider(0), ...OWNERS };
const WITH_GENERATION = { ...OWNED, ...GENERATION };
const WITH_MAPPINGS = { ...WITH_GENERATION, ...MAPPINGS };
const WITH_TYPE = { ...WITH_MAPPINGS, ...TYPE };
const NEEDED = ['allocations', ...OWNER_NAMES] as const;

export const PUT_LIST = closed({ allocations: LIST }, ['allocations']);
export const PUT_OWNED_LIST = closed({ allocations: LIST, ...OWNERS }, NEEDED);
export const PUT_BY_PROVIDER = closed({ ...OWNED, allocations: byProvider(1) }, NEEDED);
export const PUT_WITH_GENERATION = closed(WITH_GENERATION, [...NEEDED, 'consumer_generation']);
export const PUT_WITH_MAPPINGS = closed(WITH_MAPPINGS, [...NEEDED, 'consumer_generation']);
export const PUT_WITH_TYPE = closed(WITH_TYPE, [...NEEDED, 'consumer_generation', 'consumer_type']);

/** A body with several consumers. A write needs at least one; a reshape needs none. */
const consumers = (each: object, least: number) => keyed(UUID_KEY, each, least);

export const POST_OWNED = consumers(closed(OWNED, NEEDED), 1);
export const POST_WITH_GENERATION = consumers(PUT_WITH_GENERATION, 1);
export const POST_WITH_MAPPINGS = consumers(PUT_WITH_MAPPINGS, 1);
export const POST_WITH_TYPE = consumers(PUT_WITH_TYPE, 1);

export const RESHAPED_CONSUMERS = consumers(PUT_WITH_GENERATION, 0);
export const RESHAPED_WITH_MAPPINGS = consumers(PUT_WITH_MAPPINGS, 0);
export const RESHAPED_WITH_TYPE = consumers(PUT_WITH_TYPE, 0);

export interface AllocationsBody {
  readonly allocations: Readonly<Record<string, { readonly resources: Readonly<Record<string, number>> }>>;
  readonly project_id?: string;
  readonly user_id?: string;
  readonly consumer_generation?: number | null;
  readonly consumer_type?: string;
}

export interface ListedAllocations extends Omit<AllocationsBody, 'allocations'> {
  readonly allocations: readonly {
    readonly resource_provider: { readonly uuid: string };
    readonly resources: Readonly<Record<string, number>>;
  }[];
}

export type ConsumersBody = Readonly<Record<string, AllocationsBody>>;
