import { Effort } from '../../src/model/operation/waiting.js';
import { treeIndexOf, type Snapshot } from '../../src/fleet/snapshot.js';
import type { RebalanceProblem, Rebalancing } from '../../src/moves/rebalance/problem.js';
import { rebalance } from '../../src/moves/rebalance/rebalance.js';
import type { RebalanceCase } from '../oracle/rebalance.js';
import { toRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';
import { uuidOf } from '../support/forest.js';

/** Runs a rebalancing in slices of work. Returns its result and the work of the longest slice. */
export function rebalanced(
  { forest, hosts, classes, consumers, ...given }: RebalanceCase & Partial<Pick<RebalanceProblem, 'isOver'>>,
  slice = Infinity,
): { snapshot: Snapshot; result: Rebalancing; longest: number } {
  const snapshot = snapshotOf(forest);
  const requests = consumers.map(({ request }) => toRequest(request, forest));
  const restRequests = consumers.map(({ request, rest }) => toRequest(rest ?? request, forest));
  const problem: RebalanceProblem = {
    isOver: () => false,
    ...given,
    snapshot,
    hosts: hosts.map((name) => treeIndexOf(snapshot.locate(uuidOf('provider', name))!)),
    classes: classes && new Set(classes.map((name) => snapshot.classes.idOf(name)!)),
    consumers: consumers.map(({ uuid, isStated, canMove, allocations }) => ({
      ...{ uuid, isStated, canMove },
      allocations: Object.entries(allocations).map(([provider, resources]) => {
        const place = snapshot.locate(provider)!;
        return {
          provider: { ...place, treeIndex: treeIndexOf(place) },
          resources: Object.entries(resources).map(([name, amount]) => ({
            resourceClass: snapshot.classes.idOf(name)!,
            amount,
          })),
        };
      }),
    })),
    requestOf: (consumer) => requests[consumer],
    restRequestOf: (consumer) => restRequests[consumer],
  };
  const effort = new Effort();
  const steps = rebalance(problem, effort);
  for (let longest = 0; ;) {
    const before = effort.spent;
    effort.allow(slice);
    const step = steps.next();
    longest = Math.max(longest, effort.spent - before);
    if (step.done) return { snapshot, result: step.value, longest };
  }
}
