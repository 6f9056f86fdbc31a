import { InvalidInput } from '../domain/invalidInput.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';

interface VocabularyEntry {
  readonly code: string;
  /** One sentence: when the code is given. */
  readonly meaning: string;
  /**
   * True where a rival's write is the reason: nothing was changed, and the same intent may well succeed after
   * reading the current state again. False where the request, or the state of things, has to change first.
   */
  readonly retryable: boolean;
}

/**
 * Every way in which a write can be refused, in order of precedence: where several apply, the first of this list
 * is given, and of several with the same code the first in the order of the input.
 */
export const VOCABULARY = [
  {
    code: 'INVALID_INPUT',
    meaning: 'A value is malformed, out of range, given twice or names an unknown trait or resource class.',
    retryable: false,
  },
  {
    code: 'NOT_FOUND',
    meaning: 'The thing acted on, or a provider named anywhere in the input, does not exist.',
    retryable: false,
  },
  { code: 'DUPLICATE_NAME', meaning: 'Another provider has this name.', retryable: false },
  { code: 'DUPLICATE_UUID', meaning: 'A provider with this UUID exists already.', retryable: false },
  {
    code: 'STANDARD_IS_IMMUTABLE',
    meaning: 'Standard traits and resource classes cannot be deleted.',
    retryable: false,
  },
  {
    code: 'ILLEGAL_REPARENT',
    meaning: 'A provider cannot be moved under itself or one of its descendants.',
    retryable: false,
  },
  {
    code: 'PROVIDER_GENERATION_CONFLICT',
    meaning: 'The provider was changed since the generation in the input was read.',
    retryable: true,
  },
  {
    code: 'CONSUMER_GENERATION_CONFLICT',
    meaning: 'The consumer is not as the input expects it: absent, or at the generation in the input.',
    retryable: true,
  },
  {
    code: 'PROVIDER_HAS_CHILDREN',
    meaning: 'The provider has children, so it cannot be deleted.',
    retryable: false,
  },
  {
    code: 'PROVIDER_IN_USE',
    meaning: 'The provider has allocations, so it cannot be deleted.',
    retryable: false,
  },
  { code: 'TRAIT_IN_USE', meaning: 'A provider has the trait, so it cannot be deleted.', retryable: false },
  {
    code: 'RESOURCE_CLASS_IN_USE',
    meaning: 'A provider has an inventory of the resource class, so it cannot be deleted.',
    retryable: false,
  },
  {
    code: 'INVENTORY_IN_USE',
    meaning: 'The inventory has allocations, so it cannot be deleted.',
    retryable: false,
  },
  {
    code: 'NO_INVENTORY',
    meaning: 'The provider has no inventory of the resource class that is to be allocated.',
    retryable: false,
  },
  {
    code: 'UNIT_VIOLATION',
    meaning: "An amount does not respect the inventory's minUnit, maxUnit or stepSize.",
    retryable: false,
  },
  {
    code: 'CAPACITY_EXCEEDED',
    meaning: 'The allocations would leave more in use than there is capacity, and more than now.',
    retryable: false,
  },
  {
    code: 'RESHAPE_REFUSED',
    meaning: 'The final state would break rules of inventories or allocations; all that is wrong is listed.',
    retryable: false,
  },
  {
    code: 'RESHAPE_NEEDED',
    meaning:
      'Inventories or providers in use would vanish, and the input does not say where their allocations go.',
    retryable: false,
  },
  {
    code: 'NO_CANDIDATES',
    meaning: 'There is no place that the request fits into, for all consumers together.',
    retryable: false,
  },
  {
    code: 'CONCURRENT_UPDATE',
    meaning:
      'Rival writes, or a fail-over of the database, kept winning until the server gave up; nothing was changed.',
    retryable: true,
  },
] as const satisfies readonly VocabularyEntry[];

export type ErrorCode = (typeof VOCABULARY)[number]['code'];

export type EntityKind = 'RESOURCE_PROVIDER' | 'INVENTORY' | 'CONSUMER' | 'TRAIT' | 'RESOURCE_CLASS';

/** A refusal of the ledger: the transaction was rolled back and nothing was changed. */
export abstract class DomainError extends Error {
  abstract readonly code: ErrorCode;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  get retryable(): boolean {
    return VOCABULARY.some((entry) => entry.code === this.code && entry.retryable);
  }
}

/**
 * The vocabulary's entry for a refusal, {@link InvalidInput} of the engine included; null for any other error,
 * which is a bug or a failure below.
 */
export function entryOf(error: unknown): (typeof VOCABULARY)[number] | null {
  const code =
    error instanceof InvalidInput ? 'INVALID_INPUT' : error instanceof DomainError ? error.code : null;
  return VOCABULARY.find((entry) => entry.code === code) ?? null;
}

export class NotFound extends DomainError {
  readonly code = 'NOT_FOUND';
  /** `key` is the uuid of a provider; the name of a trait, of a resource class or of an inventory's class. */
  constructor(
    readonly entity: EntityKind,
    readonly key: string,
    message = `${entity.toLowerCase().replace('_', ' ')} ${key} does not exist`,
  ) {
    super(message);
  }
}

export class DuplicateName extends DomainError {
  readonly code = 'DUPLICATE_NAME';
  constructor(
    /** The name asked for. */
    override readonly name: string,
    holder: { readonly uuid: string; readonly name: string },
  ) {
    super(
      holder.name === name
        ? `resource provider ${holder.uuid} has the name "${name}" already`
        : `resource provider ${holder.uuid} has the name "${holder.name}", which the database takes for the same as "${name}"`,
    );
  }
}

export class DuplicateUuid extends DomainError {
  readonly code = 'DUPLICATE_UUID';
  constructor(readonly uuid: string) {
    super(`resource provider ${uuid} exists already`);
  }
}

export class StandardIsImmutable extends DomainError {
  readonly code = 'STANDARD_IS_IMMUTABLE';
  constructor(override readonly name: string) {
    super(`${name} is a standard name: only names with the prefix CUSTOM_ can be deleted`);
  }
}

export class IllegalReparent extends DomainError {
  readonly code = 'ILLEGAL_REPARENT';
  constructor(
    readonly resourceProviderUuid: string,
    parentUuid: string,
  ) {
    super(
      `resource provider ${resourceProviderUuid} cannot be moved under ${parentUuid}, which is itself or below it`,
    );
  }
}

export class ProviderGenerationConflict extends DomainError {
  readonly code = 'PROVIDER_GENERATION_CONFLICT';
  /** Null stands for a provider that is absent, or expected to be. */
  constructor(
    readonly resourceProviderUuid: string,
    readonly expectedGeneration: number | null,
    readonly currentGeneration: number | null,
  ) {
    const [expected, current] = [expectedGeneration, currentGeneration].map((value) => value ?? 'none');
    super(`resource provider ${resourceProviderUuid} has the generation ${current}, not ${expected}`);
  }
}

export class ConsumerGenerationConflict extends DomainError {
  readonly code = 'CONSUMER_GENERATION_CONFLICT';
  /** Null stands for a consumer that is absent, or expected to be. */
  constructor(
    readonly consumerUuid: string,
    readonly expectedGeneration: number | null,
    readonly currentGeneration: number | null,
  ) {
    const expected = expectedGeneration === null ? 'to be absent' : `at the generation ${expectedGeneration}`;
    const current = currentGeneration === null ? 'does not exist' : `has the generation ${currentGeneration}`;
    super(`consumer ${consumerUuid} ${current}, but was expected ${expected}`);
  }
}

export class ProviderHasChildren extends DomainError {
  readonly code = 'PROVIDER_HAS_CHILDREN';
  constructor(readonly resourceProviderUuid: string) {
    super(`resource provider ${resourceProviderUuid} has children`);
  }
}

export class ProviderInUse extends DomainError {
  readonly code = 'PROVIDER_IN_USE';
  constructor(readonly resourceProviderUuid: string) {
    super(`resource provider ${resourceProviderUuid} has allocations`);
  }
}

export class TraitInUse extends DomainError {
  readonly code = 'TRAIT_IN_USE';
  constructor(override readonly name: string) {
    super(`trait ${name} is set on at least one resource provider`);
  }
}

export class ResourceClassInUse extends DomainError {
  readonly code = 'RESOURCE_CLASS_IN_USE';
  constructor(override readonly name: string) {
    super(`at least one resource provider has an inventory of ${name}`);
  }
}

export class InventoryInUse extends DomainError {
  readonly code = 'INVENTORY_IN_USE';
  constructor(
    readonly resourceProviderUuid: string,
    readonly resourceClassName: string,
  ) {
    super(
      `the inventory of ${resourceClassName} of resource provider ${resourceProviderUuid} has allocations`,
    );
  }
}

export class NoInventory extends DomainError {
  readonly code = 'NO_INVENTORY';
  constructor(
    readonly resourceProviderUuid: string,
    readonly resourceClassName: string,
  ) {
    super(`resource provider ${resourceProviderUuid} has no inventory of ${resourceClassName}`);
  }
}

export class UnitViolation extends DomainError {
  readonly code = 'UNIT_VIOLATION';
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  constructor(
    readonly resourceProviderUuid: string,
    readonly resourceClassName: string,
    readonly requested: number,
    units: { readonly minUnit: number; readonly maxUnit: number; readonly stepSize: number },
  ) {
    const { minUnit, maxUnit, stepSize } = units;
    super(
      `resource provider ${resourceProviderUuid} gives ${resourceClassName} from ${minUnit} to ${maxUnit} ` +
        `in steps of ${stepSize}, not ${requested}`,
    );
    this.minUnit = minUnit;
    this.maxUnit = maxUnit;
    this.stepSize = stepSize;
  }
}

export class CapacityExceeded extends DomainError {
  readonly code = 'CAPACITY_EXCEEDED';
  /** `requested` is the sum of the whole request, `used` what consumers that it does not name have. */
  constructor(
    readonly resourceProviderUuid: string,
    readonly resourceClassName: string,
    readonly requested: number,
    readonly capacity: number,
    readonly used: number,
  ) {
    super(
      `resource provider ${resourceProviderUuid} has ${capacity} of ${resourceClassName}, others use ${used}, ` +
        `so there is no room for ${requested}`,
    );
  }
}

/** One thing that is wrong with the final state of a reshape, and whose allocation shows it. */
export interface ReshapeViolation {
  readonly refusal: InventoryInUse | NoInventory | UnitViolation | CapacityExceeded | ProviderInUse;
  readonly consumer: string;
}

export class ReshapeRefused extends DomainError {
  readonly code = 'RESHAPE_REFUSED';
  constructor(readonly violations: readonly ReshapeViolation[]) {
    const [first] = violations;
    super(`the final state is refused for ${violations.length} reasons; the first: ${first.refusal.message}`);
  }
}

export class ReshapeNeeded extends DomainError {
  readonly code = 'RESHAPE_NEEDED';
  /** The uuids of the consumers whose allocations stand in the way. */
  constructor(readonly consumers: readonly string[]) {
    super(
      `inventories or providers in use would vanish: say what becomes of the allocations of ${consumers.length} consumers`,
    );
  }
}

export class NoCandidates extends DomainError {
  readonly code = 'NO_CANDIDATES';
  constructor(
    /** Where nothing was found, and what was looked for. */
    readonly searched: { readonly snapshot: Snapshot; readonly request: CandidatesRequest },
    count: number,
    /** False where ways to place the consumers together were left untried. */
    isProven: boolean,
  ) {
    super(
      isProven
        ? `nothing fits the request${count === 1 ? '' : ` for ${count} consumers together`}`
        : `no way to place ${count} consumers together was found with the effort that is allowed`,
    );
  }
}

export class ConcurrentUpdate extends DomainError {
  readonly code = 'CONCURRENT_UPDATE';
  constructor(patience: number, cause: unknown) {
    super(`rival writes kept winning for ${patience / 1000} s: nothing was changed`, { cause });
  }
}
