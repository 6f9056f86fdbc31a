import type { Effort } from '../model/effort.js';
import { planWithUnknowns, planRequest, type Plan } from '../model/plan.js';
import type { AnchorProvider } from '../model/candidate.js';
import { linkedSharingProviders } from '../search/anchor.js';
import type { CandidatesRequest } from '../model/request.js';
import { Search } from '../search/search.js';
import { blockOf, type Snapshot } from '../model/snapshot.js';
import { Combination } from './combination.js';
import { withoutAllocations } from '../overlay/unallocatedOverlay.js';
import { GranularGroup } from './granularGroup.js';
import { groupsOf, type Tree } from './group.js';
import { SpreadGroup } from './spreadGroup.js';
import type { Elimination } from './tally.js';
import { combinationDetails, groupDetails, summaryOf } from './words.js';

/** Why a request has the candidates that it has, and no more. */
export interface CandidateExplanation {
  /** Whether there would be a candidate if nothing were allocated at all. */
  readonly satisfiableWhenEmpty: boolean;
  readonly groups: readonly GroupExplanation[];
  readonly combination: readonly Elimination[];
  readonly summary: string;
}

export interface GroupExplanation {
  readonly suffix: string;
  /** Providers for a granular group, trees for the unsuffixed one. */
  readonly considered: number;
  readonly eliminations: readonly Elimination[];
  readonly remaining: number;
}

export type JudgedGroup = GranularGroup | SpreadGroup;

/** Work in the emptied fleet between two pauses. */
const PIECE = 2_000;

/**
 * Judges every provider of the fleet for every granular group, every tree for the unsuffixed group and for the groups
 * together, and counts which constraint each meets first: one pass. Costs about as much as a search that visits
 * every tree. What is left at the end are the trees that give a candidate. It stops at each `yield` when the effort is used up, to go
 * on when more is allowed.
 */
export function* explain(
  snapshot: Snapshot,
  request: CandidatesRequest,
  effort: Effort,
): Generator<void, CandidateExplanation> {
  const plan = planWithUnknowns(snapshot, request);
  const judged = groupsOf(snapshot, request, plan).map((group) =>
    group.planned.isGranular ? new GranularGroup(group) : new SpreadGroup(snapshot, plan, group, effort),
  );
  const combination = new Combination(snapshot, plan, request, effort);
  for (const tree of treesOf(snapshot)) {
    if (effort.isUsedUp) yield;
    effort.providersExamined += (tree.end - tree.start) * judged.length;
    const sharingProviders = sharersOf(snapshot, tree);
    const served: boolean[] = [];
    for (const group of judged) {
      served.push(
        group instanceof GranularGroup
          ? group.look(tree, sharingProviders)
          : yield* group.look(tree, sharingProviders),
      );
    }
    yield* combination.look(tree, served);
  }
  const satisfiableWhenEmpty = yield* canBeMetWhenEmpty(snapshot, request);
  const groups = judged.map((group) => groupExplanation(group));
  const eliminations = combination.tally.eliminations(combinationDetails(request, combination));
  const summary = summaryOf(request, groups, eliminations, combination, satisfiableWhenEmpty);
  return { satisfiableWhenEmpty, groups, combination: eliminations, summary };
}

function groupExplanation(judged: JudgedGroup): GroupExplanation {
  const { tally, group } = judged;
  const eliminations = tally.eliminations(groupDetails(judged));
  return {
    suffix: group.asked.suffix,
    considered: tally.considered,
    eliminations,
    remaining: tally.remaining,
  };
}

function* canBeMetWhenEmpty(snapshot: Snapshot, request: CandidatesRequest): Generator<void, boolean> {
  const plan: Plan | null = planRequest(snapshot, request);
  if (plan === null) return false;
  const search = new Search(withoutAllocations(snapshot), plan, { limit: 1, roundRobin: true, seed: 0 });
  while (search.candidates.length === 0 && !search.run(PIECE)) yield;
  return search.candidates.length > 0;
}

function* treesOf(snapshot: Snapshot): Generator<Tree, void> {
  for (let treeIndex = 0; treeIndex < snapshot.treeCount; treeIndex++) {
    const block = blockOf(snapshot, treeIndex);
    const start = block.treeStarts[treeIndex - block.firstTree];
    const end = block.treeStarts[treeIndex - block.firstTree + 1];
    if (start < end) yield { slot: treeIndex, block, start, end };
  }
}

function sharersOf(snapshot: Snapshot, { block, start, end, slot: treeIndex }: Tree): AnchorProvider[] {
  const isLinked = block.aggregateStarts[start] < block.aggregateStarts[end];
  return isLinked ? linkedSharingProviders(snapshot, block, start, end, treeIndex) : [];
}
