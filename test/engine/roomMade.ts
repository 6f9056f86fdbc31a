import { Effort } from '../../src/model/operation/waiting.js';
import { treeIndexOf, type Snapshot } from '../../src/fleet/snapshot.js';
import type { CandidateAllocation } from '../../src/search/anchor.js';
import { makeRoom } from '../../src/moves/makeRoom/makeRoom.js';
import type { RoomAnswer, RoomProblem } from '../../src/moves/makeRoom/problem.js';
import { allocationsOf, type RoomCase } from '../oracle/makeRoom.js';
import type { Allocations } from '../oracle/rebalance.js';
import { toRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';

/** About the work of the five seconds after which a server ends the search. */
const WORK = 5_000_000;

/** Makes room for the workload of a case in slices of work. Returns the work of all slices, too. */
export function roomMade(
  { forest, consumers, workload, held, maxMoves }: RoomCase,
  slice = Infinity,
): { readonly snapshot: Snapshot; readonly answer: RoomAnswer; readonly spent: number } {
  const effort = new Effort();
  const snapshot = snapshotOf(forest);
  const requests = consumers.map(({ request }) => toRequest(request, forest));
  const problem: RoomProblem = {
    snapshot,
    workload: {
      ...workload,
      members: workload.members.map((member) => ({
        ...member,
        requests: member.requests.map((one) => toRequest(one, forest)),
      })),
    },
    held: inSnapshot(snapshot, allocationsOf(forest, held)),
    consumers: consumers.map(({ uuid, isStated, canMove, allocations }) => ({
      ...{ uuid, isStated, canMove },
      allocations: inSnapshot(snapshot, allocations),
    })),
    requestOf: (consumer) => requests[consumer],
    maxMoves,
    seed: 0,
    isOver: () => effort.spent > WORK,
  };
  const steps = makeRoom(problem, effort);
  for (;;) {
    effort.allow(slice);
    const step = steps.next();
    if (step.done) return { snapshot, answer: step.value, spent: effort.spent };
  }
}

function inSnapshot(snapshot: Snapshot, allocations: Allocations): CandidateAllocation[] {
  return Object.entries(allocations).map(([provider, resources]) => {
    const place = snapshot.locate(provider)!;
    return {
      provider: { ...place, treeIndex: treeIndexOf(place) },
      resources: Object.entries(resources).map(([name, amount]) => ({
        resourceClass: snapshot.classes.idOf(name)!,
        amount,
      })),
    };
  });
}
