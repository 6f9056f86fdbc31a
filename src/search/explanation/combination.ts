import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../plan.js';
import { conditionViolation, TreeFilter } from '../treeFilter.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot, Tree } from '../../fleet/snapshot.js';
import { anchorAt, type Anchor } from '../anchor.js';
import { mayMeet } from '../counters.js';
import { firstChoice } from '../descent.js';
import { COMBINATION_CONSTRAINTS, EliminationFunnel, type CombinationConstraint } from './funnel.js';

/** The maximum work of one check on a tree, to find the constraint that leaves no candidate. */
const MAX_WORK = 100_000;

/** The work of an ordinary check, and the maximum work of all checks beyond it. */
const ORDINARY_WORK = 500;
const MAX_FURTHER_WORK = 1_000_000;

interface Step {
  readonly constraint: CombinationConstraint;
  readonly plan: Plan;
}

/** Counts the first constraint that each tree violates: anchor before group constraints. */
export class Combination {
  readonly funnel: EliminationFunnel<CombinationConstraint>;
  /** By group: how many of the possible anchor trees can serve the group. */
  readonly treesServing: number[];
  /** Of the trees that can serve every group alone, those that the conditions on anchors remove. */
  readonly servingElsewhere = new EliminationFunnel<CombinationConstraint>(
    COMBINATION_CONSTRAINTS,
    new Set(),
  );
  /** The number of trees whose check exceeded the maximum work. They count for the last constraint. */
  undecided = 0;
  /** The last constraint of the request between groups; undefined without any. */
  readonly last: CombinationConstraint | undefined;

  private furtherWork = MAX_FURTHER_WORK;
  private readonly filter: TreeFilter;
  private readonly steps: readonly Step[];

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    request: CandidatesRequest,
    private readonly effort: Effort,
  ) {
    this.filter = new TreeFilter(snapshot, plan);
    const hasCounters = snapshot.blocks.some(({ consumption }) => consumption !== null);
    this.steps = stepsOf(plan, request, hasCounters && mayMeet(plan.variables));
    this.last = this.steps.at(-1)?.constraint;
    this.funnel = new EliminationFunnel(COMBINATION_CONSTRAINTS, constraintsOf(request, plan, this.steps));
    this.treesServing = plan.groups.map(() => 0);
  }

  /** Counts a tree. `served`: by group, whether the tree can serve the group alone. */
  *count(tree: Tree, served: readonly boolean[]): Generator<void, void> {
    const atRoot = this.anchorViolation(tree);
    if (atRoot === null) served.forEach((isServed, at) => (this.treesServing[at] += Number(isServed)));
    const lacks = served.every(Boolean) ? null : 'TREE_LACKS_GROUP';
    if (atRoot !== null && lacks === null) this.servingElsewhere.count(atRoot);
    this.funnel.count(atRoot ?? lacks ?? (yield* this.violationBetweenGroups(tree.treeIndex)));
  }

  private anchorViolation({ treeIndex, block, start }: Tree): CombinationConstraint | null {
    const { away, near, excludedRoots } = this.plan.trees;
    if (away.has(treeIndex)) return 'AWAY_FROM_CONSUMERS';
    if (near !== null && !near.has(treeIndex)) return 'NEAR_CONSUMERS';
    if (excludedRoots.has(treeIndex)) return 'EXCLUDED_ROOTS';
    const violation = conditionViolation(block, start, this.plan.root);
    if (violation === null) return null;
    return violation.endsWith('TRAITS') ? 'ROOT_TRAITS' : 'ROOT_AGGREGATES';
  }

  /** Returns null without a search if the request has no constraint between groups. */
  private *violationBetweenGroups(treeIndex: number): Generator<void, CombinationConstraint | null> {
    if (this.last === undefined) return null;
    const { effort } = this;
    const anchor = anchorAt(this.snapshot, this.plan, this.filter, treeIndex, { seed: 0, effort })!;
    if (this.filter.passes(treeIndex) && (yield* firstChoice(this.plan, anchor, effort)) !== null)
      return null;
    for (const { constraint, plan } of this.steps.slice(0, -1)) {
      const choice = this.furtherWork > 0 ? yield* this.choiceWithin(plan, anchor) : undefined;
      if (choice === null) return constraint;
      if (choice === undefined) {
        this.undecided++;
        break;
      }
    }
    return this.last;
  }

  /** Returns undefined if the work exceeds that of one check, or what is left for all. */
  private *choiceWithin(plan: Plan, anchor: Anchor): ReturnType<typeof firstChoice> {
    const before = this.effort.spent;
    const choice = yield* firstChoice(plan, anchor, this.effort, Math.min(MAX_WORK, this.furtherWork));
    this.furtherWork -= Math.max(0, this.effort.spent - before - ORDINARY_WORK);
    return choice;
  }
}

function stepsOf(whole: Plan, { groupPolicy }: CandidatesRequest, hasCounters: boolean): Step[] {
  const steps: Step[] = [];
  const plan = { ...whole, checksCounters: false };
  if (plan.isolation !== null) {
    const constraint = groupPolicy === 'ISOLATE' ? 'GROUP_POLICY' : 'ISOLATE';
    steps.push({ constraint, plan: { ...plan, sameSubtree: [], mergedClasses: [] } });
  }
  if (plan.sameSubtree.length > 0)
    steps.push({ constraint: 'SAME_SUBTREE', plan: { ...plan, mergedClasses: [] } });
  if (plan.mergedClasses.length > 0) steps.push({ constraint: 'MERGED_AMOUNT', plan });
  if (hasCounters) steps.push({ constraint: 'COUNTERS', plan: whole });
  return steps;
}

/** Includes TREE_LACKS_GROUP for every request: it connects the counts of groups and of trees. */
function constraintsOf(
  { notInTrees, awayFromConsumers, nearConsumers }: CandidatesRequest,
  { root, trees }: Plan,
  steps: readonly Step[],
): Set<CombinationConstraint> {
  const constraints = new Set(steps.map(({ constraint }) => constraint)).add('TREE_LACKS_GROUP');
  constraints.delete('COUNTERS');
  if (notInTrees.length > 0) constraints.add('NOT_IN_TREES');
  if (awayFromConsumers.length > 0) constraints.add('AWAY_FROM_CONSUMERS');
  if (nearConsumers.length > 0) constraints.add('NEAR_CONSUMERS');
  if (trees.excludedRoots.size > 0) constraints.add('EXCLUDED_ROOTS');
  if (root.requiredTraits.length + root.forbiddenTraits.ids.length > 0) constraints.add('ROOT_TRAITS');
  if (root.memberOf.length + root.forbiddenAggregates.ids.length > 0) constraints.add('ROOT_AGGREGATES');
  return constraints;
}
