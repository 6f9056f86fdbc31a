import type { CandidateOrder } from '../../src/model/request.js';
import { requestOf } from '../../src/model/request.js';
import { Operations } from '../../src/model/operation/operation.js';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { placeWorkload } from '../../src/moves/claim/workloadPlacement.js';
import { timeFigure, type Figure } from '../figure.js';
import { times } from '../hard/cases.js';
import { snapshotOfTrees, type Tree } from '../hard/fleet.js';
import { logProgress } from '../progress.js';
import { group } from '../requests.js';
import { Samples } from '../samples.js';
import { aggregateUuid } from './cases.js';

/** How many times longer a search with an order may take. */
const MOST = 1.5;
const RACKS_OF_FLEET = 11;

interface Ordered {
  readonly what: string;
  readonly trees: Iterable<Tree>;
  readonly amounts: Readonly<Record<string, number>>;
  readonly counts: readonly number[];
  readonly order: CandidateOrder;
  readonly isOptimal: boolean;
}

/** Yields hosts of two NUMA nodes, each with processors and memory, on which the usage differs. */
function* numaHosts(hosts: number): Generator<Tree> {
  for (let at = 0; at < hosts; at++)
    yield [
      { parent: null },
      ...times(2, (node) => ({
        parent: 0,
        inventories: {
          VCPU: { total: 64, used: (at * 7 + node * 13) % 50 },
          MEMORY_MB: { total: 131_072, used: ((at * 11 + node * 17) % 100) * 1024 },
        },
      })),
    ];
}

/** Yields 594 hosts of 8 GPUs in 11 racks, of which some are in use. */
function* gpuHosts(): Generator<Tree> {
  for (let at = 0; at < 594; at++)
    yield [
      {
        parent: null,
        inventories: { VGPU: { total: 8, used: (at * 5) % 9 } },
        aggregates: [aggregateUuid('rack', at % RACKS_OF_FLEET)],
      },
    ];
}

const racks = times(RACKS_OF_FLEET, (at) => aggregateUuid('rack', at));

/** Compares the time of equal consumers with an order to that without one. */
export async function equalOrderFigures(hosts: number, rounds: number): Promise<Figure[]> {
  const cases: Ordered[] = [
    {
      what: 'equal consumers with fewestProviders',
      trees: numaHosts(hosts),
      amounts: { VCPU: 4, MEMORY_MB: 4096 },
      counts: [2, 8, 60],
      order: { fewestProviders: true },
      isOptimal: true,
    },
    {
      what: 'single GPUs on 594 hosts with freeShare PACK',
      trees: gpuHosts(),
      amounts: { VGPU: 1 },
      counts: [60],
      order: { freeShare: { resourceClass: 'VGPU', strategy: 'PACK' } },
      isOptimal: false,
    },
    {
      what: 'single GPUs on 594 hosts with freeShare PACK of racks',
      trees: gpuHosts(),
      amounts: { VGPU: 1 },
      counts: [60],
      order: { freeShare: { resourceClass: 'VGPU', strategy: 'PACK', aggregates: racks } },
      isOptimal: true,
    },
  ];
  const figures: Figure[] = [];
  for (const one of cases) {
    const snapshot = snapshotOfTrees(one.trees);
    for (const count of one.counts) figures.push(await figureOf(one, snapshot, count, rounds));
  }
  return figures;
}

async function figureOf(one: Ordered, snapshot: Snapshot, count: number, rounds: number): Promise<Figure> {
  const what = `${count} ${one.what}, times the time without an order`;
  logProgress(what);
  const plain = requestOf([group('', one.amounts)]);
  const sums = { ordered: new Samples(), plain: new Samples() };
  for (let seed = 1; seed <= rounds + 2; seed++)
    for (const kind of ['plain', 'ordered'] as const) {
      const request = kind === 'plain' ? plain : { ...plain, orderBy: [one.order] };
      const { ms, isOptimal } = await placed(snapshot, request, count, seed);
      if (kind === 'ordered' && one.isOptimal && !isOptimal) throw new Error(`${what}: not proven`);
      // the first rounds compile
      if (seed > 2) sums[kind].add(ms);
    }
  const ratio = new Samples();
  ratio.add(sums.ordered.median / sums.plain.median);
  return {
    ...timeFigure(ratio, {
      hosts: snapshot.treeCount,
      what,
      detail: '',
      checks: [{ bar: { atMost: MOST } }],
    }),
    unit: 'times',
    count: rounds,
    detail: `${sums.ordered.median.toFixed(1)} and ${sums.plain.median.toFixed(1)} ms`,
  };
}

async function placed(
  snapshot: Snapshot,
  request: ReturnType<typeof requestOf>,
  count: number,
  seed: number,
) {
  const operation = new Operations().begin();
  const member = { name: 'a', count, requests: [request], placement: 'ANY' as const };
  const before = performance.now();
  const { isOptimal } = await placeWorkload(
    snapshot,
    { members: [member], topology: [] },
    { seed, operation, isOver: () => false },
  );
  const ms = performance.now() - before;
  operation.end();
  return { ms, isOptimal };
}
