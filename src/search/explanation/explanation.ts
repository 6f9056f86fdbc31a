import { distinctSets, type CandidatesRequest } from '../../model/request.js';
import type { Effort } from '../../model/operation/waiting.js';
import { distinctSubtrees, planRequest, planWithUnknowns } from '../plan.js';
import { treeOf, type Snapshot } from '../../fleet/snapshot.js';
import { withoutAllocations } from '../overlay/snapshotOverlay.js';
import { linkedSharingProviders } from '../anchor.js';
import { finishedSearch } from '../candidateSearch.js';
import { Combination } from './combination.js';
import { combinationDetails, counted, groupDetails, groupNamed } from './details.js';
import type { Elimination } from './funnel.js';
import { GroupCounter } from './groups.js';

/** The constraints that removed providers, or trees, for one group alone. */
export interface GroupExplanation {
  readonly suffix: string;
  /** The number of providers for a granular group, of trees for the unsuffixed group. */
  readonly considered: number;
  readonly eliminations: readonly Elimination[];
  readonly remaining: number;
}

export interface CandidateExplanation {
  /** Whether the request without its relations to consumers has a candidate in the fleet without allocations. */
  readonly satisfiableWhenEmpty: boolean;
  readonly groups: readonly GroupExplanation[];
  readonly combination: readonly Elimination[];
  /** The number of trees that `excludedRootTraits` excludes. */
  readonly excludedRoots: number;
  readonly summary: string;
}

/**
 * Checks every provider for every granular group, and every tree for the unsuffixed group and for
 * the groups together, in one pass. Counts the first constraint that each violates. The remaining
 * trees have a candidate. Costs as much as a search that visits every tree. Yields when the effort
 * is used up.
 */
export function* explain(
  snapshot: Snapshot,
  stated: CandidatesRequest,
  effort: Effort,
): Generator<void, CandidateExplanation> {
  const request = withoutRepetitions(stated);
  const plan = planWithUnknowns(snapshot, request);
  const counters = request.groups.map(
    (group, at) => new GroupCounter(snapshot, plan, request, group, plan.groups[at], effort),
  );
  const combination = new Combination(snapshot, plan, request, effort);
  for (let treeIndex = 0; treeIndex < snapshot.treeCount; treeIndex++) {
    const tree = treeOf(snapshot, treeIndex);
    if (tree.start === tree.end) continue;
    if (effort.isUsedUp) yield;
    if (plan.trees.excluded.has(treeIndex)) {
      for (const counter of counters) counter.countExcluded(tree);
      combination.funnel.count('NOT_IN_TREES');
      continue;
    }
    const sharingProviders = linkedSharingProviders(snapshot, plan, tree);
    const served: boolean[] = [];
    for (const counter of counters) {
      effort.providersExamined += tree.end - tree.start;
      if (effort.isUsedUp) yield;
      served.push(yield* counter.count(tree, sharingProviders));
    }
    yield* combination.count(tree, served);
  }
  const hasCandidates = combination.funnel.remaining > 0;
  // If an amount may be split, a provider that can hold all of it when empty must take it, and may lack a trait.
  const fitsAllTheMore = hasCandidates && request.groups.every(({ canSplit }) => canSplit.length === 0);
  const satisfiableWhenEmpty = fitsAllTheMore || (yield* isSatisfiableWhenEmpty(snapshot, request, effort));
  const groups = counters.map((counter) => {
    const { considered, remaining } = counter.funnel;
    const eliminations = counter.funnel.eliminations(groupDetails(snapshot, request, counter));
    return { suffix: counter.requested.suffix, considered, eliminations, remaining };
  });
  const eliminations = combination.funnel.eliminations(combinationDetails(snapshot, request, combination));
  const elsewhere = combination.servingElsewhere.eliminations(
    combinationDetails(
      snapshot,
      request,
      combination,
      groups.length > 1 ? 'trees that can serve every group' : 'trees that can serve the group',
    ),
  );
  const whenEmpty = textWhenEmpty(request, satisfiableWhenEmpty);
  const summary = summaryOf(groups, eliminations, elsewhere, combination, whenEmpty);
  const excludedRoots = plan.trees.excludedRoots.size;
  return { satisfiableWhenEmpty, groups, combination: eliminations, excludedRoots, summary };
}

/**
 * Returns the constraint that removed the last trees. If trees remain, returns their number and the
 * constraint that removed most of the other trees.
 *
 * @param elsewhere the constraints that removed the trees that can serve every group, before the groups were checked
 */
function summaryOf(
  groups: readonly GroupExplanation[],
  combination: readonly Elimination[],
  elsewhere: readonly Elimination[],
  { treesServing, funnel }: Combination,
  whenEmpty: string,
): string {
  if (funnel.considered === 0) return `There are no providers; ${whenEmpty}.`;
  const { remaining } = combination[combination.length - 1];
  if (remaining > 0) {
    const fits = `${counted(remaining)} of ${counted(funnel.considered)} trees can take the request`;
    const scarcest = groups[treesServing.indexOf(Math.min(...treesServing))];
    const most = combination.reduce((one, other) => (other.eliminated > one.eliminated ? other : one));
    if (most.eliminated === 0) return `${fits}.`;
    const reason = most.constraint === 'TREE_LACKS_GROUP' ? reasonOf(groups, scarcest) : most.detail;
    return `${fits}; ${reason}.`;
  }
  const unserved = groups.find((group) => group.remaining === 0);
  if (unserved !== undefined) return `${reasonOf(groups, unserved)}; ${whenEmpty}.`;
  const last = combination.find((entry) => entry.remaining === 0)!;
  const isElsewhere = last.constraint === 'TREE_LACKS_GROUP' && elsewhere.length > 0;
  const reasons = isElsewhere ? elsewhere : [last];
  return `Each group can be served by itself, but ${reasons.map(({ detail }) => detail).join('; ')}; ${whenEmpty}.`;
}

/** Without allocations the request is away from every consumer, but near none. */
function textWhenEmpty({ nearConsumers }: CandidatesRequest, isSatisfiable: boolean): string {
  const apart = isSatisfiable && nearConsumers.length > 0 ? 'apart from nearConsumers, ' : '';
  return `${apart}it would ${isSatisfiable ? 'fit' : 'not fit even'} if nothing were allocated`;
}

/** Describes the last constraint of a group that removed anything, and the constraint before it. */
function reasonOf(groups: readonly GroupExplanation[], { suffix, eliminations }: GroupExplanation): string {
  const last = eliminations.findLastIndex(({ eliminated }) => eliminated > 0);
  const details = eliminations.slice(Math.max(0, last - 1), last + 1).map(({ detail }) => detail);
  return `${details.join('; ')}${groups.length > 1 ? ` (${groupNamed(suffix)})` : ''}`;
}

/** Omits equal conditions, as the plan of the request does. */
function withoutRepetitions(request: CandidatesRequest): CandidatesRequest {
  return {
    ...request,
    groups: request.groups.map((group) => ({
      ...group,
      requiredTraits: distinctSets(group.requiredTraits),
      memberOf: distinctSets(group.memberOf),
    })),
    sameSubtree: distinctSubtrees(request.sameSubtree),
    rootRequiredTraits: distinctSets(request.rootRequiredTraits),
    rootMemberOf: distinctSets(request.rootMemberOf),
  };
}

function* isSatisfiableWhenEmpty(
  snapshot: Snapshot,
  request: CandidatesRequest,
  effort: Effort,
): Generator<void, boolean> {
  const plan = planRequest(snapshot, { ...request, awayFromConsumers: [], nearConsumers: [] });
  if (plan === null) return false;
  const empty = withoutAllocations(snapshot);
  for (const { index, ids } of empty.blocks) {
    // Reading `index.classes` builds the index. The search would build all of them without a yield.
    effort.otherWork += (index.classes.size * ids.length) >> 4;
    if (effort.isUsedUp) yield;
  }
  const options = { limit: 1, seed: 0, stopsAtLimit: true };
  const { candidates } = yield* finishedSearch(empty, { ...plan, orderBy: [] }, options, effort);
  return candidates.length > 0;
}
