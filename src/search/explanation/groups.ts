import { type AnchorProvider, anchorAt } from '../anchor.js';
import { EXHAUSTED, PAUSED, type Effort } from '../../model/operation/waiting.js';
import { addBits, Clauses, IdSet } from '../clauses.js';
import { NO_CONDITIONS, type Plan, type PlannedAmount, type PlannedGroup } from '../plan.js';
import {
  aggregateSetsMet,
  ALL_SATISFIED,
  allocatableAmounts,
  AMOUNT_CONSTRAINTS,
  amountConstraintsSatisfied,
  granularViolation,
  GROUP_CONSTRAINTS,
  isSharing,
  traitSetsMet,
  type AllocatableAmounts,
  type GroupConstraint,
  TreeFilter,
} from '../treeFilter.js';
import type { CandidatesRequest, RequestGroup } from '../../model/request.js';
import {
  freeAt,
  freeOf,
  hasBit,
  inventoryAt,
  type ProviderRef,
  type Snapshot,
  type Tree,
} from '../../fleet/snapshot.js';
import { firstChoice } from '../descent.js';
import { SmallestPartitions, type Contributor } from '../splitting/partitions.js';
import { counterShortage, type CounterShortage } from './counterShortage.js';
import { EliminationFunnel } from './funnel.js';

const NO_INVENTORY = {
  having: 0,
  mostFree: 0,
  maxUnitThere: Infinity,
  lowestMinUnit: Infinity,
  highestMaxUnit: 0,
  stepSize: 0,
  /** Of the provider that lacks the fewest counters. */
  shortage: null as CounterShortage | null,
};

/** The best inventories of one class. Each field covers the inventories for which its constraint was checked. */
export type NearMiss = typeof NO_INVENTORY;

/** Records which providers came nearest to serving a group. */
class NearMisses {
  readonly classes: readonly NearMiss[];
  /** By set of alternatives: how many satisfy it and all of AMOUNT_CONSTRAINTS. */
  readonly traits: number[];
  readonly aggregates: number[];

  constructor(private readonly group: PlannedGroup) {
    this.classes = group.resources.map(() => ({ ...NO_INVENTORY }));
    this.traits = group.requiredTraits.sets.map(() => 0);
    this.aggregates = group.memberOf.sets.map(() => 0);
  }

  /** Adds a provider that would serve the group alone, with the first constraint that it violates. */
  addProvider(provider: ProviderRef, violation: GroupConstraint | null): void {
    const { block, row } = provider;
    this.group.resources.forEach(({ resourceClass }, position) => {
      if (inventoryAt(block, row, resourceClass) >= 0) this.classes[position].having++;
    });
    const violated = AMOUNT_CONSTRAINTS.findIndex((constraint) => constraint === violation);
    this.addInventories(provider, violated < 0 ? ALL_SATISFIED : violated);
    if (violated < 0) this.addConditions([provider]);
  }

  /** `satisfied`: how many of AMOUNT_CONSTRAINTS the provider, or its tree, satisfies. */
  addInventories({ block, row }: ProviderRef, satisfied: number): void {
    if (satisfied === 0) return;
    this.group.resources.forEach(({ resourceClass, amount }, position) => {
      const at = inventoryAt(block, row, resourceClass);
      if (at < 0) return;
      const miss = this.classes[position];
      const free = freeAt(block, at);
      this.addFree(position, free, block.maxUnits[at]);
      if (free < amount) return this.addShortage(position, counterShortage(block, row, at, amount));
      if (satisfied >= 2) miss.lowestMinUnit = Math.min(miss.lowestMinUnit, block.minUnits[at]);
      if (satisfied >= 3) miss.highestMaxUnit = Math.max(miss.highestMaxUnit, block.maxUnits[at]);
      if (satisfied >= 4) miss.stepSize = block.stepSizes[at];
    });
  }

  private addShortage(position: number, shortage: CounterShortage | null): void {
    const miss = this.classes[position];
    if (shortage !== null && shortage.counters.length < (miss.shortage?.counters.length ?? Infinity))
      miss.shortage = shortage;
  }

  addFree(position: number, free: number, maxUnit: number): void {
    const miss = this.classes[position];
    if (free <= miss.mostFree) return;
    miss.mostFree = free;
    miss.maxUnitThere = maxUnit;
  }

  /** Adds a provider, or the providers of a tree, that satisfies all of AMOUNT_CONSTRAINTS. */
  addConditions(providers: readonly ProviderRef[]): void {
    const { requiredTraits, memberOf } = this.group;
    const [traits, aggregates] = [requiredTraits.none(), memberOf.none()];
    for (const { block, row } of providers) {
      if (traits.length > 0) addBits(traits, traitSetsMet(block, row, requiredTraits));
      if (aggregates.length > 0) addBits(aggregates, aggregateSetsMet(block, row, memberOf));
    }
    for (let set = 0; set < this.traits.length; set++) if (hasBit(traits, set)) this.traits[set]++;
    for (let set = 0; set < this.aggregates.length; set++)
      if (hasBit(aggregates, set)) this.aggregates[set]++;
  }
}

/** The plan of the group alone, with its constraints up to this constraint. */
interface Step {
  readonly constraint: GroupConstraint;
  readonly plan: Plan;
  readonly filter: TreeFilter;
}

/**
 * Counts the first constraint of a group that each provider (granular group) or each tree
 * (unsuffixed group) violates. The check adds the constraints one by one. A tree violates the
 * constraint after which neither its own providers nor its linked sharing providers can serve the
 * group.
 */
export class GroupCounter {
  readonly funnel: EliminationFunnel<GroupConstraint>;
  readonly misses: NearMisses;
  private readonly steps: readonly Step[];

  constructor(
    private readonly snapshot: Snapshot,
    plan: Plan,
    request: CandidatesRequest,
    readonly requested: RequestGroup,
    readonly planned: PlannedGroup,
    private readonly effort: Effort,
  ) {
    const constraints = constraintsOf(requested, request);
    this.funnel = new EliminationFunnel(GROUP_CONSTRAINTS, constraints);
    this.misses = new NearMisses(planned);
    this.steps = planned.isGranular ? [] : stepsOf(snapshot, plan, planned, constraints);
  }

  countExcluded({ start, end }: Tree): void {
    const count = this.planned.isGranular ? end - start : 1;
    for (let at = 0; at < count; at++) this.funnel.count('NOT_IN_TREES');
  }

  /** Counts a tree. Returns whether it can serve the group. */
  *count(tree: Tree, sharingProviders: readonly AnchorProvider[]): Generator<void, boolean> {
    if (this.planned.isGranular) return this.countProviders(tree, sharingProviders);
    const violation = yield* this.violation(tree, sharingProviders);
    this.funnel.count(violation);
    return violation === null;
  }

  private countProviders(
    { block, start, end, treeIndex }: Tree,
    sharingProviders: readonly AnchorProvider[],
  ): boolean {
    const { planned, funnel, misses } = this;
    let isServed = false;
    for (let row = start; row < end; row++) {
      const provider = { block, row, treeIndex };
      const violation = granularViolation(provider, planned);
      funnel.count(violation);
      misses.addProvider(provider, violation);
      isServed ||= violation === null;
    }
    return isServed || sharingProviders.some((provider) => granularViolation(provider, planned) === null);
  }

  /**
   * Checks all constraints together first. A tree that satisfies all may fail the first few alone:
   * a later constraint may exclude the provider with the whole amount, and so allow a split.
   */
  private *violation(
    { block, start, end, treeIndex }: Tree,
    sharingProviders: readonly AnchorProvider[],
  ): Generator<void, GroupConstraint | null> {
    const { misses } = this;
    const own = Array.from({ length: end - start }, (_, at) => ({ block, row: start + at, treeIndex }));
    const providers = [...own, ...sharingProviders];
    const satisfied = yield* this.amountsSatisfied(providers, treeIndex);
    for (const provider of providers) misses.addInventories(provider, satisfied);
    if (satisfied < ALL_SATISFIED) return AMOUNT_CONSTRAINTS[satisfied];
    misses.addConditions(providers);
    const last = this.steps.at(-1);
    if (last === undefined || (yield* this.isServed(last, treeIndex))) return null;
    for (const step of this.steps) {
      if (!(yield* this.isServed(step, treeIndex))) return step.constraint;
    }
    return last.constraint;
  }

  private *isServed({ plan, filter }: Step, treeIndex: number): Generator<void, boolean> {
    const anchor = anchorAt(this.snapshot, plan, filter, treeIndex, { seed: 0, effort: this.effort });
    return anchor !== null && (yield* firstChoice(plan, anchor, this.effort)) !== null;
  }

  /** Returns how many of AMOUNT_CONSTRAINTS the best providers satisfy for every class. */
  private *amountsSatisfied(
    providers: readonly AnchorProvider[],
    treeIndex: number,
  ): Generator<void, number> {
    const { requested, planned, misses } = this;
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

  /** Returns the same count for a splittable amount. One provider alone satisfies `satisfied`. */
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

/** Returns the constraints of a group. Omits constraints on units, which inventories define. */
function constraintsOf(requested: RequestGroup, { notInTrees }: CandidatesRequest): Set<GroupConstraint> {
  const { resources, requiredTraits, forbiddenTraits, memberOf, forbiddenAggregates } = requested;
  const constraints = new Set<GroupConstraint>();
  if (notInTrees.length > 0) constraints.add('NOT_IN_TREES');
  if (resources.length > 0) constraints.add('NO_INVENTORY').add('INSUFFICIENT_CAPACITY');
  if (requiredTraits.length > 0) constraints.add('REQUIRED_TRAITS');
  if (forbiddenTraits.length > 0) constraints.add('FORBIDDEN_TRAITS');
  if (memberOf.length > 0) constraints.add('MEMBER_OF');
  if (forbiddenAggregates.length > 0) constraints.add('FORBIDDEN_AGGREGATES');
  if (requested.inTree !== null) constraints.add('IN_TREE');
  if (requested.inSubtree !== null) constraints.add('IN_SUBTREE');
  return constraints;
}

/** Returns the amounts that a provider could take if only the constraints up to `last` counted. */
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

/** Removes one constraint after another, the last first. */
function stepsOf(
  snapshot: Snapshot,
  plan: Plan,
  planned: PlannedGroup,
  constraints: ReadonlySet<GroupConstraint>,
): Step[] {
  const releases: readonly (readonly [GroupConstraint, Partial<PlannedGroup>])[] = [
    ['IN_SUBTREE', { tree: planned.inTree, rows: null }],
    ['IN_TREE', { tree: null, inTree: null }],
    ['FORBIDDEN_AGGREGATES', { forbiddenAggregates: IdSet.NONE }],
    ['MEMBER_OF', { memberOf: Clauses.NONE }],
    ['FORBIDDEN_TRAITS', { forbiddenTraits: IdSet.NONE }],
    ['REQUIRED_TRAITS', { requiredTraits: Clauses.NONE }],
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

function planAlone(plan: Plan, planned: PlannedGroup, group: PlannedGroup): Plan {
  const variables = plan.variables.filter((variable) => variable.group === planned);
  return {
    groups: [group],
    variables: variables.map((variable) => ({ ...variable, group })),
    mayUse: null,
    isolation: null,
    sameSubtree: [],
    oneProviderPerTree: false,
    mergedClasses: [],
    checksCounters: false,
    trees: { excluded: plan.trees.excluded, away: new Set(), excludedRoots: new Set(), near: null },
    orderBy: [],
    root: NO_CONDITIONS,
  };
}
