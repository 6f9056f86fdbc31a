import { validateOrder, type OrderEntry } from '../../model/listing/listOrder.js';
import { type ResourceAmount, validateFilter, type ProviderFilter } from '../../model/request.js';
import type { Placed, SortBounds } from '../../model/listing/orderedPage.js';
import {
  ProviderListing,
  ProviderScan,
  type ListingPlan,
  type ProviderConditions,
} from './providerListing.js';
import type { PlannedKey, ProviderOrderField } from './providerOrder.js';
import { NamedSets } from '../clauses.js';
import type { PlannedAmount } from '../plan.js';
import { treeIndexOf, type ProviderRef, type Snapshot } from '../../fleet/snapshot.js';
import type { Operation } from '../../model/operation/operation.js';
import { currentSnapshot, namesKnownIn, type SnapshotSource } from '../candidateSearch.js';
import { SLICE } from '../timeSlices.js';

export type ProviderOrder = OrderEntry<ProviderOrderField>;

/** One page of a list with its snapshot. */
export interface ProviderPage {
  readonly snapshot: Snapshot;
  /** The rows in reading order. */
  readonly rows: readonly Placed<ProviderRef>[];
  /** Counts the whole list in the same snapshot, in one pass. */
  readonly count: () => Promise<number>;
}

/**
 * Lists providers of the current snapshot, ordered by `orderBy` and uuid, or by name.
 *
 * @throws InvalidInput for a filter or an order that decisions D7 or D12 reject
 */
export async function listFromSnapshot(
  snapshots: SnapshotSource,
  filter: ProviderFilter,
  orderBy: readonly ProviderOrder[],
  bounds: SortBounds,
  operation: Operation,
): Promise<ProviderPage> {
  const snapshot = await snapshotFor(snapshots, filter, operation);
  validateOrder(orderBy, (name) => namesKnownIn(snapshot).hasClass(name));
  const plan = planListing(snapshot, filter, orderBy);
  const listing = new ProviderListing(snapshot, plan, bounds);
  await operation.run(() => listing.run(SLICE));
  return {
    snapshot,
    rows: listing.rows,
    async count() {
      let count = 0;
      const scan = new ProviderScan(snapshot, plan.conditions, () => count++);
      await operation.run(() => scan.run(SLICE));
      return count;
    },
  };
}

/**
 * Returns all providers of the current snapshot that match, in the order of their ids: a parent comes before the
 * children that were created below it.
 *
 * @throws InvalidInput for a filter that decision D7 rejects
 */
export async function allFromSnapshot(
  snapshots: SnapshotSource,
  filter: ProviderFilter,
  operation: Operation,
): Promise<{ readonly snapshot: Snapshot; readonly providers: readonly ProviderRef[] }> {
  const snapshot = await snapshotFor(snapshots, filter, operation);
  const found: ProviderRef[] = [];
  const scan = new ProviderScan(snapshot, conditionsIn(snapshot, filter), (block, row) =>
    found.push({ block, row }),
  );
  await operation.run(() => scan.run(SLICE));
  const idOf = ({ block, row }: ProviderRef): number => block.ids[row];
  return { snapshot, providers: found.sort((one, other) => idOf(one) - idOf(other)) };
}

/** Returns the current snapshot, in which all names of the filter are known. */
async function snapshotFor(
  snapshots: SnapshotSource,
  filter: ProviderFilter,
  operation: Operation,
): Promise<Snapshot> {
  const snapshot = await currentSnapshot(snapshots, operation);
  // a filter may name a counter, which no provider offers
  validateFilter(filter, { ...namesKnownIn(snapshot), isCounter: undefined });
  return snapshot;
}

function planListing(
  snapshot: Snapshot,
  filter: ProviderFilter,
  orderBy: readonly ProviderOrder[],
): ListingPlan {
  const keyOf = ({ field, resourceClass: name }: ProviderOrder) =>
    ({ field, resourceClass: name == null ? null : snapshot.classes.idOf(name)! }) as PlannedKey;
  const last: PlannedKey = { field: orderBy.length === 0 ? 'name' : 'uuid', resourceClass: null };
  return {
    conditions: conditionsIn(snapshot, filter),
    keys: [...orderBy.map(keyOf), last],
    directions: [...orderBy.map(({ direction }) => direction === 'DESC'), false],
  };
}

function conditionsIn(snapshot: Snapshot, filter: ProviderFilter): ProviderConditions {
  const { requiredTraits = [], forbiddenTraits = [], memberOf = [], forbiddenAggregates = [] } = filter;
  const { hasTraitInTree = [], memberOfInTree = [], resources = [], resourcesInTree = [] } = filter;
  const [traits, aggregates] = [new NamedSets(snapshot.traits), new NamedSets(snapshot.aggregates)];
  const amounts = (wanted: readonly ResourceAmount[]): PlannedAmount[] =>
    wanted.map(({ resourceClass, amount }) => ({
      resourceClass: snapshot.classes.idOf(resourceClass)!,
      amount,
    }));
  return {
    name: filter.name ?? null,
    nameContains: filter.nameContains ?? '',
    nameStartsWith: filter.nameStartsWith ?? '',
    ...placesIn(snapshot, filter),
    rootsOnly: filter.rootsOnly ?? false,
    own: {
      requiredTraits: traits.clausesOf(requiredTraits),
      forbiddenTraits: traits.setOf(forbiddenTraits),
      memberOf: aggregates.clausesOf(memberOf),
      forbiddenAggregates: aggregates.setOf(forbiddenAggregates),
    },
    resources: amounts(resources),
    inTree: {
      traits: traits.clausesOf(hasTraitInTree),
      aggregates: aggregates.clausesOf(memberOfInTree),
      resources: amounts(resourcesInTree),
    },
  };
}

function placesIn(
  snapshot: Snapshot,
  { uuid, uuidIn, inTree }: ProviderFilter,
): Pick<ProviderConditions, 'uuids' | 'trees'> {
  const treesOf = (uuids: Iterable<string>) =>
    new Set(
      Array.from(uuids).flatMap((each) => {
        const found = snapshot.locate(each);
        return found === undefined ? [] : [treeIndexOf(found)];
      }),
    );
  let uuids = uuidIn == null ? null : new Set(uuidIn);
  if (uuid != null) uuids = new Set(uuids === null || uuids.has(uuid) ? [uuid] : []);
  let trees = uuids && treesOf(uuids);
  if (inTree != null) {
    const only = treesOf([inTree]);
    trees = trees === null ? only : new Set([...trees].filter((tree) => only.has(tree)));
  }
  return { uuids, trees };
}
