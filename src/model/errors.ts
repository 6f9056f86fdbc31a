import { InvalidInput } from './input.js';

/**
 * All rejections of a write in order of precedence, and last COMMITTED, which is none, with one sentence that states when a write fails with the code.
 * If several apply, the write fails with the first of them. If several have this code, it reports the first in input
 * order.
 */
export const MEANINGS = {
  INVALID_INPUT: 'A value is malformed, out of range, contradictory or duplicate, or a name is unknown.',
  NOT_FOUND: 'The object to change, or a provider in the input, does not exist.',
  DUPLICATE_NAME: 'Another provider or aggregate has this name.',
  DUPLICATE_UUID: 'A provider with this UUID exists already.',
  STANDARD_IS_IMMUTABLE: 'Standard traits and resource classes cannot be deleted.',
  ILLEGAL_REPARENT: 'A provider cannot move under itself or a descendant.',
  PROVIDER_GENERATION_CONFLICT: 'The provider does not have the generation in the input.',
  CONSUMER_GENERATION_CONFLICT: 'The consumer does not have the generation in the input.',
  PROVIDER_HAS_CHILDREN: 'A provider with children cannot be deleted.',
  PROVIDER_IN_USE: 'A provider with allocations cannot be deleted.',
  TRAIT_IN_USE: 'A trait that a provider has cannot be deleted.',
  RESOURCE_CLASS_IN_USE: 'A resource class with inventories cannot be deleted.',
  AGGREGATE_IN_USE: 'An aggregate that contains a provider cannot be deleted.',
  INVENTORY_IN_USE: 'An inventory with allocations cannot be deleted.',
  NO_INVENTORY: 'The provider has no inventory of the resource class.',
  UNIT_VIOLATION: 'An amount violates minUnit, maxUnit or stepSize of the inventory.',
  CAPACITY_EXCEEDED: 'The usage would exceed the capacity, and the current usage.',
  RESHAPE_REFUSED: 'The final state violates rules of inventories or allocations.',
  RESHAPE_NEEDED: 'The input removes inventories or providers in use without `allocations`.',
  NO_CANDIDATES: 'No candidates fit the request for all consumers.',
  CONCURRENT_UPDATE: 'Concurrent writes caused conflicts until the server gave up.',
  COMMITTED: 'No rejection: the write was committed, but its payload could not be read.',
};

export type ErrorCode = keyof typeof MEANINGS;

/**
 * The rejections that a concurrent write causes: nothing was changed, and a retry with the current state may succeed.
 * After any other rejection, a retry fails until the request or the stored state changes.
 */
const RETRYABLE: readonly string[] = [
  'PROVIDER_GENERATION_CONFLICT',
  'CONSUMER_GENERATION_CONFLICT',
  'CONCURRENT_UPDATE',
] satisfies ErrorCode[];

export const VOCABULARY = Object.entries(MEANINGS).map(([code, meaning]) => ({
  code: code as ErrorCode,
  meaning,
  retryable: RETRYABLE.includes(code),
}));

export type EntityKind =
  | 'RESOURCE_PROVIDER'
  | 'INVENTORY'
  | 'CONSUMER'
  | 'TRAIT'
  | 'RESOURCE_CLASS'
  | 'AGGREGATE';

/** The rejection of a write. Its transaction was rolled back, and nothing was changed. */
export abstract class DomainError extends Error {
  abstract readonly code: ErrorCode;
  /** The path of the input value that caused the rejection, as in {@link InvalidInput}; [] if none did. */
  path: readonly string[] = [];

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  get retryable(): boolean {
    return RETRYABLE.includes(this.code);
  }
}

/** Returns the entry of a rejection, also of {@link InvalidInput}. Null for bugs and failures. */
export function entryOf(error: unknown): (typeof VOCABULARY)[number] | null {
  const code =
    error instanceof InvalidInput ? 'INVALID_INPUT' : error instanceof DomainError ? error.code : null;
  return VOCABULARY.find((entry) => entry.code === code) ?? null;
}
