import type { CandidateAllocation } from '../../search/anchor.js';
import type { Plan } from '../../search/plan.js';
import { isSharing } from '../../search/treeFilter.js';
import type { Positions } from '../relations/relation.js';
import type { Goal } from './goal.js';
import type { Placement, Skip } from './steps.js';
import type { Problem } from './problem.js';
import { changeCount, textOfCounts } from './ruleCounts.js';
import type { Choices } from './workloadRelations.js';

/** The positions of the consumers so far, and what their relations allow next. */
export class RelationState {
  /** By consumer: its allocations; none if it is left out, null before that is decided. */
  private readonly positions: (readonly CandidateAllocation[] | null)[];
  /** By tree: the numbers of related consumers by kind. */
  private readonly kinds = new Map<number, Map<string, number>>();
  /** The last result of `planFor`, until a position changes. */
  private last: { readonly key: string; readonly plan: Plan } | null = null;

  constructor(
    private readonly problem: Problem,
    private readonly goal: Goal,
  ) {
    this.positions = problem.relations.members.map(() => null);
  }

  isOpen(consumer: number): boolean {
    return this.positions[consumer] === null;
  }

  set(consumer: number, allocations: readonly CandidateAllocation[] | null): void {
    this.last = null;
    this.count(consumer, -1);
    this.positions[consumer] = allocations;
    this.count(consumer, 1);
  }

  /** Returns the plan of a request, restricted to the trees where the relations of the consumer hold. */
  planFor(consumer: number, alternative: number, chosen: Choices): Plan {
    const { alternatives, relations, effort } = this.problem;
    const member = relations.members[consumer];
    const { plan } = alternatives[member][alternative]!;
    if (!this.isConcerned(member)) return plan;
    const key = `${consumer} ${alternative}`;
    if (this.last?.key !== key) {
      effort.otherWork += this.positions.length;
      const choices = chosen.with(member, alternative);
      const positions: Positions = (one) => this.positions[one];
      this.last = { key, plan: relations.restricted(plan, consumer, positions, choices) };
    }
    return this.last.plan;
  }

  /** Returns whether all relations hold after the step, or may still hold. */
  allows(step: Placement | Skip, chosen: Choices): boolean {
    if (!this.isConcerned(step.member)) return true;
    if (step.kind === 'SKIP') return this.mayHold(step.consumers, [], chosen);
    const { member, consumer, alternative, treeIndex, allocations } = step;
    if (allocations.every(({ provider }) => isSharing(provider)))
      return this.mayHold([consumer], allocations, chosen.with(member, alternative));
    const { away, near } = this.planFor(consumer, alternative, chosen).trees;
    return !away.has(treeIndex) && near?.has(treeIndex) !== false;
  }

  /** Returns a text that is equal for trees with equal related consumers. */
  textOfTree(treeIndex: number): string {
    const named = this.problem.relations.namedTrees.map((trees) => Number(trees.has(treeIndex)));
    const counts = this.kinds.get(treeIndex);
    return `${named.join('')}${counts === undefined ? '' : textOfCounts(counts)}`;
  }

  private isConcerned(member: number): boolean {
    return !this.goal.ignoresRelations && this.problem.relations.isRelated(member);
  }

  private mayHold(
    consumers: readonly number[],
    allocations: readonly CandidateAllocation[],
    choices: Choices,
  ): boolean {
    this.problem.effort.otherWork += this.positions.length * consumers.length;
    const placed = new Set(consumers);
    const positions: Positions = (one) => (placed.has(one) ? allocations : this.positions[one]);
    return consumers.every((consumer) => !this.problem.relations.isBroken(consumer, positions, choices));
  }

  private count(consumer: number, by: 1 | -1): void {
    const kind = this.problem.relations.kindOf(consumer);
    if (kind === null) return;
    const own = this.positions[consumer]?.find(({ provider }) => !isSharing(provider));
    if (own === undefined) return;
    const { treeIndex } = own.provider;
    const counts = this.kinds.get(treeIndex) ?? new Map<string, number>();
    this.kinds.set(treeIndex, counts);
    changeCount(counts, kind, by);
  }
}
