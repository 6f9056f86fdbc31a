import { InvalidInput } from '../../model/input.js';
import { LONGEST_LIST, validateAlternatives, validateTraits } from '../../model/request.js';
import { NamedSets } from '../clauses.js';
import { treeIndexOf, type ProviderRef, type Snapshot } from '../../fleet/snapshot.js';
import { FleetMap, type FleetMapGroup } from './fleetMap.js';
import { Totals, type Total, type TotalsPlan, WHOLE_FLEET } from './totals.js';
import { classIdIn, currentSnapshot, namesKnownIn, type SnapshotSource } from '../candidateSearch.js';
import type { SortBounds } from '../../model/listing/orderedPage.js';
import type { Operation } from '../../model/operation/operation.js';
import { resultInSlices, SLICE } from '../timeSlices.js';

export const COST_OF_PASS = 10_000;

export interface TotalsFilter {
  readonly inTree?: string | null;
  /** The inner lists are alternatives. */
  readonly memberOf?: readonly (readonly string[])[];
  readonly requiredTraits?: readonly (readonly string[])[];
  readonly resourceClass?: string | null;
}

type TotalsArrangement = Pick<TotalsPlan, 'grouping' | 'orderBy'>;

/** One page of rows in reading order, and the number of all rows. */
export type TotalsPage = Pick<Totals, 'placedRows' | 'count'>;

/**
 * Adds up the current snapshot in time slices. Keeps one page of rows.
 *
 * @throws InvalidInput for a filter that decisions D7 or D12 reject
 */
export async function addUpTotals(
  snapshots: SnapshotSource,
  { filter, ...arrangement }: { readonly filter: TotalsFilter } & TotalsArrangement,
  bounds: SortBounds,
  operation: Operation,
): Promise<TotalsPage> {
  const snapshot = await currentSnapshot(snapshots, operation);
  const plan = planTotals(snapshot, filter, arrangement);
  if (plan === null) return { placedRows: [], count: 0 };
  return addUp(new Totals(snapshot, plan, bounds), operation);
}

async function addUp(totals: Totals, operation: Operation): Promise<Totals> {
  await operation.run(() => totals.run(SLICE));
  return totals;
}

/** Adds up a snapshot by resource class, without some trees. */
export async function totalsOf(
  snapshot: Snapshot,
  except: ReadonlySet<number>,
  operation: Operation,
): Promise<readonly Total[]> {
  return (await addUp(new Totals(snapshot, { ...WHOLE_FLEET, except }), operation)).rows;
}

/** Returns null if no provider can match. */
function planTotals(
  snapshot: Snapshot,
  filter: TotalsFilter,
  arrangement: TotalsArrangement,
): TotalsPlan | null {
  const { inTree, memberOf = [], requiredTraits = [], resourceClass } = filter;
  validateAlternatives(memberOf, ['filter', 'memberOf']);
  validateTraits(
    { required: requiredTraits, forbidden: [] },
    { required: ['filter', 'requiredTraits'], forbidden: [] },
    namesKnownIn(snapshot),
  );
  const path = ['filter', 'resourceClass'];
  const classId = resourceClass == null ? null : classIdIn(snapshot, resourceClass, path);
  const provider = inTree == null ? null : snapshot.locate(inTree);
  if (provider === undefined) return null;
  return {
    ...arrangement,
    tree: provider && treeIndexOf(provider),
    memberOf: new NamedSets(snapshot.aggregates).clausesOf(memberOf),
    requiredTraits: new NamedSets(snapshot.traits).clausesOf(requiredTraits),
    resourceClass: classId,
  };
}

/** Adds up the tree of a provider for one class; null: all classes. */
export function totalsOfTree(
  snapshot: Snapshot,
  provider: ProviderRef,
  resourceClass: string | null,
): readonly Total[] {
  const classId = resourceClass === null ? null : classIdIn(snapshot, resourceClass, ['resourceClass']);
  const tree = treeIndexOf(provider);
  const totals = new Totals(snapshot, { ...WHOLE_FLEET, grouping: 'TREE', tree, resourceClass: classId });
  totals.run(Infinity);
  return totals.rows;
}

/**
 * Returns the trees of these providers. [] means all trees.
 *
 * @throws InvalidInput for an unknown class or a long list
 */
export async function fleetMapOf(
  snapshots: SnapshotSource,
  { resourceClass, inTrees }: { readonly resourceClass: string; readonly inTrees: readonly string[] },
  operation: Operation,
): Promise<FleetMap> {
  if (inTrees.length > LONGEST_LIST)
    throw new InvalidInput(['inTrees'], `these are ${inTrees.length} providers: at most ${LONGEST_LIST}`);
  const snapshot = await currentSnapshot(snapshots, operation);
  const classId = classIdIn(snapshot, resourceClass, ['resourceClass']);
  const providers = inTrees.flatMap((uuid) => snapshot.locate(uuid) ?? []);
  const trees = inTrees.length === 0 ? null : [...new Set(providers.map(treeIndexOf))];
  return resultInSlices((effort) => FleetMap.of(snapshot, classId, trees, effort), operation);
}

export function aggregatesOfMap(map: FleetMap, operation: Operation): Promise<readonly FleetMapGroup[]> {
  return resultInSlices((effort) => map.aggregates(effort), operation);
}

/** @throws InvalidInput for an unknown or repeated trait */
export function traitsOfMap(
  map: FleetMap,
  names: readonly string[],
  operation: Operation,
): Promise<readonly FleetMapGroup[]> {
  return resultInSlices((effort) => map.traits(names, effort), operation);
}
