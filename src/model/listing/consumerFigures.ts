import type { Placed, SortBounds } from './orderedPage.js';

export const CONSUMER_ORDER_FIELDS = [
  'age',
  'updatedAt',
  'expiresAt',
  'projectId',
  'userId',
  'type',
  'used',
] as const;

export type ConsumerOrderField = (typeof CONSUMER_ORDER_FIELDS)[number];

export interface ConsumerKey {
  readonly field: ConsumerOrderField;
  /** The resource class of `used`; null for the other fields. */
  readonly classId: number | null;
  readonly isDescending: boolean;
}

/** A filter of consumers. All given conditions must hold. */
export interface ConsumerCondition {
  readonly projectId?: string | null;
  readonly userId?: string | null;
  /** The name of a type. Null selects untyped consumers. Undefined selects all types. */
  readonly consumerType?: string | null;
  /** Selects consumers with an allocation of this class. Null means any. */
  readonly classId?: number | null;
  readonly ids?: ReadonlySet<number> | null;
  /** Selects other consumers than these. */
  readonly exceptIds?: ReadonlySet<number>;
}

/** The consumers of each of these projects, users or types that match a condition. */
export interface ConsumersOfOwners {
  readonly owner: ConsumerOwner;
  readonly names: readonly string[];
  readonly condition: ConsumerCondition;
}

/** Returns the classes whose uses a list needs. */
export function classesOf(condition: ConsumerCondition, keys: readonly ConsumerKey[]): number[] {
  return [condition, ...keys].flatMap(({ classId }) => classId ?? []);
}

/** All consumers of the fleet with their use. Each method is one pass over all of them, or over those of `ids`. */
export interface ConsumerFigures {
  /**
   * Returns one page of the ids of the matching consumers, in reading order. Consumers with equal
   * keys are ordered by age. Consumers without a key's value come last.
   */
  page(condition: ConsumerCondition, keys: readonly ConsumerKey[], bounds: SortBounds): Placed<number>[];
  /** Returns such a page of each owner, in one pass. */
  pages(owners: ConsumersOfOwners, keys: readonly ConsumerKey[], bounds: SortBounds): Placed<number>[][];
  count(condition: ConsumerCondition): number;
  /** Returns the number of consumers of each project, user or type, by its name. */
  countsOf(owner: ConsumerOwner): ReadonlyMap<string, number>;
  /** Returns the use of a resource class by each project, user or type, by its name. */
  usesOf(owner: ConsumerOwner, classId: number): ReadonlyMap<string, number>;
}

export type ConsumerOwner = 'projectId' | 'userId' | 'consumerType';

/** Provides the consumers for lists. */
export interface ConsumerFiguresSource {
  /**
   * Returns the consumers with their uses of these classes, after every transaction that a server process
   * committed before the call. The object changes in place: read it without an await in between. A load
   * ends if the signals of all callers have aborted.
   *
   * @throws MemoryExceeded if the fleet has too many consumers
   */
  current(classIds: readonly number[], signal?: AbortSignal): Promise<ConsumerFigures>;
  /** Makes the next `current` read these consumers again, because they differ from the database. */
  reread(ids: Iterable<number>): void;
}
