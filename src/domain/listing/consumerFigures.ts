import type { Placed } from './orderedPage.js';
import type { SortBounds } from './sortKeys.js';

/** Which consumers are wanted, by ids. All given conditions must hold. */
export interface ConsumerCondition {
  readonly projectId?: number;
  readonly userId?: number;
  /** Null: untyped. */
  readonly typeId?: number | null;
  /** Those with an allocation of it. */
  readonly classId?: number;
}

/** A key of an order: what is used of a class, or the age. */
export interface ConsumerKey {
  /** Null: by age. */
  readonly classId: number | null;
  readonly isDescending: boolean;
}

/** Whose consumers are added up. */
export type ConsumerOwner = 'projectId' | 'userId';

/** What is asked of all consumers at once, by ids alone. Each answer is a pass over all of them. */
export interface ConsumerFigures {
  /**
   * One page of the ids of the consumers that match a condition, ordered by what they use, and those that are alike by age: in the
   * direction of reading. Those that have nothing of a class come last.
   */
  page(condition: ConsumerCondition, keys: readonly ConsumerKey[], bounds: SortBounds): Placed<number>[];
  /** How many consumers match a condition. */
  count(condition: ConsumerCondition): number;
  /** How many consumers each project or user has, by its id. */
  countsOf(owner: ConsumerOwner): ReadonlyMap<number, number>;
  /** How much of a class the consumers of each project or user have, by its id. */
  usesOf(owner: ConsumerOwner, classId: number): ReadonlyMap<number, number>;
}

/** Where lists get them. */
export interface ConsumerFiguresSource {
  /** Sees every transaction that a server process committed before the call. To be read without a pause: it changes. */
  current(): Promise<ConsumerFigures>;
  /** Makes `current` read these consumers again: they are not in the database as they were told. */
  reread(ids: Iterable<number>): void;
}
