import type { Placed, SortBounds } from './orderedPage.js';

export const CONSUMER_ORDER_FIELDS = ['age', 'updatedAt', 'projectId', 'userId', 'type', 'used'] as const;

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
}

/** All consumers of the fleet with their use. Each method is one pass over all of them, or over those of `ids`. */
export interface ConsumerFigures {
  /**
   * Returns one page of the ids of the matching consumers, in reading order. Consumers with equal
   * keys are ordered by age. Consumers without a key's value come last.
   */
  page(condition: ConsumerCondition, keys: readonly ConsumerKey[], bounds: SortBounds): Placed<number>[];
  count(condition: ConsumerCondition): number;
  /** Returns the number of consumers of each project or user, by its external id. */
  countsOf(owner: ConsumerOwner): ReadonlyMap<string, number>;
  /** Returns the use of a resource class by each project or user, by its external id. */
  usesOf(owner: ConsumerOwner, classId: number): ReadonlyMap<string, number>;
}

export type ConsumerOwner = 'projectId' | 'userId';

/** Provides the consumers for lists. */
export interface ConsumerFiguresSource {
  /**
   * Returns the consumers after every transaction that a server process committed before the call. The
   * object changes in place: read it without an await in between.
   */
  current(): Promise<ConsumerFigures>;
  /** Makes the next `current` read these consumers again, because they differ from the database. */
  reread(ids: Iterable<number>): void;
}
