import type { CandidateOrder } from '../../model/request.js';
import type { Names, Snapshot } from '../../fleet/snapshot.js';
import { knownIds, UNKNOWN } from '../clauses.js';
import { sharesOfAggregates } from './terms/aggregateShare.js';

/** A term of the order. Larger values come first with direction 1, smaller ones with -1. */
export type PlannedOrder = PlannedTerm & {
  /** The positions of the term in `orderBy` of the request. Only the first one can decide. */
  readonly positions: readonly number[];
};

type PlannedTerm =
  | PlannedFreeShare
  | PlannedPreference
  | PlannedStranding
  | { readonly kind: 'FEWEST_PROVIDERS'; readonly direction: -1 }
  /** The number of listed consumers by tree index; omits trees without any. */
  | { readonly kind: 'NEAR'; readonly direction: 1; readonly trees: ReadonlyMap<number, number> }
  | PlannedAggregateShare;

/** The free share of a class in the aggregates of a tree before the claim, by tree index. */
export interface PlannedAggregateShare {
  readonly kind: 'AGGREGATE_SHARE';
  /** 1 for SPREAD, -1 for PACK. */
  readonly direction: 1 | -1;
  readonly trees: ReadonlyMap<number, number>;
}

/** Returns the value of a tree by an order that is the same for all its candidates. Others come last. */
export function valueOfTree(
  { kind, direction, trees }: Extract<PlannedTerm, { readonly trees: unknown }>,
  treeIndex: number | undefined,
): number {
  const last = kind === 'AGGREGATE_SHARE' && direction < 0 ? 1 : 0;
  return treeIndex === undefined ? last : (trees.get(treeIndex) ?? last);
}

export interface PlannedFreeShare {
  readonly kind: 'FREE_SHARE';
  readonly resourceClass: number;
  /** 1 for SPREAD, -1 for PACK. */
  readonly direction: 1 | -1;
}

export interface PlannedStranding {
  readonly kind: 'STRANDING';
  readonly direction: -1;
  /** By class. If omitted, what a unit consumes of counters in sum. */
  readonly weights: ReadonlyMap<number, number>;
  /** The classes of the request, whose units do not count. */
  readonly requested: ReadonlySet<number>;
}

export interface PlannedPreference {
  readonly kind: 'TRAITS' | 'AGGREGATES';
  readonly direction: 1;
  readonly ids: readonly number[];
  readonly weights: readonly number[];
  /** The position of each id. */
  readonly positionOf: ReadonlyMap<number, number>;
}

/**
 * Plans a term of an order.
 *
 * @param treesOf returns the trees of consumers
 */
export function planOrder(
  snapshot: Snapshot,
  { freeShare, leastStranding, preferTraits, preferAggregates, nearConsumers }: CandidateOrder,
  variables: readonly { readonly resources: readonly { readonly resourceClass: number }[] }[],
  treesOf: (consumers: readonly string[]) => ReadonlySet<number>,
): PlannedTerm {
  const { classes, traits, aggregates } = snapshot;
  if (freeShare) {
    const resourceClass = classes.idOf(freeShare.resourceClass) ?? UNKNOWN;
    const direction = freeShare.strategy === 'SPREAD' ? 1 : -1;
    const ids = knownIds(aggregates, freeShare.aggregates ?? []);
    if (!freeShare.aggregates?.length) return { kind: 'FREE_SHARE', resourceClass, direction };
    const trees = sharesOfAggregates(snapshot, resourceClass, ids, direction);
    return { kind: 'AGGREGATE_SHARE', direction, trees };
  }
  if (leastStranding)
    return {
      kind: 'STRANDING',
      direction: -1,
      weights: new Map(
        leastStranding.weights.map((each) => [classes.idOf(each.resourceClass) ?? UNKNOWN, each.weight]),
      ),
      requested: new Set(variables.flatMap(({ resources }) => resources.map((each) => each.resourceClass))),
    };
  if (preferTraits) return preference('TRAITS', traits, preferTraits, ({ trait }) => trait);
  if (preferAggregates)
    return preference('AGGREGATES', aggregates, preferAggregates, ({ aggregate }) => aggregate);
  if (!nearConsumers) return { kind: 'FEWEST_PROVIDERS', direction: -1 };
  const trees = new Map<number, number>();
  for (const consumer of nearConsumers)
    for (const tree of treesOf([consumer])) trees.set(tree, (trees.get(tree) ?? 0) + 1);
  return { kind: 'NEAR', direction: 1, trees };
}

function preference<T extends { readonly weight: number }>(
  kind: PlannedPreference['kind'],
  names: Names,
  preferences: readonly T[],
  nameOf: (preference: T) => string,
): PlannedPreference {
  const known = preferences.filter((each) => names.idOf(nameOf(each)) !== undefined);
  const ids = known.map((each) => names.idOf(nameOf(each))!);
  const positionOf = new Map(ids.map((id, position) => [id, position]));
  return { kind, direction: 1, ids, weights: known.map(({ weight }) => weight), positionOf };
}
