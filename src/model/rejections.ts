import { InvalidInput } from './input.js';

/**
 * The rejection of a write. Its transaction was rolled back, and nothing was changed. REJECTIONS (`errors.ts`) states
 * the rest of each code.
 */
export abstract class DomainError extends Error {
  abstract readonly code: string;
  /** The path of the input value that caused the rejection, as in {@link InvalidInput}; [] if none did. */
  path: readonly string[] = [];

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

export type EntityKind =
  | 'RESOURCE_PROVIDER'
  | 'INVENTORY'
  | 'CONSUMER'
  | 'HOLD'
  | 'TRAIT'
  | 'RESOURCE_CLASS'
  | 'AGGREGATE';

export class NotFound extends DomainError {
  readonly code = 'NOT_FOUND';
  /** `key` is a uuid (of a hold, that of its consumer), or the name of a trait, of a resource class or of an inventory's class. */
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
    /** The requested name. */
    readonly providerName: string,
    holder: { readonly uuid: string; readonly name: string },
    what: 'resource provider' | 'aggregate' = 'resource provider',
  ) {
    super(
      holder.name === providerName
        ? `${what} ${holder.uuid} has the name "${providerName}" already`
        : `${what} ${holder.uuid} has the name "${holder.name}", ` +
            `which equals "${providerName}" in the collation of the database`,
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
  constructor(readonly standardName: string) {
    super(`${standardName} is a standard name: only names with the prefix CUSTOM_ can be deleted`);
  }
}

export class IllegalReparent extends DomainError {
  readonly code = 'ILLEGAL_REPARENT';
  /** @param isFixed whether the write allows no other parent than the current one; otherwise the move is a loop */
  constructor(
    readonly resourceProviderUuid: string,
    readonly parentUuid: string | null,
    readonly isFixed = false,
  ) {
    super(
      isFixed
        ? `resource provider ${resourceProviderUuid} has a parent, which this write may not change`
        : `resource provider ${resourceProviderUuid} cannot be moved under ${parentUuid}, which is itself or below it`,
    );
  }
}

export class ProviderGenerationConflict extends DomainError {
  readonly code = 'PROVIDER_GENERATION_CONFLICT';
  /** Null means that the provider does not exist, or was expected not to exist. */
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
  /** Null means that the consumer does not exist, or was expected not to exist. */
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
  static readonly MAX_CHILDREN = 10;
  readonly code = 'PROVIDER_HAS_CHILDREN';
  constructor(
    readonly resourceProviderUuid: string,
    /** The first children by name: at most MAX_CHILDREN. */
    readonly children: readonly { readonly uuid: string; readonly name: string }[],
    readonly childCount: number,
  ) {
    const names = children.map(({ name }) => `"${name}"`);
    super(`resource provider ${resourceProviderUuid} has children: ${listed(names, childCount)}`);
  }
}

/** The consumers whose allocations prevent a write. */
export interface Users {
  readonly count: number;
  /** The uuids of the consumers with the oldest allocations: at most MAX_USERS. */
  readonly first: readonly string[];
}

export class ProviderInUse extends DomainError {
  static readonly MAX_USERS = 10;
  readonly code = 'PROVIDER_IN_USE';
  constructor(
    readonly resourceProviderUuid: string,
    readonly users = UNSTATED,
  ) {
    super(`resource provider ${resourceProviderUuid} has allocations${consumersOf(users)}`);
  }
}

/** The users of a violation of a reshape, which names its consumer itself. */
const UNSTATED: Users = { count: 0, first: [] };

function consumersOf({ first, count }: Users): string {
  return count === 0 ? '' : ` of ${count === 1 ? 'consumer' : 'consumers'} ${listed(first, count)}`;
}

function listed(names: readonly string[], count: number): string {
  const rest = count - names.length;
  return `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

export class TraitInUse extends DomainError {
  readonly code = 'TRAIT_IN_USE';
  constructor(readonly traitName: string) {
    super(`trait ${traitName} is set on at least one resource provider`);
  }
}

export class ResourceClassInUse extends DomainError {
  readonly code = 'RESOURCE_CLASS_IN_USE';
  constructor(readonly resourceClassName: string) {
    super(`at least one resource provider has an inventory of ${resourceClassName}`);
  }
}

export class AggregateInUse extends DomainError {
  readonly code = 'AGGREGATE_IN_USE';
  constructor(
    readonly aggregateUuid: string,
    /** The first providers in the aggregate. */
    readonly resourceProviderUuids: readonly string[],
  ) {
    super(`aggregate ${aggregateUuid} contains resource providers: ${resourceProviderUuids.join(', ')}`);
  }
}

export class InventoryInUse extends DomainError {
  readonly code = 'INVENTORY_IN_USE';
  /** The first of `resourceClassNames`. */
  readonly resourceClassName: string;
  constructor(
    readonly resourceProviderUuid: string,
    /** The classes of the inventories that have allocations. Contains at least one class. */
    readonly resourceClassNames: readonly string[],
    readonly users = UNSTATED,
  ) {
    const names = resourceClassNames.join(', ');
    const [what, have] = resourceClassNames.length === 1 ? ['inventory', 'has'] : ['inventories', 'have'];
    super(
      `the ${what} of ${names} of resource provider ${resourceProviderUuid} ${have} allocations` +
        consumersOf(users),
    );
    this.resourceClassName = resourceClassNames[0];
  }
}

/** Why a consumption cannot change. */
const CONSUMPTION_REASONS = {
  INVENTORY_USED: 'the inventory has allocations, so only a reshape can change its consumption',
  COUNTER_USED: 'the counter has allocations of its own, which only a reshape can replace',
  COUNTER_NEEDED: 'the inventory consumes the counter, so the counter must stay',
} as const;

/** The consumption of an inventory in use would change, or a counter that an inventory consumes would go. */
export class ConsumptionInUse extends DomainError {
  readonly code = 'CONSUMPTION_IN_USE';
  constructor(
    readonly resourceProviderUuid: string,
    readonly resourceClassName: string,
    readonly counterProviderUuid: string,
    readonly counterClassName: string,
    readonly reason: keyof typeof CONSUMPTION_REASONS,
  ) {
    super(
      `inventory of ${resourceClassName} of resource provider ${resourceProviderUuid} and counter ${counterClassName} ` +
        `of resource provider ${counterProviderUuid}: ${CONSUMPTION_REASONS[reason]}`,
    );
  }
}

/** An inventory to create exists already. INVALID_INPUT: only REST can state such an edit. */
export class InventoryExists extends InvalidInput {
  constructor(
    readonly resourceProviderUuid: string,
    readonly resourceClassName: string,
    path: readonly string[],
  ) {
    super(path, `resource provider ${resourceProviderUuid} has an inventory of ${resourceClassName} already`);
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
  constructor(
    readonly resourceProviderUuid: string,
    readonly resourceClassName: string,
    readonly requested: number,
    readonly minUnit: number,
    readonly maxUnit: number,
    readonly stepSize: number,
  ) {
    super(
      `resource provider ${resourceProviderUuid} gives ${resourceClassName} from ${minUnit} to ${maxUnit} ` +
        `in steps of ${stepSize}, not ${requested}`,
    );
  }
}

export class CapacityExceeded extends DomainError {
  readonly code = 'CAPACITY_EXCEEDED';
  /** `requested` is the sum of the whole request. `used` is the usage by all other consumers. */
  constructor(
    readonly resourceProviderUuid: string,
    readonly resourceClassName: string,
    readonly requested: number,
    readonly capacity: number,
    readonly used: number,
  ) {
    super(
      `resource provider ${resourceProviderUuid} has ${capacity} of ${resourceClassName}, others use ${used}, ` +
        `so ${requested} do not fit`,
    );
  }
}

export class QuotaExceeded extends DomainError {
  readonly code = 'QUOTA_EXCEEDED';
  constructor(
    /** The class of the limit. Null: the number of consumers. */
    readonly resourceClassName: string | null,
    readonly limit: number,
    /** The counted usage before the write. */
    readonly used: number,
    /** By how much the write would raise the usage. */
    readonly asked: number,
    /** The project with the limit. Null: the limit is that of a group. */
    readonly projectId: string | null,
    readonly group: string | null,
  ) {
    const owner = group === null ? `project ${projectId}` : `the group ${group}`;
    const what = resourceClassName ?? 'consumers';
    super(`the quota of ${owner} is ${limit} ${what}, ${used} are in use, so ${asked} more do not fit`);
  }
}

/** A rule that the final state of a reshape breaks, and the consumer of the allocation concerned. */
export interface ReshapeViolation {
  readonly rejection: InventoryInUse | NoInventory | UnitViolation | CapacityExceeded | ProviderInUse;
  readonly consumer: string;
}

export class ReshapeRefused extends DomainError {
  readonly code = 'RESHAPE_REFUSED';
  /** @param count the number of all violations, which `violations` may begin */
  constructor(
    readonly violations: readonly ReshapeViolation[],
    count = violations.length,
  ) {
    const [first] = violations;
    super(`the final state has ${count} violations; the first: ${first.rejection.message}`);
  }
}

export class ReshapeNeeded extends DomainError {
  static readonly MAX_LISTED = 1000;
  readonly code = 'RESHAPE_NEEDED';
  /** The uuids of the consumers whose allocations prevent the write: at most MAX_LISTED. */
  readonly consumers: readonly string[];
  constructor(consumers: readonly string[]) {
    const max = ReshapeNeeded.MAX_LISTED;
    const count = consumers.length > max ? `more than ${max}` : consumers.length;
    super(`inventories or providers in use would be removed: include the allocations of ${count} consumers`);
    this.consumers = consumers.slice(0, max);
  }
}

/** A part of a provider that two owners claim. */
export interface ClaimedPart {
  readonly providerName: string;
  readonly resourceProviderUuid: string;
  /** The part for people, such as "the trait CUSTOM_GOLD". */
  readonly part: string;
  readonly otherOwner: string;
}

export class OwnedByAnother extends DomainError {
  readonly code = 'OWNED_BY_ANOTHER';
  readonly otherOwner: string;
  readonly resourceProviderUuid: string;
  /** @param count the number of all parts of the input that other owners have */
  constructor(
    readonly owner: string,
    first: ClaimedPart,
    count: number,
  ) {
    const { providerName, part, otherOwner, resourceProviderUuid } = first;
    const more = count === 1 ? '' : `, and ${count - 1} more parts have other owners`;
    super(`${owner} and ${otherOwner} both claim ${part} of resource provider "${providerName}"${more}`);
    this.otherOwner = otherOwner;
    this.resourceProviderUuid = resourceProviderUuid;
  }
}

/** A process of version 1.0 writes to the database, and does not know a feature that the write would be the first to use. */
export class OlderServer extends DomainError {
  readonly code = 'OLDER_SERVER';
  constructor(
    /** The feature in the plural, such as "holds". */
    readonly feature: string,
    /** The processes, each with its machine. */
    readonly servers: readonly string[],
  ) {
    super(
      `${feature} need servers later than 1.0, and these of version 1.0 write to the database: ${servers.join(', ')}; ` +
        'upgrade or stop them first',
    );
  }
}

export class ConcurrentUpdate extends DomainError {
  readonly code = 'CONCURRENT_UPDATE';
  constructor(retryBudget: number, cause: unknown) {
    super(`other writes caused conflicts for ${retryBudget / 1000} s: nothing was changed`, { cause });
  }
}
