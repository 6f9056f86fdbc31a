import { InvalidInput, unknownName } from '../domain/invalidInput.js';
import { LONGEST_LIST, validateAlternatives, validateTraits } from '../domain/providerConditions.js';
import { treeIndexOf, type ProviderRef, type Snapshot } from '../engine/model/snapshot.js';
import type { FleetMap } from '../engine/totals/fleetMap.js';
import { Totals, type Total, type TotalsPlan } from '../engine/totals/totals.js';
import { currentSnapshot, namesKnownIn, type SnapshotSource } from './candidateSearch.js';
import type { Placed, SortBounds } from '../domain/listing/orderedPage.js';
import type { Operation } from '../runtime/operation.js';
import { SLICE } from './timeSlices.js';

/** What a pass over the whole fleet in memory counts as. */
export const COST_OF_PASS = 10_000;

/** Which providers to add up: all given conditions must hold. */
export interface TotalsFilter {
  readonly inTree?: string | null;
  /** In each of the inner lists alternatives. */
  readonly memberOf?: readonly (readonly string[])[];
  readonly requiredTraits?: readonly (readonly string[])[];
  readonly resourceClass?: string | null;
}

/** How the rows are told apart, and in which order they come. */
type TotalsArrangement = Pick<TotalsPlan, 'grouping' | 'orderBy'>;

export interface TotalsPage {
  /** In the direction of reading. */
  readonly placedRows: readonly Placed<Total>[];
  /** How many rows there are on all pages. */
  readonly count: number;
}

/**
 * Adds up the current snapshot, in turns of the operation. Keeps the rows of one page.
 *
 * @throws InvalidInput for what decisions D7 and D12 reject in a filter
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
  const totals = new Totals(snapshot, plan, bounds);
  await operation.run(() => totals.run(SLICE));
  return totals;
}

/** Adds up a snapshot by resource class, without one tree if asked, in turns of the operation. */
export async function totalsOf(
  snapshot: Snapshot,
  except: number | null,
  operation: Operation,
): Promise<readonly Total[]> {
  const plan = { grouping: null, tree: null, except, memberOf: [], requiredTraits: [], resourceClass: null };
  const totals = new Totals(snapshot, plan, { after: null, limit: Infinity });
  await operation.run(() => totals.run(SLICE));
  return totals.rows;
}

/** Null where nothing can count. */
function planTotals(
  snapshot: Snapshot,
  filter: TotalsFilter,
  arrangement: TotalsArrangement,
): TotalsPlan | null {
  const { inTree, memberOf = [], requiredTraits = [], resourceClass } = filter;
  const known = namesKnownIn(snapshot);
  validateAlternatives(memberOf, ['filter', 'memberOf']);
  validateTraits(
    { required: requiredTraits, forbidden: [] },
    { required: ['filter', 'requiredTraits'], forbidden: [] },
    known,
  );
  if (resourceClass != null && !known.hasClass(resourceClass)) {
    throw unknownName('resource class', resourceClass, ['filter', 'resourceClass']);
  }
  const provider = inTree == null ? null : snapshot.locate(inTree);
  if (provider === undefined) return null;
  return {
    ...arrangement,
    tree: provider && treeIndexOf(provider),
    memberOf: memberOf.map((uuids) => uuids.flatMap((uuid) => snapshot.aggregates.idOf(uuid) ?? [])),
    requiredTraits: requiredTraits.map((names) => names.map((name) => snapshot.traits.idOf(name)!)),
    resourceClass: resourceClass == null ? null : snapshot.classes.idOf(resourceClass)!,
  };
}

/** What the tree of a provider offers and has in use, by the name of the class; null: of every class. */
export function totalsOfTree(
  snapshot: Snapshot,
  provider: ProviderRef,
  resourceClass: string | null,
): readonly Total[] {
  const classId = resourceClass === null ? null : snapshot.classes.idOf(resourceClass);
  if (classId === undefined) throw unknownName('resource class', resourceClass!, ['resourceClass']);
  const totals = new Totals(
    snapshot,
    {
      ...{ grouping: 'TREE', tree: treeIndexOf(provider), resourceClass: classId },
      ...{ memberOf: [], requiredTraits: [] },
    },
    { limit: Infinity },
  );
  totals.run(Infinity);
  return totals.rows;
}

/**
 * The trees of the current snapshot: those that some providers are in, or without such all of them.
 *
 * @throws InvalidInput for an unknown class, and for a list that is too long
 */
export async function fleetMapOf(
  snapshots: SnapshotSource,
  { resourceClass, inTrees }: { readonly resourceClass: string; readonly inTrees: readonly string[] },
  operation: Operation,
): Promise<FleetMap> {
  if (inTrees.length > LONGEST_LIST)
    throw new InvalidInput(['inTrees'], `these are ${inTrees.length} providers: at most ${LONGEST_LIST}`);
  const snapshot = await currentSnapshot(snapshots, operation);
  if (!namesKnownIn(snapshot).hasClass(resourceClass))
    throw unknownName('resource class', resourceClass, ['resourceClass']);
  const trees =
    inTrees.length === 0
      ? await totalsByTree(snapshot, resourceClass, operation)
      : totalsOfTrees(snapshot, inTrees, resourceClass);
  return { snapshot, trees };
}

function totalsOfTrees(
  snapshot: Snapshot,
  uuids: readonly string[],
  resourceClass: string,
): readonly Total[] {
  const providers = uuids.flatMap((uuid) => snapshot.locate(uuid) ?? []);
  const byTree = new Map(providers.map((provider) => [treeIndexOf(provider), provider]));
  const totals = Array.from(byTree.values(), (provider) => totalsOfTree(snapshot, provider, resourceClass));
  return totals.flat();
}

/** What each tree offers, and has in use, of one class, by the name of the root, in turns of the operation. */
async function totalsByTree(
  snapshot: Snapshot,
  resourceClass: string,
  operation: Operation,
): Promise<readonly Total[]> {
  const plan = planTotals(snapshot, { resourceClass }, { grouping: 'TREE' })!;
  const totals = new Totals(snapshot, plan, { after: null, limit: Infinity });
  await operation.run(() => totals.run(SLICE));
  return totals.rows;
}
