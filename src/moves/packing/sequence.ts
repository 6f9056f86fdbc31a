import { allocationsOf, anchorTreeOf, type Candidate } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import { mix } from '../../model/collections.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { searchFor } from '../../search/candidateSearch.js';
import { orderOf } from '../../search/ordered/terms/order.js';
import { valuesOf } from '../../search/ordered/terms/values.js';
import { AllocatedOverlay } from '../../search/overlay/snapshotOverlay.js';
import { finished } from '../../search/search.js';
import { TreeFilter } from '../../search/treeFilter.js';

export interface SequenceOptions {
  readonly count: number;
  readonly isDistinct: boolean;
  readonly seed: number;
}

/** The effort for each consumer besides its search. */
const EFFORT_EACH = 10;

/**
 * Finds candidates for several equal consumers one after another. Each candidate is the first
 * result of a search in which the earlier candidates count as used. Returns fewer than `count` if the
 * next consumer has no candidate. Deterministic; yields when the effort is used up.
 */
export function* sequenceOf(
  snapshot: Snapshot,
  plan: Plan,
  { count, isDistinct, seed }: SequenceOptions,
  effort: Effort,
): Generator<void, Candidate[]> {
  const overlay = new AllocatedOverlay(snapshot);
  const usedTrees = new Set<number>();
  const filter = new TreeFilter(overlay, plan, isDistinct ? usedTrees : undefined);
  const order = orderOf(plan, filter);
  const candidates: Candidate[] = [];
  while (candidates.length < count) {
    const at = candidates.length;
    const options = { limit: 1, stopsAtLimit: true, seed: at === 0 ? seed : mix(seed, at), filter, order };
    const search = searchFor(overlay, plan, options);
    yield* finished(search, effort);
    effort.otherWork += EFFORT_EACH;
    const [candidate] = search.candidates;
    if (candidate === undefined) break;
    const tree = anchorTreeOf(candidate);
    if (isDistinct && tree === null) break;
    if (tree !== null) usedTrees.add(tree);
    candidates.push({ ...candidate, values: valuesOf(plan, candidate) });
    overlay.allocateAll(allocationsOf(plan, candidate));
  }
  return candidates;
}
