import { allocationsOf, type Assignment, type CandidateAllocation } from '../model/candidate.js';
import { AllocatedOverlay } from '../overlay/snapshotOverlay.js';
import type { Problem } from './problem.js';
import { changeCount, type RuleCounts } from './ruleCounts.js';

/** A consumer with its resources. */
export interface Placement {
  readonly member: number;
  readonly alternative: number;
  /** The anchor. */
  readonly treeIndex: number;
  readonly assignments: readonly Assignment[];
  readonly allocations: readonly CandidateAllocation[];
  /** By rule of the member. */
  readonly domains: readonly (readonly number[])[];
}

/** A step of a search: places a consumer, or leaves out the remaining consumers of a member. */
export type Step = Placement | { readonly member: number; readonly skipped: number };

export function isPlacement(step: Step): step is Placement {
  return 'assignments' in step;
}

/** The placed consumers and the fleet with them. */
export class PlacementState {
  readonly overlay: AllocatedOverlay;
  readonly steps: Step[] = [];
  /** By member: the consumers that are neither placed nor left out. */
  readonly remaining: number[];
  /** By tree: the number of placed consumers that use it. */
  readonly touched = new Map<number, number>();

  constructor(
    private readonly problem: Problem,
    readonly counts: RuleCounts,
  ) {
    this.overlay = new AllocatedOverlay(problem.snapshot);
    this.remaining = problem.members.map(({ count }) => count);
  }

  get placements(): Placement[] {
    return this.steps.filter(isPlacement);
  }

  placementOf(
    member: number,
    alternative: number,
    treeIndex: number,
    assignments: readonly Assignment[],
  ): Placement {
    const { alternatives, members, levels } = this.problem;
    const { plan } = alternatives[member][alternative]!;
    const allocations = allocationsOf(plan, { assignments });
    const domains = members[member].rules.map((rule) => levels[rule].domainsOf(assignments));
    return { member, alternative, treeIndex, assignments, allocations, domains };
  }

  allows({ member, treeIndex, domains }: Placement): boolean {
    return this.counts.allows(member, treeIndex, domains);
  }

  do(step: Step): void {
    this.steps.push(step);
    if (!isPlacement(step)) {
      this.remaining[step.member] -= step.skipped;
      return;
    }
    this.remaining[step.member]--;
    for (const allocation of step.allocations) this.overlay.allocate(allocation);
    this.touch(step, 1);
    this.counts.add(step.member, step.treeIndex, step.domains);
  }

  undo(): void {
    const step = this.steps.pop()!;
    if (!isPlacement(step)) {
      this.remaining[step.member] += step.skipped;
      return;
    }
    this.remaining[step.member]++;
    for (const { provider, resources } of step.allocations) {
      const negative = resources.map(({ resourceClass, amount }) => ({ resourceClass, amount: -amount }));
      this.overlay.allocate({ provider, resources: negative });
    }
    this.touch(step, -1);
    this.counts.remove(step.member, step.treeIndex, step.domains);
  }

  private touch({ treeIndex, allocations }: Placement, by: 1 | -1): void {
    for (const tree of new Set([treeIndex, ...allocations.map(({ provider }) => provider.treeIndex)]))
      changeCount(this.touched, tree, by);
  }
}
