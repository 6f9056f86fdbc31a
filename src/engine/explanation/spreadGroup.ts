import { Descent } from '../search/descent.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import { TreeFilter } from '../search/treeFilter.js';
import { allocatableAmounts, type AllocatableAmounts } from '../model/providerChecks.js';
import type { Plan, PlannedGroup } from '../model/plan.js';
import type { AnchorProvider } from '../model/candidate.js';
import { anchorAt } from '../search/anchor.js';
import { SmallestPartitions, type Contributor } from '../search/splitting/smallestPartitions.js';
import { inventoryAt, type Block, type Snapshot } from '../model/snapshot.js';
import {
  ALL_AMOUNTS_MET,
  AMOUNT_CONSTRAINTS,
  amountMet,
  constraintsAsked,
  type ExplainedGroup,
  type Tree,
} from './group.js';
import { NearMisses } from './nearMisses.js';
import { GROUP_CONSTRAINTS, Tally, type GroupConstraint } from './tally.js';

/** The group by itself under its constraints from the first to this one. */
interface Step {
  readonly constraint: GroupConstraint;
  readonly plan: Plan;
  readonly filter: TreeFilter;
}

/**
 * The unsuffixed group: each tree is judged, with the sharing providers linked with it. A tree that meets all is removed by
 * nothing; any other by the first constraint with which, on top of those before it, nobody is left to serve the group.
 * (Tell the former first: a constraint can help an amount to be split by removing who has all of it.)
 */
export class SpreadGroup {
  readonly tally: Tally<GroupConstraint>;
  readonly misses: NearMisses;
  private readonly steps: readonly Step[];

  constructor(
    private readonly snapshot: Snapshot,
    plan: Plan,
    readonly group: ExplainedGroup,
    private readonly effort: Effort,
  ) {
    const constraints = constraintsAsked(group);
    this.tally = new Tally(GROUP_CONSTRAINTS, constraints);
    this.misses = new NearMisses(group);
    this.steps = GROUP_CONSTRAINTS.filter(
      (constraint) => constraint in RELEASED_BEFORE && constraints.has(constraint),
    ).map((constraint) => {
      const alone = groupAlone(plan, group, constraint);
      return { constraint, plan: alone, filter: new TreeFilter(snapshot, alone) };
    });
  }

  /** Counts a tree; whether it can serve the group. */
  *look(tree: Tree, sharingProviders: readonly AnchorProvider[]): Generator<void, boolean> {
    const obstacle = yield* this.obstacleOf(tree, sharingProviders);
    this.tally.count(obstacle);
    return obstacle === null;
  }

  private *obstacleOf(
    tree: Tree,
    sharingProviders: readonly AnchorProvider[],
  ): Generator<void, GroupConstraint | null> {
    const providers = [...ownUnits(tree), ...sharingProviders];
    const met = yield* this.amountsMet(providers, tree.slot);
    for (const { block, row } of providers) this.misses.seeStock(block, row, met);
    if (met < ALL_AMOUNTS_MET) return AMOUNT_CONSTRAINTS[met];
    this.misses.seeMarks(providers);
    const last = this.steps.at(-1);
    if (last === undefined || (yield* this.isServed(last, tree.slot))) return null;
    for (const step of this.steps) {
      if (!(yield* this.isServed(step, tree.slot))) return step.constraint;
    }
    return last.constraint;
  }

  private *isServed({ plan, filter }: Step, treeIndex: number): Generator<void, boolean> {
    this.effort.treesVisited++;
    const anchor = anchorAt(this.snapshot, plan, filter, treeIndex, 0);
    if (anchor === null) return false;
    const descent = new Descent(plan, anchor, this.effort);
    for (;;) {
      const choice = descent.next();
      if (choice !== PAUSED) return choice !== EXHAUSTED;
      yield;
    }
  }

  /** How many of AMOUNT_CONSTRAINTS can be met for every class, each by whom it suits best. */
  private *amountsMet(providers: readonly AnchorProvider[], treeIndex: number): Generator<void, number> {
    const { asked, planned } = this.group;
    let metByAll = ALL_AMOUNTS_MET;
    for (const [position, { resourceClass, amount }] of planned.resources.entries()) {
      const isSplit = asked.canSplit.includes(asked.resources[position].resourceClass);
      const own = isSplit
        ? providers.filter((provider) => provider.treeIndex === treeIndex && !isSharing(provider))
        : [];
      let met = 0;
      for (const { block, row } of providers)
        met = Math.max(met, amountMet(block, row, resourceClass, amount));
      if (met > 0) this.misses.classes[position].having++;
      if (isSplit && met > 0) {
        met = yield* this.splitMet(own, resourceClass, amount, met);
        if (metByAll > 0) this.misses.seeFree(position, freeOf(own, resourceClass), Infinity);
      }
      metByAll = Math.min(metByAll, met);
    }
    return metByAll;
  }

  /** The same for an amount that can be split: as far as one provider comes by itself, or several together. */
  private *splitMet(
    own: readonly AnchorProvider[],
    resourceClass: number,
    amount: number,
    met: number,
  ): Generator<void, number> {
    for (let next = met; next < ALL_AMOUNTS_MET; next++) {
      const ranges = own.map(({ block, row }) => roomUnder(next, block, row, resourceClass));
      const contributors = own.flatMap((provider, at): Contributor[] => {
        const range = ranges[at];
        return range === null ? [] : [{ ...range, provider: at, uuid: provider.block.uuids[provider.row] }];
      });
      const sets = new SmallestPartitions(contributors, amount);
      let partition = sets.next(this.effort);
      while (partition === PAUSED) {
        yield;
        partition = sets.next(this.effort);
      }
      if (partition === EXHAUSTED) return next;
    }
    return ALL_AMOUNTS_MET;
  }
}

/** What of a group is released while an earlier constraint is judged. */
const RELEASED_BEFORE = {
  REQUIRED_TRAITS: { forbiddenTraits: [], memberOf: [], forbiddenAggregates: [] },
  FORBIDDEN_TRAITS: { memberOf: [], forbiddenAggregates: [] },
  MEMBER_OF: { forbiddenAggregates: [] },
  FORBIDDEN_AGGREGATES: {},
  IN_TREE: {},
  IN_SUBTREE: {},
} as const satisfies Partial<Record<GroupConstraint, Partial<PlannedGroup>>>;

function groupAlone(plan: Plan, { planned, inTree }: ExplainedGroup, last: GroupConstraint): Plan {
  const group: PlannedGroup = {
    ...planned,
    ...RELEASED_BEFORE[last as keyof typeof RELEASED_BEFORE],
    ...(last === 'IN_SUBTREE' ? {} : { tree: last === 'IN_TREE' ? inTree : null, rows: null }),
  };
  const variables = plan.variables.filter((variable) => variable.group === planned);
  return {
    groups: [group],
    variables: variables.map((variable) => ({ ...variable, group })),
    isolation: null,
    sameSubtree: [],
    mergedClasses: [],
    orderBy: [],
    root: { requiredTraits: [], forbiddenTraits: [], memberOf: [], forbiddenAggregates: [] },
  };
}

/** What a provider could give of an amount when only so many of AMOUNT_CONSTRAINTS counted, and the next one. */
function roomUnder(met: number, block: Block, row: number, resourceClass: number): AllocatableAmounts | null {
  const at = inventoryAt(block, row, resourceClass);
  if (at < 0) return null;
  if (AMOUNT_CONSTRAINTS[met] === 'STEP_SIZE') return allocatableAmounts(block, row, resourceClass);
  const free = block.capacities[at] - block.used[at];
  const least = AMOUNT_CONSTRAINTS[met] === 'INSUFFICIENT_CAPACITY' ? 1 : block.minUnits[at];
  const most = AMOUNT_CONSTRAINTS[met] === 'MAX_UNIT' ? Math.min(free, block.maxUnits[at]) : free;
  return most < least ? null : { least, most, step: 1, free };
}

function freeOf(providers: readonly AnchorProvider[], resourceClass: number): number {
  return providers.reduce((sum, { block, row }) => {
    const at = inventoryAt(block, row, resourceClass);
    return at < 0 ? sum : sum + Math.max(0, block.capacities[at] - block.used[at]);
  }, 0);
}

function ownUnits({ block, start, end, slot: treeIndex }: Tree): AnchorProvider[] {
  return Array.from({ length: end - start }, (_, offset) => ({ block, row: start + offset, treeIndex }));
}

function isSharing({ block, row }: AnchorProvider): boolean {
  return block.sharing[row] === 1;
}
