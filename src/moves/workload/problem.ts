import { once } from '../../model/collections.js';
import { type Assignment, anchorAt } from '../../search/anchor.js';
import { EXHAUSTED, PAUSED, type Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import { treeOf, type Snapshot } from '../../fleet/snapshot.js';
import { Descent } from '../../search/descent.js';
import { FruitlessTrees } from '../../search/fruitlessTrees.js';
import { TreeFilter } from '../../search/treeFilter.js';
import { TreeOrder } from '../../search/search.js';
import { Level } from './levels.js';
import { PresentConsumers } from './presentConsumers.js';
import type { Placement } from './steps.js';
import type { PlannedMember, PlannedRule, PlannedWorkload } from './workload.js';
import type { WorkloadRelations } from './workloadRelations.js';

/** A request of a member, with the trees that may serve it. */
export interface Alternative {
  readonly plan: Plan;
  readonly filter: TreeFilter;
  readonly trees: LazyTrees;
}

/** A workload to place in a snapshot, with the data that all its searches share. */
export class Problem {
  readonly members: readonly PlannedMember[];
  readonly rules: readonly PlannedRule[];
  readonly relations: WorkloadRelations;
  /** By rule. */
  readonly levels: readonly Level[];
  /** By member and request; null if the request has no plan. */
  readonly alternatives: readonly (readonly (Alternative | null)[])[];
  /** By member: whether sharing providers of other trees can serve all resources of a request. */
  private readonly isShareable: readonly boolean[];
  /** Whether equal trees are interchangeable for all members. */
  readonly isComparable: boolean;
  /** Whether an amount may be split, so that the order of the consumers matters. */
  readonly isSplit: boolean;
  readonly present: PresentConsumers;

  constructor(
    readonly snapshot: Snapshot,
    { members, rules, relations, present }: PlannedWorkload,
    readonly effort: Effort,
    readonly seed: number,
  ) {
    this.members = members;
    this.rules = rules;
    this.relations = relations;
    this.present = new PresentConsumers(present ?? [], relations.members);
    const byKey = new Map(rules.map(({ level }) => [JSON.stringify(level), new Level(snapshot, level)]));
    this.levels = rules.map(({ level }) => byKey.get(JSON.stringify(level))!);
    const filterOf = once((plan: Plan) => new TreeFilter(snapshot, plan));
    this.alternatives = members.map(({ plans }, member) =>
      plans.map(
        (plan, at) => plan && this.alternativeOf(plan, filterOf(plan), seed + 31 * (8 * member + at)),
      ),
    );
    this.isShareable = this.alternatives.map((requests) =>
      requests.some((one) => one !== null && isShareable(one)),
    );
    const all = this.alternatives.flat().filter((one) => one !== null);
    this.isSplit = all.some(({ plan }) => plan.variables.some(({ canSplit }) => canSplit));
    this.isComparable = all.every(isComparable);
  }

  /** Returns whether a rule allows a consumer of the member with this anchor tree to be outside of all domains. */
  mayBeOutside(rule: number, member: number, treeIndex: number): boolean {
    return (
      this.rules[rule].allowOutside &&
      (this.mayOnlyShare(member, treeIndex) || this.levels[rule].isPartlyOutside(treeIndex))
    );
  }

  /** Returns whether sharing providers can serve all resources of a consumer with this anchor tree. */
  mayOnlyShare(member: number, treeIndex: number): boolean {
    const { block, start, end } = treeOf(this.snapshot, treeIndex);
    return this.isShareable[member] || block.sharing.subarray(start, end).includes(1);
  }

  /** Returns an upper bound of the consumers that may be outside, from those that each tree can take. */
  claimsOutside(rule: number, member: number, capacities: ReadonlyMap<number, number>): number {
    if (!this.rules[rule].allowOutside) return 0;
    let claims = 0;
    for (const [tree, some] of capacities) if (this.mayBeOutside(rule, member, tree)) claims += some;
    return Math.min(claims, this.members[member].count);
  }

  /** Returns whether a placement moves a present consumer. */
  isMoved({ member, consumer, alternative, allocations }: Placement): boolean {
    if (!this.present.isPresent(consumer)) return false;
    return this.present.isMoved(consumer, this.alternatives[member][alternative]!.plan, allocations);
  }

  /** Returns whether a present consumer has other amounts than a request of its member. */
  isResize(consumer: number, alternative: number): boolean {
    const { plan } = this.alternatives[this.relations.members[consumer]][alternative]!;
    return this.present.isResize(consumer, plan);
  }

  /** Yields the candidates of a request at a tree; null to pause. */
  *assignmentsAt(
    snapshot: Snapshot,
    { plan, filter }: Pick<Alternative, 'plan' | 'filter'>,
    treeIndex: number,
    seed: number,
  ): Generator<readonly Assignment[] | null, void> {
    const anchor = anchorAt(snapshot, plan, filter, treeIndex, { seed, effort: this.effort });
    if (anchor === null) return;
    const descent = new Descent(plan, anchor, this.effort);
    try {
      for (let found = descent.next(); found !== EXHAUSTED; found = descent.next())
        yield found === PAUSED ? null : found;
    } finally {
      descent.release();
    }
  }

  private alternativeOf(plan: Plan, filter: TreeFilter, seed: number): Alternative {
    const order = new TreeOrder(this.snapshot, filter, seed, this.effort);
    return { plan, filter, trees: new LazyTrees(order, filter) };
  }
}

/** The number of trees of a large fleet that a sample tests. */
const SAMPLED_TREES = 256;

/** Estimates how many trees pass the filter of an alternative. */
export function sampledTrees(
  { snapshot: { treeCount }, effort }: Problem,
  { filter }: Pick<Alternative, 'filter'>,
): number {
  if (filter.only !== null) return filter.only.length;
  const step = Math.max(1, treeCount / SAMPLED_TREES);
  let passed = 0.5;
  for (let at = 0; at < treeCount; at += step) if (filter.passes(Math.floor(at))) passed++;
  effort.treesTested += Math.min(treeCount, SAMPLED_TREES);
  return passed * step;
}

function isShareable({ plan: { variables }, filter: { shareable } }: Alternative): boolean {
  return variables.every(({ resources }, variable) => resources.length === 0 || shareable[variable]);
}

/** Excludes sharing providers, which connect trees, and split amounts, which uuids decide. */
function isComparable({ plan, filter }: Alternative): boolean {
  return (
    FruitlessTrees.canCompare(plan) &&
    !filter.shareable.includes(true) &&
    plan.variables.every(({ canSplit }) => !canSplit)
  );
}

/** The trees that pass a filter, found on demand. */
export class LazyTrees {
  private readonly found: number[] = [];
  private isComplete = false;
  private readonly only: ReadonlySet<number> | null;

  constructor(
    private readonly order: TreeOrder,
    private readonly filter: TreeFilter,
  ) {
    this.only = filter.only && new Set(filter.only);
  }

  at(position: number): number | undefined {
    while (!this.isComplete && this.found.length <= position) this.findNext();
    return this.found[position];
  }

  /** Returns whether a tree passes the filter. */
  has(treeIndex: number): boolean {
    return (this.only?.has(treeIndex) ?? true) && this.filter.passes(treeIndex);
  }

  /** Finds all trees. Yields when the effort is used up. Then `all` takes no time. */
  *read(effort: Effort): Generator<void> {
    while (!this.isComplete) {
      this.findNext();
      if (effort.isUsedUp) yield;
    }
  }

  all(): readonly number[] {
    this.at(Infinity);
    return this.found;
  }

  private findNext(): void {
    const next = this.order.next();
    if (next === undefined) this.isComplete = true;
    else if (next !== PAUSED) this.found.push(next);
  }
}
