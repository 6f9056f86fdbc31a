import { planWorkload } from '../../src/moves/workload/workload.js';
import { WorkloadSearch } from '../../src/moves/workload/workloadSearch.js';
import type { Bench } from '../bench.js';
import { timeFigure, type Figure } from '../figure.js';
import { snapshotOfTrees } from '../hard/fleet.js';
import { logProgress } from '../progress.js';
import { Samples } from '../samples.js';
import { CASES, type WorkloadCase } from './cases.js';
import { equalOrderFigures } from './equalOrders.js';
import { PROOFS } from './proofs.js';
import { roomFigures } from './makeRoom.js';
import { rememberedMemory } from './remembered.js';
import { placeMembers, placeWhole, stream } from './stream.js';

const MAX_MS = 5_000;
const STREAMS = 20;

/**
 * Measures each workload alone. Compares streams of workloads with members that are claimed one
 * after another.
 */
export async function workloadFigures({
  hosts,
  options,
}: Pick<Bench, 'hosts' | 'options'>): Promise<Figure[]> {
  const rounds = Math.max(1, Math.ceil(options.repetitions / 15));
  return [
    ...[...CASES, ...PROOFS].map((one) => figureOf(one, hosts, rounds)),
    ...(await equalOrderFigures(hosts, options.repetitions)),
    ...roomFigures(hosts, rounds),
    rememberedMemory(),
    streamFigure(hosts),
  ];
}

/** Measures the processor time of the search alone. */
function figureOf(workloadCase: WorkloadCase, hosts: number, rounds: number): Figure {
  logProgress(workloadCase.what);
  const snapshot = snapshotOfTrees(workloadCase.trees(hosts));
  const workload = planWorkload(snapshot, workloadCase.workload(hosts));
  const samples = new Samples();
  let answer: WorkloadSearch['answer'] = { kind: 'UNDECIDED' };
  for (let seed = 1; seed <= rounds; seed++) {
    const before = process.cpuUsage();
    const search = new WorkloadSearch(snapshot, workload, { seed });
    search.run();
    const { user, system } = process.cpuUsage(before);
    samples.add((user + system) / 1_000);
    answer = search.answer;
    assertExpected(answer, workloadCase, hosts);
  }
  return timeFigure(samples, {
    hosts: snapshot.treeCount,
    what: workloadCase.what,
    detail: detailOf(answer),
    checks: [{ bar: { atMost: workloadCase.maxMs ?? MAX_MS } }],
  });
}

function assertExpected(
  answer: WorkloadSearch['answer'],
  { what, expected, isOptimal = false, fit }: WorkloadCase,
  hosts: number,
): void {
  const isExpected =
    answer.kind === expected &&
    (answer.kind !== 'FOUND' || answer.isOptimal || !isOptimal) &&
    (answer.kind !== 'IMPOSSIBLE' || fit === undefined || sumOf(answer.fit) === fit(hosts));
  if (!isExpected) throw new Error(`${what}: ${detailOf(answer)}`);
}

function detailOf(answer: WorkloadSearch['answer']): string {
  if (answer.kind === 'UNDECIDED') return 'undecided';
  if (answer.kind === 'FOUND') return answer.isOptimal ? 'found, the best' : 'found, perhaps not the best';
  return `impossible: ${sumOf(answer.fit)} of ${answer.requested} fit${answer.isLargest ? '' : ' at least'}`;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The admitted workloads of 20 seeds, as a multiple of those admitted member by member. */
function streamFigure(hosts: number): Figure {
  logProgress('streams of workloads');
  const ratios: number[] = [];
  const sums = { whole: 0, members: 0, fragmentation: [0, 0], seconds: [0, 0] };
  for (let seed = 1; seed <= STREAMS; seed++) {
    const [whole, members] = [stream(seed, placeWhole), stream(seed, placeMembers)];
    ratios.push(whole.admitted / members.admitted);
    sums.whole += whole.admitted;
    sums.members += members.admitted;
    [whole, members].forEach(({ fragmentation, seconds }, at) => {
      sums.fragmentation[at] += fragmentation / STREAMS;
      sums.seconds[at] += seconds;
    });
  }
  const worst = Math.min(...ratios);
  const [together, apart] = sums.fragmentation.map((share) => `${(100 * share).toFixed(1)} %`);
  const seconds = sums.seconds.map((all) => `${all.toFixed(1)} s`).join(' and ');
  return {
    hosts,
    what: `streams of workloads, seeds 1 to ${STREAMS}, admitted beside member by member`,
    value: ratios.reduce((sum, ratio) => sum + ratio, 0) / STREAMS,
    unit: 'times',
    count: STREAMS,
    detail:
      `${sums.whole} and ${sums.members} admitted, worst seed ${worst.toFixed(3)} (${ratios.indexOf(worst) + 1}); ` +
      `free amount in partly used devices ${together} and ${apart}; ${seconds}`,
    checks: [{ bar: { atLeast: 1 } }],
  };
}
