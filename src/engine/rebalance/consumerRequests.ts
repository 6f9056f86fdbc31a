import { addToGroup } from '../../domain/collections.js';
import type { CandidateAllocation } from '../model/candidate.js';
import { planRequest, type Plan } from '../model/plan.js';
import { isSharing } from '../model/providerChecks.js';
import type { CandidatesRequest } from '../model/request.js';
import { treesOf, type RebalanceProblem } from './problem.js';

/** Returns the present allocations of a consumer. */
export type Positions = (consumer: number) => readonly CandidateAllocation[];

interface Relations {
  /** Consumers of the problem that the request names in `awayFromConsumers`, and in `nearConsumers`. */
  readonly away: readonly number[];
  readonly near: readonly number[];
}

const NONE: Relations = { away: [], near: [] };

/** The plans of the requests, and the rules between consumers, which depend on their positions. */
export class ConsumerRequests {
  private readonly plans = new Map<string, Plan | null>();
  private readonly planOfConsumer = new Map<number, Plan | null>();
  private readonly relations = new Map<number, Relations>();
  /** By consumer: the consumers whose requests name it. */
  private readonly namedBy = new Map<number, number[]>();

  constructor(private readonly problem: RebalanceProblem) {
    if (!problem.consumers.some(({ isStated }) => isStated)) return;
    const positionOf = new Map(problem.consumers.map(({ uuid }, at) => [uuid, at]));
    for (const [consumer, { isStated }] of problem.consumers.entries()) {
      if (!isStated) continue;
      const { awayFromConsumers, nearConsumers } = problem.requestOf(consumer);
      const inside = (uuids: readonly string[]): number[] =>
        uuids.flatMap((uuid) => positionOf.get(uuid) ?? []).filter((other) => other !== consumer);
      const relations = { away: inside(awayFromConsumers), near: inside(nearConsumers) };
      if (relations.away.length + relations.near.length === 0) continue;
      this.relations.set(consumer, relations);
      for (const other of new Set([...relations.away, ...relations.near]))
        addToGroup(this.namedBy, other, consumer);
    }
  }

  /** The consumers with rules that concern other consumers of the problem. */
  get related(): Iterable<number> {
    return this.relations.keys();
  }

  /** Returns whether a rule concerns the consumer and another consumer of the problem. */
  isRelated(consumer: number): boolean {
    return this.relations.has(consumer) || this.namedBy.has(consumer);
  }

  /** Returns the plan without relations to consumers of the problem. Null if no candidate is possible. */
  planOf(consumer: number): Plan | null {
    let plan = this.planOfConsumer.get(consumer);
    if (plan === undefined) this.planOfConsumer.set(consumer, (plan = this.readPlan(consumer)));
    return plan;
  }

  /**
   * Returns the plan, restricted to the trees that the positions of the other consumers allow. Null
   * if no candidate is possible.
   */
  planAt(consumer: number, positions: Positions): Plan | null {
    const plan = this.planOf(consumer);
    const relations = this.relations.get(consumer);
    if (plan === null || relations === undefined) return plan;
    const { away, near } = relations;
    const allowed = [...near.flatMap((one) => this.ownTrees(positions(one))), ...(plan.trees.near ?? [])];
    const trees = {
      ...plan.trees,
      away: new Set([...plan.trees.away, ...away.flatMap((one) => this.ownTrees(positions(one)))]),
      near: near.length === 0 ? plan.trees.near : new Set(allowed),
    };
    return { ...plan, trees };
  }

  /** Returns whether the rules of a consumer and the rules that name it hold at these positions. */
  areRelationsMet(consumer: number, positions: Positions): boolean {
    const naming = this.namedBy.get(consumer);
    return this.isMet(consumer, positions) && (naming?.every((one) => this.isMet(one, positions)) ?? true);
  }

  /** Returns whether the rules of a consumer about other consumers hold. */
  isMet(consumer: number, positions: Positions): boolean {
    if (!this.relations.has(consumer)) return true;
    const trees = this.planAt(consumer, positions)?.trees;
    if (trees === undefined) return true;
    const own = this.ownTrees(positions(consumer));
    return own.every((tree) => !trees.away.has(tree) && (trees.near?.has(tree) ?? true));
  }

  private readPlan(consumer: number): Plan | null {
    const { snapshot, requestOf, consumers } = this.problem;
    const request = requestOf(consumer);
    const { away, near } = this.relations.get(consumer) ?? NONE;
    const named = [...away, ...near].map((one) => consumers[one].uuid);
    const key = JSON.stringify([{ ...request, holdings: undefined }, named]);
    let plan = this.plans.get(key);
    if (plan === undefined)
      this.plans.set(key, (plan = planRequest(snapshot, without(request, new Set(named)))));
    return plan;
  }

  /** Returns the trees of the non-sharing providers. */
  private ownTrees(allocations: readonly CandidateAllocation[]): number[] {
    return treesOf(allocations.filter(({ provider }) => !isSharing(provider)));
  }
}

/** Returns the request without its order and without rules about these consumers. */
function without(request: CandidatesRequest, consumers: ReadonlySet<string>): CandidatesRequest {
  const others = (uuids: readonly string[]): string[] => uuids.filter((uuid) => !consumers.has(uuid));
  return {
    ...request,
    awayFromConsumers: others(request.awayFromConsumers),
    nearConsumers: others(request.nearConsumers),
    orderBy: [],
  };
}
