import { planRequest } from '../../src/search/plan.js';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { Search } from '../../src/search/search.js';
import type { Bench } from '../bench.js';
import { timeFigure, type Figure } from '../figure.js';
import { logProgress } from '../progress.js';
import { Samples } from '../samples.js';
import { treesOf, unlike, type HardCase } from './cases.js';
import { HARD_CASES } from './corpus.js';
import { snapshotOfTrees } from './fleet.js';

/** The maximum number of providers. To limit memory, fleets of large hosts have fewer hosts. */
const MOST_PROVIDERS = 3_000_000;
const MOST_MS = 1_000;

/**
 * Measures the processor time of each hard search alone: if nothing fits, if only the last host
 * fits, and with a tenth as many hosts that all differ.
 */
export function hardFigures({ hosts, options }: Pick<Bench, 'hosts' | 'options'>): Promise<Figure[]> {
  const rounds = Math.max(1, Math.ceil(options.repetitions / 100));
  return Promise.resolve(
    HARD_CASES.flatMap((hardCase) => [
      figureOf(hardCase, hosts, false, rounds),
      figureOf(hardCase, hosts, true, rounds),
      figureOf(unlike(hardCase), Math.ceil(hosts / 10), false, 1),
    ]),
  );
}

function figureOf(hardCase: HardCase, wanted: number, fits: boolean, rounds: number): Figure {
  const hosts = Math.min(wanted, Math.floor(MOST_PROVIDERS / hardCase.fitting.length));
  const what = `${hardCase.family}: ${hardCase.what}${fits ? ', in the last host' : ''}`;
  logProgress(what);
  const snapshot = snapshotOfTrees(treesOf(hardCase, hosts, fits));
  const samples = new Samples();
  let search: Search | null = null;
  for (let seed = 1; seed <= rounds; seed++) {
    const before = process.cpuUsage();
    search = searched(snapshot, hardCase, seed);
    const { user, system } = process.cpuUsage(before);
    samples.add((user + system) / 1_000);
  }
  const { candidates, effort } = search!;
  return timeFigure(samples, {
    hosts: wanted,
    what,
    detail: `${candidates.length} found in ${hosts} hosts, ${effort.treesVisited} searched, ${effort.partialAssignments} choices`,
    checks: [{ bar: { atMost: MOST_MS } }],
  });
}

function searched(snapshot: Snapshot, { request }: HardCase, seed: number): Search {
  const plan = planRequest(snapshot, request);
  if (plan === null) throw new Error('a hard search names what its fleet has');
  const search = new Search(snapshot, plan, { limit: 10, seed });
  search.run();
  return search;
}
