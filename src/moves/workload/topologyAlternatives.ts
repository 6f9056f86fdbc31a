import type { Snapshot } from '../../fleet/snapshot.js';
import { planWorkload, type PlannedWorkload, type Workload } from './workload.js';
import {
  WorkloadSearch,
  type WorkloadAnswer,
  type WorkloadFailure,
  type WorkloadFound,
  type WorkloadOptions,
} from './workloadSearch.js';

/** Returns the workload under each alternative of its topology, the preferred one first; itself if it has none. */
export function underEachTopology(workload: Workload): readonly Workload[] {
  const { topology, topologyAlternatives = [], ...rest } = workload;
  if (topologyAlternatives.length === 0) return [workload];
  return topologyAlternatives.map((rules) => ({ ...rest, topology: [...topology, ...rules] }));
}

/** A preferred alternative of the topology that the placement does not use. */
export interface RejectedTopology {
  readonly alternative: number;
  /** The workload under it. Its own rules follow this number of rules. */
  readonly workload: Workload;
  readonly commonRules: number;
  /** False if the search gave up, or ended before it tried the alternative. */
  readonly isProven: boolean;
  /** Null if the workload fits, but more existing consumers would move. */
  readonly failure: WorkloadFailure | null;
}

interface Tried {
  readonly alternative: number;
  readonly answer: WorkloadAnswer;
}

/**
 * Places a workload under the first possible alternative of its topology. If consumers are present, that is the first of
 * those that move the fewest. Resumable and deterministic like WorkloadSearch.
 */
export class TopologySearch {
  isDone = false;
  private readonly workloads: readonly Workload[];
  private readonly commonRules: number;
  private readonly tried: Tried[] = [];
  private current: { readonly planned: PlannedWorkload; readonly search: WorkloadSearch };
  private best: (Tried & { readonly answer: WorkloadFound; readonly planned: PlannedWorkload }) | null = null;
  private spentBefore = 0;

  constructor(
    private readonly snapshot: Snapshot,
    workload: Workload,
    private readonly options: WorkloadOptions,
  ) {
    this.workloads = underEachTopology(workload);
    this.commonRules = workload.topology.length;
    this.current = this.begin(0);
  }

  get spent(): number {
    return this.spentBefore + this.current.search.effort.spent;
  }

  /** Continues for at most this work (Effort.spent). Returns true when done. */
  run(budget = Infinity): boolean {
    if (this.isDone || !this.current.search.run(budget)) return this.isDone;
    this.record();
    const next = this.tried.length;
    this.isDone =
      next === this.workloads.length || this.best?.answer.disturbance.every((one) => one === 0) === true;
    if (this.isDone) return true;
    this.spentBefore += this.current.search.effort.spent;
    this.current = this.begin(next);
    return false;
  }

  /** The best answer so far, and its alternative. */
  get result() {
    if (!this.isDone) this.record();
    const { best, tried, workloads, current } = this;
    const last = tried[tried.length - 1];
    const { alternative, planned } = best ?? { ...last, planned: current.planned };
    const isProven = tried.every((one) => one.alternative === alternative || isDecided(one.answer));
    const answer: WorkloadAnswer =
      best !== null
        ? { ...best.answer, isOptimal: best.answer.isOptimal && isProven && this.isDone }
        : tried.every((one) => isDecided(one.answer))
          ? last.answer
          : { kind: 'UNDECIDED' };
    return {
      answer,
      alternative,
      planned,
      workload: workloads[alternative],
      rejected: this.rejectedBefore(alternative),
    };
  }

  private begin(alternative: number) {
    const planned = planWorkload(this.snapshot, this.workloads[alternative]);
    return { planned, search: new WorkloadSearch(this.snapshot, planned, this.options) };
  }

  private record(): void {
    const alternative = this.tried.length;
    const { answer } = this.current.search;
    this.tried.push({ alternative, answer });
    if (answer.kind !== 'FOUND') return;
    const isBetter = this.best === null || isLess(answer.disturbance, this.best.answer.disturbance);
    if (isBetter) this.best = { alternative, answer, planned: this.current.planned };
  }

  private rejectedBefore(chosen: number): RejectedTopology[] {
    return this.tried.slice(0, chosen).map(({ alternative, answer }) => ({
      alternative,
      workload: this.workloads[alternative],
      commonRules: this.commonRules,
      isProven: isDecided(answer),
      failure: answer.kind === 'FOUND' ? null : answer,
    }));
  }
}

/** Returns whether the search has proven its answer. */
function isDecided(answer: WorkloadAnswer): boolean {
  return answer.kind === 'FOUND' ? answer.isOptimal : answer.kind === 'IMPOSSIBLE';
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, position) => value !== other[position]);
  return at >= 0 && one[at] < other[at];
}
