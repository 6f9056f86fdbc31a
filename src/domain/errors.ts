import { InvalidInput } from './invalidInput.js';

interface VocabularyEntry {
  readonly code: string;
  /** One sentence that states when a write fails with the code. */
  readonly meaning: string;
  /**
   * True if a concurrent write is the cause: nothing was changed, and a retry with the current
   * state may succeed. False if the request or the stored state must change first.
   */
  readonly retryable: boolean;
}

/**
 * All rejections of a write in order of precedence. If several apply, the write fails with the
 * first code of this list. If several have this code, it reports the first in input order.
 */
export const VOCABULARY = [
  {
    code: 'INVALID_INPUT',
    meaning: 'A value is malformed, out of range, contradictory or duplicate, or a name is unknown.',
    retryable: false,
  },
  {
    code: 'NOT_FOUND',
    meaning: 'The object to change, or a provider in the input, does not exist.',
    retryable: false,
  },
  {
    code: 'DUPLICATE_NAME',
    meaning: 'Another provider or aggregate has this name.',
    retryable: false,
  },
  { code: 'DUPLICATE_UUID', meaning: 'A provider with this UUID exists already.', retryable: false },
  {
    code: 'STANDARD_IS_IMMUTABLE',
    meaning: 'Standard traits and resource classes cannot be deleted.',
    retryable: false,
  },
  {
    code: 'ILLEGAL_REPARENT',
    meaning: 'A provider cannot move under itself or a descendant.',
    retryable: false,
  },
  {
    code: 'PROVIDER_GENERATION_CONFLICT',
    meaning: 'The provider does not have the generation in the input.',
    retryable: true,
  },
  {
    code: 'CONSUMER_GENERATION_CONFLICT',
    meaning: 'The consumer does not have the generation in the input.',
    retryable: true,
  },
  {
    code: 'PROVIDER_HAS_CHILDREN',
    meaning: 'A provider with children cannot be deleted.',
    retryable: false,
  },
  {
    code: 'PROVIDER_IN_USE',
    meaning: 'A provider with allocations cannot be deleted.',
    retryable: false,
  },
  { code: 'TRAIT_IN_USE', meaning: 'A trait that a provider has cannot be deleted.', retryable: false },
  {
    code: 'RESOURCE_CLASS_IN_USE',
    meaning: 'A resource class with inventories cannot be deleted.',
    retryable: false,
  },
  {
    code: 'INVENTORY_IN_USE',
    meaning: 'An inventory with allocations cannot be deleted.',
    retryable: false,
  },
  {
    code: 'NO_INVENTORY',
    meaning: 'The provider has no inventory of the resource class.',
    retryable: false,
  },
  {
    code: 'UNIT_VIOLATION',
    meaning: 'An amount violates minUnit, maxUnit or stepSize of the inventory.',
    retryable: false,
  },
  {
    code: 'CAPACITY_EXCEEDED',
    meaning: 'The usage would exceed the capacity, and the current usage.',
    retryable: false,
  },
  {
    code: 'RESHAPE_REFUSED',
    meaning: 'The final state violates rules of inventories or allocations.',
    retryable: false,
  },
  {
    code: 'RESHAPE_NEEDED',
    meaning: 'The input removes inventories or providers in use without `allocations`.',
    retryable: false,
  },
  {
    code: 'NO_CANDIDATES',
    meaning: 'No candidates fit the request for all consumers.',
    retryable: false,
  },
  {
    code: 'CONCURRENT_UPDATE',
    meaning: 'Concurrent writes caused conflicts until the server gave up.',
    retryable: true,
  },
] as const satisfies readonly VocabularyEntry[];

export type ErrorCode = (typeof VOCABULARY)[number]['code'];

export type EntityKind =
  'RESOURCE_PROVIDER' | 'INVENTORY' | 'CONSUMER' | 'TRAIT' | 'RESOURCE_CLASS' | 'AGGREGATE';

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
    return VOCABULARY.some((entry) => entry.code === this.code && entry.retryable);
  }
}

/** Returns the entry of a rejection, also of {@link InvalidInput}. Null for bugs and failures. */
export function entryOf(error: unknown): (typeof VOCABULARY)[number] | null {
  const code =
    error instanceof InvalidInput ? 'INVALID_INPUT' : error instanceof DomainError ? error.code : null;
  return VOCABULARY.find((entry) => entry.code === code) ?? null;
}
