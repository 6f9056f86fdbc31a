import { treeOf, type Snapshot } from '../../src/fleet/snapshot.js';
import { requestOf } from '../../src/model/request.js';
import { Effort } from '../../src/model/operation/waiting.js';
import { makeRoom } from '../../src/moves/makeRoom/makeRoom.js';
import type { RoomAnswer, RoomProblem } from '../../src/moves/makeRoom/problem.js';
import type { Workload } from '../../src/moves/workload/workload.js';
import type { CandidateAllocation } from '../../src/search/anchor.js';
import { timeFigure, type Figure } from '../figure.js';
import { snapshotOfTrees, type Tree } from '../hard/fleet.js';
import { logProgress } from '../progress.js';
import { group } from '../requests.js';
import { Samples } from '../samples.js';

const MAX_MS = 8_000;
const CORES = 16;
const SIZES = [1, 2, 4, 8];

/** A workload that fits only after moves, and the fewest. */
interface RoomCase {
  readonly what: string;
  readonly count: number;
  readonly VCPU: number;
  readonly maxMoves: number;
  readonly outcome: RoomAnswer['outcome'];
}

const CASES: readonly RoomCase[] = [
  { what: 'room for a whole host', count: 1, VCPU: CORES, maxMoves: 10, outcome: 'FOUND' },
  { what: 'room for 8 whole hosts', count: 8, VCPU: CORES, maxMoves: 100, outcome: 'FOUND' },
  {
    what: 'room for a host that is too large',
    count: 1,
    VCPU: CORES + 1,
    maxMoves: 10,
    outcome: 'IMPOSSIBLE',
  },
];

/** Measures the processor time of the search for moves in a fleet whose hosts have 9 to 15 of 16 cores in use. */
export function roomFigures(hosts: number, rounds: number): Figure[] {
  return CASES.map((one) => figureOf(one, hosts, rounds));
}

function figureOf(given: RoomCase, hosts: number, rounds: number): Figure {
  logProgress(given.what);
  const problem = problemOf(given, hosts);
  const samples = new Samples();
  let answer: RoomAnswer | null = null;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    answer = answerOf(problem);
    const { user, system } = process.cpuUsage(before);
    samples.add((user + system) / 1_000);
    if (answer.outcome !== given.outcome) throw new Error(`${given.what}: ${answer.outcome}`);
  }
  const { moves, isOptimal } = answer!;
  return timeFigure(samples, {
    hosts,
    what: given.what,
    detail: `${problem.consumers.length} consumers; ${moves.length} moves${isOptimal ? ', proven' : ''}`,
    checks: [{ bar: { atMost: MAX_MS } }],
  });
}

function answerOf(problem: RoomProblem): RoomAnswer {
  const steps = makeRoom(problem, new Effort());
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function problemOf({ count, VCPU, maxMoves }: RoomCase, hosts: number): RoomProblem {
  const sizes = Array.from({ length: hosts }, (_, host) => consumersOf(host));
  const trees = sizes.map((own): Tree => {
    const used = own.reduce((sum, size) => sum + size, 0);
    return [{ parent: null, inventories: { VCPU: { total: CORES, used } } }];
  });
  const snapshot = snapshotOfTrees(trees);
  const resourceClass = snapshot.classes.idOf('VCPU')!;
  const consumers = sizes.flatMap((own, host) =>
    own.map((amount, at) => ({
      uuid: `${host}.${at}`,
      allocations: [allocationOn(snapshot, host, resourceClass, amount)],
      canMove: true,
      isStated: false,
    })),
  );
  const requests = new Map(SIZES.map((size) => [size, requestOf([group('', { VCPU: size })])]));
  const workload: Workload = {
    members: [{ name: 'a', count, placement: 'ANY', requests: [requestOf([group('', { VCPU })])] }],
    topology: [],
  };
  return {
    snapshot,
    workload,
    held: [],
    consumers,
    requestOf: (consumer) => requests.get(consumers[consumer].allocations[0].resources[0].amount)!,
    maxMoves,
    seed: 1,
    isOver: () => false,
  };
}

/** Returns the sizes of the consumers of a host: 9 to 15 cores together. */
function consumersOf(host: number): number[] {
  const sizes: number[] = [];
  let left = 9 + ((host * 5) % 7);
  for (let at = 0; left > 0; at++) {
    const size = Math.min(SIZES[(host * 3 + at * 7) % SIZES.length], 2 ** Math.floor(Math.log2(left)));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

function allocationOn(
  snapshot: Snapshot,
  host: number,
  resourceClass: number,
  amount: number,
): CandidateAllocation {
  const { block, start, treeIndex } = treeOf(snapshot, host);
  return { provider: { block, row: start, treeIndex }, resources: [{ resourceClass, amount }] };
}
