import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import type { Plan, PlannedAmount, PlannedGroup } from '../model/plan.js';
import {
  ALL_SATISFIED,
  allocatableAmounts,
  AMOUNT_CONSTRAINTS,
  amountConstraintsSatisfied,
  isSharing,
  type AllocatableAmounts,
  type GroupConstraint,
} from '../model/providerChecks.js';
import { freeAt, inventoryAt, type Snapshot, type Tree } from '../model/snapshot.js';
import { freeOf } from '../overlay/freeAmount.js';
import type { AnchorProvider } from '../model/candidate.js';
import { anchorAt } from '../search/anchor.js';
import { firstChoice } from '../search/firstChoice.js';
import { SmallestPartitions, type Contributor } from '../search/splitting/smallestPartitions.js';
import { TreeFilter } from '../search/treeFilter.js';
import { constraintsOf, type ExplainedGroup } from './group.js';

/** The group by itself under its constraints from the first to this one. */
interface Step {
  readonly constraint: GroupConstraint;
  readonly plan: Plan;
  readonly filter: TreeFilter;
}

/**
 * Counts, for the unsuffixed group, which constraint each tree violates first: the one with which, on top of
 * those before it, neither the tree's providers nor those that share with it can serve the group.
 *
 * All constraints together are checked first, because a tree that satisfies them may fail the first few: an
 * amount is split only where no provider of the tree could give all of it, so that a later constraint allows
 * a split when it excludes such a provider.
 */
export class UnsuffixedGroup {
  private readonly steps: readonly Step[];

  constructor(
    private readonly snapshot: Snapshot,
    plan: Plan,
    private readonly group: ExplainedGroup,
    private readonly effort: Effort,
  ) {
    this.steps = stepsOf(snapshot, plan, group);
  }

  /** Counts a tree of which no provider takes part. */
  countExcluded(): void {
    this.group.funnel.count('NOT_IN_TREES');
  }

  /** Counts a tree; returns whether it can serve the group. */
  *count(tree: Tree, sharingProviders: readonly AnchorProvider[]): Generator<void, boolean> {
    const violation = yield* this.violation(tree, sharingProviders);
    this.group.funnel.count(violation);
    return violation === null;
  }

  private *violation(
    tree: Tree,
    sharingProviders: readonly AnchorProvider[],
  ): Generator<void, GroupConstraint | null> {
    const { misses } = this.group;
    const providers = [...providersOf(tree), ...sharingProviders];
    const satisfied = yield* this.amountsSatisfied(providers, tree.treeIndex);
    for (const { block, row } of providers) misses.addInventories(block, row, satisfied);
    if (satisfied < ALL_SATISFIED) return AMOUNT_CONSTRAINTS[satisfied];
    misses.addConditions(providers);
    const last = this.steps.at(-1);
    if (last === undefined || (yield* this.isServed(last, tree.treeIndex))) return null;
    for (const step of this.steps) {
      if (!(yield* this.isServed(step, tree.treeIndex))) return step.constraint;
    }
    return last.constraint;
  }

  private *isServed({ plan, filter }: Step, treeIndex: number): Generator<void, boolean> {
    this.effort.treesVisited++;
    const anchor = anchorAt(this.snapshot, plan, filter, treeIndex, 0);
    return anchor !== null && (yield* firstChoice(plan, anchor, this.effort)) !== null;
  }

  /** How many of AMOUNT_CONSTRAINTS are satisfied for every class, by the providers that suit it best. */
  private *amountsSatisfied(
    providers: readonly AnchorProvider[],
    treeIndex: number,
  ): Generator<void, number> {
    const { requested, planned, misses } = this.group;
    let least = ALL_SATISFIED;
    for (const [position, amount] of planned.resources.entries()) {
      let best = 0;
      for (const { block, row } of providers)
        best = Math.max(best, amountConstraintsSatisfied(block, row, amount));
      if (best > 0) misses.classes[position].having++;
      if (best > 0 && requested.canSplit.includes(requested.resources[position].resourceClass)) {
        const own = providers.filter((one) => one.treeIndex === treeIndex && !isSharing(one));
        best = yield* this.splitSatisfied(own, amount, best);
        const free = own.reduce((sum, provider) => sum + freeOf(provider, amount.resourceClass), 0);
        if (least > 0) misses.addFree(position, free, Infinity);
      }
      least = Math.min(least, best);
    }
    return least;
  }

  /** The same for an amount that can be split, of which one provider by itself satisfies `satisfied`. */
  private *splitSatisfied(
    own: readonly AnchorProvider[],
    { resourceClass, amount }: PlannedAmount,
    satisfied: number,
  ): Generator<void, number> {
    for (let next = satisfied; next < ALL_SATISFIED; next++) {
      const contributors = own.flatMap((provider, at): Contributor[] => {
        const range = allocatableUnder(AMOUNT_CONSTRAINTS[next], provider, resourceClass);
        return range === null ? [] : [{ ...range, provider: at, uuid: provider.block.uuids[provider.row] }];
      });
      const partitions = new SmallestPartitions(contributors, amount);
      let partition = partitions.next(this.effort);
      while (partition === PAUSED) {
        yield;
        partition = partitions.next(this.effort);
      }
      if (partition === EXHAUSTED) return next;
    }
    return ALL_SATISFIED;
  }
}

/** The amounts that a provider could take if constraints after `last` did not count. */
function allocatableUnder(
  last: (typeof AMOUNT_CONSTRAINTS)[number],
  { block, row }: AnchorProvider,
  resourceClass: number,
): AllocatableAmounts | null {
  const at = inventoryAt(block, row, resourceClass);
  if (at < 0) return null;
  if (last === 'STEP_SIZE') return allocatableAmounts(block, row, resourceClass);
  const free = freeAt(block, at);
  const least = last === 'INSUFFICIENT_CAPACITY' ? 1 : block.minUnits[at];
  const most = last === 'MAX_UNIT' ? Math.min(free, block.maxUnits[at]) : free;
  return most < least ? null : { least, most, step: 1, free };
}

/** Releases one constraint after another, the last first. */
function stepsOf(snapshot: Snapshot, plan: Plan, { requested, planned, request }: ExplainedGroup): Step[] {
  const constraints = constraintsOf(requested, request);
  const releases: readonly (readonly [GroupConstraint, Partial<PlannedGroup>])[] = [
    ['IN_SUBTREE', { tree: planned.inTree, rows: null }],
    ['IN_TREE', { tree: null, inTree: null }],
    ['FORBIDDEN_AGGREGATES', { forbiddenAggregates: [] }],
    ['MEMBER_OF', { memberOf: [] }],
    ['FORBIDDEN_TRAITS', { forbiddenTraits: [] }],
    ['REQUIRED_TRAITS', { requiredTraits: [] }],
  ];
  const steps: Step[] = [];
  let group = planned;
  for (const [constraint, released] of releases) {
    if (constraints.has(constraint)) {
      const alone = planAlone(plan, planned, group);
      steps.unshift({ constraint, plan: alone, filter: new TreeFilter(snapshot, alone) });
    }
    group = { ...group, ...released };
  }
  return steps;
}

/** The plan without the other groups, and with another form of this one. */
function planAlone(plan: Plan, planned: PlannedGroup, group: PlannedGroup): Plan {
  const variables = plan.variables.filter((variable) => variable.group === planned);
  return {
    groups: [group],
    variables: variables.map((variable) => ({ ...variable, group })),
    isolation: null,
    sameSubtree: [],
    mergedClasses: [],
    trees: { excluded: plan.trees.excluded, away: new Set(), near: null },
    orderBy: [],
    root: { requiredTraits: [], forbiddenTraits: [], memberOf: [], forbiddenAggregates: [] },
  };
}

function providersOf({ block, start, end, treeIndex }: Tree): AnchorProvider[] {
  return Array.from({ length: end - start }, (_, offset) => ({ block, row: start + offset, treeIndex }));
}
