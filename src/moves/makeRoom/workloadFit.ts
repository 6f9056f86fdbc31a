import type { CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { Positions } from '../relations/relation.js';
import { decide, type Decision } from '../workload/decision.js';
import { underEachTopology } from '../workload/topologyAlternatives.js';
import {
  planWorkload,
  type PlannedWorkload,
  type Workload,
  type WorkloadMember,
} from '../workload/workload.js';
import type { RoomProblem } from './problem.js';

/** The maximum work (Effort.spent) of one decision. */
const WORK_PER_DECISION = 2_000_000;
/** That of a decision beside all movable consumers. If it does not end soon, it mostly never ends. */
const WORK_BESIDE = 200_000;

/** What the requests of a workload name, and the present positions of the named consumers. */
type Statement = Pick<CandidatesRequest, 'awayFromConsumers' | 'nearConsumers' | 'holdings'>;

/** Decides whether the workload fits after moves of other consumers, which its requests may name. */
export class WorkloadFit {
  /** The workload without the relations to movable consumers. It fits wherever the workload fits. */
  private readonly relaxed: readonly PlannedWorkload[];
  private readonly free: Workload;
  /** The movable consumers that requests of the workload name, by uuid. */
  private readonly named: ReadonlyMap<string, number>;
  private readonly planned: readonly PlannedWorkload[];

  constructor(
    private readonly problem: RoomProblem,
    private readonly effort: Effort,
  ) {
    const { snapshot, workload, consumers } = problem;
    const uuids = new Set(statementsOf(workload).flatMap(({ holdings }) => [...(holdings?.keys() ?? [])]));
    const movable = [...consumers.entries()].filter(([, { uuid, canMove }]) => canMove && uuids.has(uuid));
    this.named = new Map(movable.map(([consumer, { uuid }]) => [uuid, consumer]));
    this.planned = planEach(snapshot, workload);
    const unrelated = mapStatements(workload, (one) => this.withoutMovable(one));
    this.free = this.named.size === 0 ? workload : withoutSpread(unrelated);
    this.relaxed = this.named.size === 0 ? this.planned : planEach(snapshot, this.free);
  }

  /** The members without the relations to movable consumers. */
  get members(): PlannedWorkload['members'] {
    return this.relaxed[0].members;
  }

  /** Returns whether the positions of movable consumers matter for the workload besides their usage. */
  get dependsOnPositions(): boolean {
    return this.named.size > 0;
  }

  names(consumer: number): boolean {
    return this.named.has(this.problem.consumers[consumer].uuid);
  }

  /** Decides whether the workload fits in a fleet without its own consumers, with the others at these positions. */
  at(snapshot: Snapshot, positions: Positions): Generator<void, Decision> {
    return this.decide(snapshot, this.named.size === 0 ? this.planned : this.plannedAt(positions));
  }

  /** Like `at`, but ignores the relations to movable consumers. */
  relaxedIn(snapshot: Snapshot): Generator<void, Decision> {
    return this.decide(snapshot, this.relaxed);
  }

  /** Decides whether the workload fits beside more members, without the relations to movable consumers. */
  beside(
    snapshot: Snapshot,
    others: readonly (Omit<WorkloadMember, 'count'> & { readonly uuids: readonly string[] })[],
  ): Generator<void, Decision> {
    const { members, relations, topology, topologyAlternatives, present } = this.free;
    const added = others.map(({ uuids, ...member }) => ({ ...member, count: uuids.length }));
    const joint: Workload = {
      members: [...members, ...added],
      ...{ topology, topologyAlternatives, present },
      relations: relations && {
        consumers: [...relations.consumers, ...others.flatMap(({ uuids }) => uuids)],
        statements: [...relations.statements, ...others.map(({ requests }) => requests.map(() => null))],
      },
    };
    return this.decide(snapshot, planEach(this.problem.snapshot, joint), WORK_BESIDE);
  }

  /** Decides whether the workload fits under any alternative of its topology. */
  private *decide(
    snapshot: Snapshot,
    planned: readonly PlannedWorkload[],
    work = WORK_PER_DECISION,
  ): Generator<void, Decision> {
    const options = { seed: this.problem.seed, work };
    let isProven = true;
    for (const one of planned) {
      const decision = yield* decide(snapshot, one, this.effort, options);
      if (decision.kind === 'FITS') return decision;
      isProven &&= decision.kind === 'IMPOSSIBLE';
    }
    return { kind: isProven ? 'IMPOSSIBLE' : 'UNDECIDED' };
  }

  private plannedAt(positions: Positions): PlannedWorkload[] {
    const moved = Array.from(this.named, ([uuid, consumer]) => [uuid, positions(consumer) ?? []] as const);
    const { snapshot, workload } = this.problem;
    return planEach(snapshot, withPositions(workload, new Map(moved)));
  }

  private withoutMovable<One extends Statement>(one: One): One {
    const isOther = (uuid: string): boolean => !this.named.has(uuid);
    const { awayFromConsumers, nearConsumers } = one;
    return {
      ...one,
      awayFromConsumers: awayFromConsumers.filter(isOther),
      nearConsumers: nearConsumers.every(isOther) ? nearConsumers : [],
    };
  }
}

function planEach(snapshot: Snapshot, workload: Workload): PlannedWorkload[] {
  return underEachTopology(workload).map((one) => planWorkload(snapshot, one));
}

/** Returns the workload with new positions of consumers that its requests name. */
export function withPositions(
  workload: Workload,
  moved: ReadonlyMap<string, readonly CandidateAllocation[]>,
): Workload {
  return mapStatements(workload, (one) => {
    const known = [...(one.holdings ?? [])];
    const after = known.map(([uuid, providers]): [string, readonly string[]] => {
      const to = moved.get(uuid);
      return [uuid, to === undefined ? providers : providersOf(to)];
    });
    return { ...one, holdings: one.holdings && new Map(after) };
  });
}

function providersOf(allocations: readonly CandidateAllocation[]): string[] {
  return allocations.map(({ provider: { block, row } }) => block.uuids[row]);
}

/** A relation may exclude a domain, which a SPREAD rule then does not count. */
function withoutSpread({ topology, topologyAlternatives, ...workload }: Workload): Workload {
  const others = (rules: Workload['topology']): Workload['topology'] =>
    rules.filter(({ rule }) => rule !== 'SPREAD');
  return {
    ...workload,
    topology: others(topology),
    topologyAlternatives: topologyAlternatives?.map(others),
  };
}

function statementsOf({ members, relations }: Workload): Statement[] {
  const inner = (relations?.statements ?? []).flat().filter((one) => one !== null);
  return [...members.flatMap(({ requests }) => requests), ...inner];
}

/** Changes what the requests of a workload name. */
function mapStatements(workload: Workload, change: <One extends Statement>(one: One) => One): Workload {
  const { members, relations } = workload;
  return {
    ...workload,
    members: members.map((member) => ({ ...member, requests: member.requests.map((one) => change(one)) })),
    relations: relations && {
      ...relations,
      statements: relations.statements.map((requests) => requests.map((one) => one && change(one))),
    },
  };
}
