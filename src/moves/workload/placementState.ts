import { allocationsOf, type Assignment } from '../../search/anchor.js';
import type { Plan } from '../../search/plan.js';
import { AllocatedOverlay } from '../../search/overlay/snapshotOverlay.js';
import type { Goal } from './goal.js';
import type { Problem } from './problem.js';
import { RelationState } from './relationState.js';
import { changeCount, RuleCounts } from './ruleCounts.js';
import { NOWHERE, placementsIn, type Placement, type Skip, type Step } from './steps.js';

/** The work (Effort.spent) of placing a consumer, or of undoing it. */
const WORK_PER_PLACEMENT = 20;

/** The placed consumers, and the fleet with their allocations. */
export class PlacementState {
  readonly overlay: AllocatedOverlay;
  readonly counts: RuleCounts;
  readonly relations: RelationState;
  readonly steps: Step[] = [];
  /** By member: the consumers that are neither placed nor left out. */
  readonly remaining: number[];
  /** By member: the request of its placed consumers; null if none is placed. */
  readonly alternatives: (number | null)[];
  skipped = 0;
  /** The number of present consumers that the steps move. */
  moved = 0;
  /** By tree: the number of steps that use it. */
  readonly touched = new Map<number, number>();
  private readonly lists = new Map<string, readonly number[]>();

  constructor(
    readonly problem: Problem,
    readonly goal: Goal,
  ) {
    this.overlay = new AllocatedOverlay(problem.snapshot);
    this.counts = new RuleCounts(problem, goal);
    this.relations = new RelationState(problem, goal);
    this.remaining = problem.members.map(({ count }) => count);
    this.alternatives = problem.members.map(() => null);
  }

  get placements(): Placement[] {
    return placementsIn(this.steps);
  }

  placementOf(
    consumer: number,
    alternative: number,
    treeIndex: number,
    assignments: readonly Assignment[],
  ): Placement {
    const { alternatives, members, levels, relations } = this.problem;
    const member = relations.members[consumer];
    const { plan } = alternatives[member][alternative]!;
    const allocations = allocationsOf(plan, { assignments });
    const domains = members[member].rules.map((rule) => levels[rule].domainsOf(assignments));
    return { kind: 'PLACE', member, consumer, alternative, treeIndex, assignments, allocations, domains };
  }

  allows(step: Placement | Skip): boolean {
    return (
      (step.kind === 'SKIP' || this.moved < this.goal.maxMoved || !this.problem.isMoved(step)) &&
      (step.kind === 'SKIP' || this.counts.allows(step.member, step.treeIndex, step.domains)) &&
      this.relations.allows(step, this.alternatives)
    );
  }

  /** Returns the plan of a request, restricted to the trees where the relations of the consumer hold. */
  planFor(consumer: number, alternative: number): Plan {
    return this.relations.planFor(consumer, alternative, this.alternatives);
  }

  /**
   * Returns the open consumers of a member to place next: the first one, present ones first. If amounts are split, so
   * that the order matters, it is the first of each kind.
   */
  nextConsumers(member: number): readonly number[] {
    const { relations, members, isSplit, present } = this.problem;
    const first = relations.firstConsumers[member];
    const { count } = members[member];
    const open = this.remaining[member];
    const isPresent = present.ofMember(member).length > 0;
    if (!isSplit || !(isPresent || relations.isRelated(member))) {
      if (open === 0) return [];
      const next = (): number => present.orderOf(member).find((one) => this.relations.isOpen(one))!;
      return [isPresent ? next() : first + count - open];
    }
    const kinds = new Map<string, number>();
    for (let consumer = first + count - 1; consumer >= first; consumer--)
      if (this.relations.isOpen(consumer))
        kinds.set(`${relations.kindOf(consumer)} ${present.keyOf(consumer)}`, consumer);
    return [...kinds.values()];
  }

  /** Returns the step that leaves a consumer out, with all other open ones of its member if they are equal. */
  skipOf(consumer: number): Skip {
    const { relations } = this.problem;
    const member = relations.members[consumer];
    const isRelated = relations.isRelated(member);
    const consumers = isRelated ? [consumer] : this.openConsumers(member);
    return { kind: 'SKIP', member, consumers };
  }

  openConsumers(member: number): number[] {
    const { firstConsumers } = this.problem.relations;
    const { count } = this.problem.members[member];
    return Array.from({ length: count }, (_, at) => firstConsumers[member] + at).filter((consumer) =>
      this.relations.isOpen(consumer),
    );
  }

  /** Returns whether the consumers that remain suffice for the skew of the SPREAD rules of a member. */
  mayComplete(member: number): boolean {
    return this.problem.members[member].rules.every((rule) => this.maySpread(rule, null));
  }

  /** Returns whether the consumers that remain suffice for the skew of a rule. The first one is in `next`, unless null. */
  maySpread(rule: number, next: number | null): boolean {
    const lacking = this.counts.lacking(rule, next);
    if (lacking === 0) return true;
    const { rules, levels } = this.problem;
    let open = next === null ? 0 : -1;
    for (const member of rules[rule].members) open += this.remaining[member];
    return lacking <= open * levels[rule].maxPerTree;
  }

  do(step: Step): void {
    this.steps.push(step);
    this.apply(step, 1);
  }

  undo(): void {
    this.apply(this.steps.pop()!, -1);
  }

  undoTo(length: number): void {
    while (this.steps.length > length) this.undo();
  }

  /** Returns the trees in which the chosen domains allow consumers of a member, in a seeded order. */
  treesFor(member: number, alternative: number): readonly number[] {
    const { alternatives, members, levels, rules } = this.problem;
    const { chosenDomains, chosenTrees } = this.counts;
    const chosen = members[member].rules.filter((rule) => chosenDomains[rule] !== null);
    const key = `${member} ${alternative} ${chosenTrees[member]} ${chosen.map((rule) => chosenDomains[rule]).join()}`;
    let list = this.lists.get(key);
    if (list === undefined) {
      const { trees } = alternatives[member][alternative]!;
      const lists = chosen
        .filter((rule) => !rules[rule].allowOutside)
        .map((rule) => levels[rule].treesByDomain.get(chosenDomains[rule]!) ?? []);
      const [shortest] = lists.sort((a, b) => a.length - b.length);
      const tree = chosenTrees[member];
      const within = tree === null ? (shortest ?? trees.all()) : [tree].filter((one) => one !== NOWHERE);
      const isFree = chosen.length === 0 && tree === null;
      const isPossible = (one: number): boolean => trees.has(one) && this.counts.allowsChosen(member, one);
      if (!isFree) this.problem.effort.treesTested += within.length;
      list = isFree ? within : within.filter(isPossible);
      this.lists.set(key, list);
    }
    return list;
  }

  private apply(step: Step, by: 1 | -1): void {
    const { counts, problem } = this;
    if (step.kind === 'PLACE') this.place(step, by);
    else if (step.kind === 'SKIP') {
      this.remaining[step.member] -= by * step.consumers.length;
      this.skipped += by * step.consumers.length;
      for (const consumer of step.consumers) this.relations.set(consumer, by > 0 ? [] : null);
    } else if (step.kind === 'TREE') {
      counts.chosenTrees[step.member] = by > 0 ? step.treeIndex : null;
      if (step.treeIndex !== NOWHERE) changeCount(this.touched, step.treeIndex, by);
    } else {
      counts.chosenDomains[step.rule] = by > 0 ? step.domain : null;
      const level = problem.levels[step.rule];
      if (level.isWithinTrees)
        for (const tree of level.treesByDomain.get(step.domain) ?? []) changeCount(this.touched, tree, by);
    }
  }

  private place(step: Placement, by: 1 | -1): void {
    const { member, consumer, alternative, treeIndex, allocations, domains } = step;
    this.relations.set(consumer, by > 0 ? allocations : null);
    this.problem.effort.otherWork += WORK_PER_PLACEMENT;
    this.remaining[member] -= by;
    if (this.problem.isMoved(step)) this.moved += by;
    if (by > 0) this.alternatives[member] = alternative;
    for (const allocation of allocations) this.overlay.allocate(allocation, by);
    for (const tree of new Set([treeIndex, ...allocations.map(({ provider }) => provider.treeIndex)]))
      changeCount(this.touched, tree, by);
    this.counts.add(member, treeIndex, domains, by);
    const isFirst = by < 0 && !this.steps.some((step) => step.kind === 'PLACE' && step.member === member);
    if (isFirst) this.alternatives[member] = null;
  }
}
