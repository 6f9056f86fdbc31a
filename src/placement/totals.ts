import { InvalidInput } from '../domain/invalidInput.js';
import { validateAlternatives, validateTraits } from '../domain/providerConditions.js';
import { treeIndexOf, type Snapshot } from '../engine/model/snapshot.js';
import {
  Totals,
  type Total,
  type TotalKey,
  type TotalsGrouping,
  type TotalsPlan,
} from '../engine/totals/totals.js';
import { currentSnapshot, namesKnownIn, type SnapshotSource } from './candidateSearch.js';
import type { Operation } from '../runtime/operation.js';
import { SLICE } from './timeSlices.js';

/** Which providers to add up: all given conditions must hold. */
export interface TotalsFilter {
  readonly inTree?: string | null;
  /** In each of the inner lists alternatives. */
  readonly memberOf?: readonly (readonly string[])[];
  readonly requiredTraits?: readonly (readonly string[])[];
  readonly resourceClass?: string | null;
}

export interface TotalsPage {
  /** In order. */
  readonly rows: readonly Total[];
  /** How many rows there are on all pages. */
  readonly count: number;
}

/**
 * Adds up the current snapshot, in turns of the operation. Keeps the first rows behind a place.
 *
 * @throws InvalidInput for what decisions D7 and D12 reject in a filter
 */
export async function addUpTotals(
  snapshots: SnapshotSource,
  { filter, grouping }: { readonly filter: TotalsFilter; readonly grouping: TotalsGrouping | null },
  page: { readonly after: TotalKey | null; readonly limit: number },
  operation: Operation,
): Promise<TotalsPage> {
  const snapshot = await currentSnapshot(snapshots, operation);
  const plan = planTotals(snapshot, filter, grouping);
  if (plan === null) return { rows: [], count: 0 };
  const totals = new Totals(snapshot, plan, page);
  await operation.run(() => totals.run(SLICE));
  return totals;
}

/** Null where nothing can count. */
function planTotals(
  snapshot: Snapshot,
  filter: TotalsFilter,
  grouping: TotalsGrouping | null,
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
    throw new InvalidInput(
      ['filter', 'resourceClass'],
      `resource class ${JSON.stringify(resourceClass.slice(0, 60))} is unknown`,
    );
  }
  const provider = inTree == null ? null : snapshot.locate(inTree);
  if (provider === undefined) return null;
  return {
    grouping,
    tree: provider && treeIndexOf(provider),
    memberOf: memberOf.map((uuids) => uuids.flatMap((uuid) => snapshot.aggregates.idOf(uuid) ?? [])),
    requiredTraits: requiredTraits.map((names) => names.map((name) => snapshot.traits.idOf(name)!)),
    resourceClass: resourceClass == null ? null : snapshot.classes.idOf(resourceClass)!,
  };
}
