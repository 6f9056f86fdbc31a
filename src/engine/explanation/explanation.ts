import type { Effort } from '../model/effort.js';
import { planRequest, planWithUnknowns, type Plan } from '../model/plan.js';
import type { CandidatesRequest } from '../model/request.js';
import { treeOf, type Snapshot, type Tree } from '../model/snapshot.js';
import { withoutAllocations } from '../overlay/unallocatedOverlay.js';
import type { AnchorProvider } from '../model/candidate.js';
import { linkedSharingProviders } from '../search/anchor.js';
import { Search } from '../search/search.js';
import { Combination } from './combination.js';
import { combinationDetails } from './combinationDetails.js';
import type { Elimination } from './funnel.js';
import { GranularGroup } from './granularGroup.js';
import { groupsOf, type ExplainedGroup, type GroupExplanation } from './group.js';
import { groupDetails } from './groupDetails.js';
import { summaryOf } from './summary.js';
import { UnsuffixedGroup } from './unsuffixedGroup.js';

/** Explains how many candidates a request has. */
export interface CandidateExplanation {
  /** Whether there would be a candidate if nothing were allocated at all. */
  readonly satisfiableWhenEmpty: boolean;
  readonly groups: readonly GroupExplanation[];
  readonly combination: readonly Elimination[];
  readonly summary: string;
}

/** Work between two yields in the search of the fleet without allocations. */
const WORK_PER_RUN = 2_000;

/**
 * Checks every provider of the fleet for every granular group, every tree for the unsuffixed group and for
 * the groups together, and counts which constraint each violates first, in one pass; the trees that are left
 * at the end give a candidate. Costs about as much as a search that visits every tree. Yields when the effort
 * is used up.
 */
export function* explain(
  snapshot: Snapshot,
  request: CandidatesRequest,
  effort: Effort,
): Generator<void, CandidateExplanation> {
  const plan = planWithUnknowns(snapshot, request);
  const groups = groupsOf(snapshot, request, plan);
  const counters = groups.map((group) =>
    group.planned.isGranular ? new GranularGroup(group) : new UnsuffixedGroup(snapshot, plan, group, effort),
  );
  const combination = new Combination(snapshot, plan, request, effort);
  for (const tree of treesOf(snapshot)) {
    if (effort.isUsedUp) yield;
    if (plan.trees.excluded.has(tree.treeIndex)) {
      for (const counter of [...counters, combination]) counter.countExcluded(tree);
      continue;
    }
    effort.providersExamined += (tree.end - tree.start) * groups.length;
    const sharingProviders = sharingProvidersOf(snapshot, plan, tree);
    const served: boolean[] = [];
    for (const counter of counters) {
      served.push(
        counter instanceof GranularGroup
          ? counter.count(tree, sharingProviders)
          : yield* counter.count(tree, sharingProviders),
      );
    }
    yield* combination.count(tree, served);
  }
  const hasCandidates = combination.funnel.remaining > 0;
  const satisfiableWhenEmpty =
    (hasCandidates && fitsAllTheMore(request)) || (yield* isSatisfiableWhenEmpty(snapshot, request, effort));
  const explanations = groups.map(groupExplanation);
  const eliminations = combination.funnel.eliminations(
    combinationDetails(request, groups[0].nameOf, combination),
  );
  const summary = summaryOf(request, explanations, eliminations, combination, satisfiableWhenEmpty);
  return { satisfiableWhenEmpty, groups: explanations, combination: eliminations, summary };
}

function groupExplanation(group: ExplainedGroup): GroupExplanation {
  const { considered, remaining } = group.funnel;
  const eliminations = group.funnel.eliminations(groupDetails(group));
  return { suffix: group.requested.suffix, considered, eliminations, remaining };
}

/**
 * Whether a candidate now implies a candidate in the fleet without allocations. This is false for an amount that
 * may be split: one provider that can then hold all of it must, and may lack a trait that the others have.
 */
function fitsAllTheMore({ groups }: CandidatesRequest): boolean {
  return groups.every(({ canSplit }) => canSplit.length === 0);
}

function* isSatisfiableWhenEmpty(
  snapshot: Snapshot,
  request: CandidatesRequest,
  effort: Effort,
): Generator<void, boolean> {
  const plan = planRequest(snapshot, request);
  if (plan === null) return false;
  const empty = withoutAllocations(snapshot);
  for (const { index, ids } of empty.blocks) {
    // Reading `index.classes` builds the index. The search would build all of them without a yield.
    effort.otherWork += (index.classes.size * ids.length) >> 4;
    if (effort.isUsedUp) yield;
  }
  const search = new Search(empty, plan, { limit: 1, roundRobin: true, seed: 0 });
  while (search.candidates.length === 0 && !search.run(WORK_PER_RUN)) yield;
  return search.candidates.length > 0;
}

function* treesOf(snapshot: Snapshot): Generator<Tree, void> {
  for (let treeIndex = 0; treeIndex < snapshot.treeCount; treeIndex++) {
    const tree = treeOf(snapshot, treeIndex);
    if (tree.start < tree.end) yield tree;
  }
}

function sharingProvidersOf(snapshot: Snapshot, plan: Plan, tree: Tree): AnchorProvider[] {
  const { block, start, end } = tree;
  const isInAggregate = block.aggregateStarts[start] < block.aggregateStarts[end];
  return isInAggregate ? linkedSharingProviders(snapshot, plan, tree) : [];
}
