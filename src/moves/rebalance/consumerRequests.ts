import { textKey } from '../textKey.js';
import { once } from '../../model/collections.js';
import { planRequest, type Plan } from '../../search/plan.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { withoutAllocations } from '../../search/overlay/snapshotOverlay.js';
import { Relations, withoutRelations } from '../relations/relations.js';
import type { RebalanceProblem } from './problem.js';

/** The plans of the requests, without the relations between consumers, which depend on their positions. */
export class ConsumerRequests {
  readonly relations: Relations;
  /** The fleet without allocations. */
  readonly empty: Snapshot;
  private readonly plans = new Map<string, Plan | null>();
  private readonly planOfConsumer = new Map<number, Plan | null>();

  constructor(private readonly problem: RebalanceProblem) {
    const { snapshot, consumers, requestOf, workloads } = problem;
    const hasRules = workloads !== undefined && workloads.rules.length > 0;
    const related =
      hasRules || consumers.some(({ isStated }) => isStated)
        ? consumers.map(({ uuid, isStated }, at) => ({ uuid, request: isStated ? requestOf(at) : null }))
        : [];
    this.relations = new Relations(snapshot, related, workloads);
    this.empty = withoutAllocations(snapshot);
  }

  /** Returns the plan of the request of a consumer. Null if no candidate is possible. */
  planOf(consumer: number): Plan | null {
    let plan = this.planOfConsumer.get(consumer);
    if (plan === undefined) {
      plan = this.plan(this.problem.requestOf(consumer));
      this.planOfConsumer.set(consumer, plan);
    }
    return plan;
  }

  /** Returns the plan of the request by which a consumer may rest between two moves. */
  restPlanOf(consumer: number): Plan | null {
    return this.plan(this.problem.restRequestOf(consumer));
  }

  private readonly plan = once((request: CandidatesRequest): Plan | null => {
    const { holdings: _, ...own } = withoutRelations({ ...request, orderBy: [] });
    const key = textKey(JSON.stringify(own));
    let plan = this.plans.get(key);
    if (plan === undefined) this.plans.set(key, (plan = planRequest(this.problem.snapshot, own)));
    return plan;
  });
}
