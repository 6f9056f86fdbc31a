import { Descent } from '../search/descent.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import { TreeFilter } from '../search/treeFilter.js';
import { hasAnyTrait, isMemberOfAll, isMemberOfAny } from '../model/providerChecks.js';
import type { Plan } from '../model/plan.js';
import { anchorAt, type Anchor } from '../search/anchor.js';
import type { CandidatesRequest } from '../model/request.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Tree } from './group.js';
import { COMBINATION_CONSTRAINTS, Tally, type CombinationConstraint } from './tally.js';

/** Work spent on one tree to tell which constraint it was that left no choice. */
const MOST_WORK = 100_000;

/** The plan with a constraint and those before it, and without those after it. */
interface Step {
  readonly constraint: CombinationConstraint;
  readonly plan: Plan;
}

/** What removes trees once each group was judged by itself: first what the root lacks, at last how the groups get along. */
export class Combination {
  readonly tally: Tally<CombinationConstraint>;
  /** By group, in how many trees whose root is right somebody can serve it. */
  readonly served: number[];
  /** Trees without a choice for which the work ended before it showed why: the last constraint is named. */
  undecided = 0;

  /** The last constraint of those on several groups that the request has. */
  readonly last: CombinationConstraint | undefined;

  private readonly filter: TreeFilter;
  private readonly steps: readonly Step[];

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    request: CandidatesRequest,
    private readonly effort: Effort,
  ) {
    this.filter = new TreeFilter(snapshot, plan);
    this.steps = stepsOf(plan, request);
    this.last = this.steps.at(-1)?.constraint;
    this.tally = new Tally(COMBINATION_CONSTRAINTS, constraintsAsked(plan, this.steps));
    this.served = plan.groups.map(() => 0);
  }

  /** Counts a tree, of which is known which groups somebody can serve. */
  *look(tree: Tree, served: readonly boolean[]): Generator<void, void> {
    const atRoot = this.obstacleAtRoot(tree);
    if (atRoot === null) served.forEach((isServed, at) => (this.served[at] += Number(isServed)));
    const lacks = served.every(Boolean) ? null : 'TREE_LACKS_GROUP';
    this.tally.count(atRoot ?? lacks ?? (yield* this.obstacleTogether(tree.slot)));
  }

  private obstacleAtRoot({ block, start }: Tree): CombinationConstraint | null {
    const { requiredTraits, forbiddenTraits, memberOf, forbiddenAggregates } = this.plan.root;
    if (!requiredTraits.every((set) => hasAnyTrait(block, start, set))) return 'ROOT_TRAITS';
    if (hasAnyTrait(block, start, forbiddenTraits)) return 'ROOT_TRAITS';
    const isRight =
      isMemberOfAll(block, start, memberOf) && !isMemberOfAny(block, start, forbiddenAggregates);
    return isRight ? null : 'ROOT_AGGREGATES';
  }

  /** Where groups have nothing to do with each other, each by itself is enough. */
  private *obstacleTogether(treeIndex: number): Generator<void, CombinationConstraint | null> {
    if (this.last === undefined) return null;
    this.effort.treesVisited++;
    const anchor = anchorAt(this.snapshot, this.plan, this.filter, treeIndex, 0)!;
    if (yield* this.hasChoice(this.plan, anchor, Infinity)) return null;
    for (const { constraint, plan } of this.steps.slice(0, -1)) {
      const has = yield* this.hasChoice(plan, anchor, MOST_WORK);
      if (has === undefined) break;
      if (!has) return constraint;
    }
    return this.last;
  }

  /** Whether a tree leaves any choice; undefined when the work ended first. */
  private *hasChoice(plan: Plan, anchor: Anchor, most: number): Generator<void, boolean | undefined> {
    const descent = new Descent(plan, anchor, this.effort);
    const before = this.effort.spent;
    for (;;) {
      const choice = descent.next();
      if (choice !== PAUSED) return choice !== EXHAUSTED;
      if (this.effort.spent - before > most) {
        this.undecided++;
        return undefined;
      }
      yield;
    }
  }
}

function stepsOf(plan: Plan, { groupPolicy }: CandidatesRequest): Step[] {
  const steps: Step[] = [];
  if (plan.isolation !== null) {
    const constraint = groupPolicy === 'ISOLATE' ? 'GROUP_POLICY' : 'ISOLATE';
    steps.push({ constraint, plan: { ...plan, sameSubtree: [], mergedClasses: [] } });
  }
  if (plan.sameSubtree.length > 0)
    steps.push({ constraint: 'SAME_SUBTREE', plan: { ...plan, mergedClasses: [] } });
  if (plan.mergedClasses.length > 0) steps.push({ constraint: 'MERGED_AMOUNT', plan });
  return steps;
}

/** Whether each tree has somebody for every group is always told: it leads from the groups to the trees. */
function constraintsAsked({ root }: Plan, steps: readonly Step[]): Set<CombinationConstraint> {
  const asked = new Set<CombinationConstraint>([
    'TREE_LACKS_GROUP',
    ...steps.map(({ constraint }) => constraint),
  ]);
  if (root.requiredTraits.length + root.forbiddenTraits.length > 0) asked.add('ROOT_TRAITS');
  if (root.memberOf.length + root.forbiddenAggregates.length > 0) asked.add('ROOT_AGGREGATES');
  return asked;
}
