import type { Bench } from './bench.js';
import { Claims } from './claims.js';
import { seriesOfRates, type Figure } from './figure.js';
import { interleavedRates, type Rate } from './measure.js';
import { OWNER } from './requests.js';

const CLIENTS = 16;
const ROUNDS = 10;

/** The limited classes. Null: the number of consumers. A claim of the benchmark raises each of them. */
const CLASSES = ['VCPU', 'MEMORY_MB', null];

/** A limit that no claim of the benchmark reaches. */
const FAR = 2 ** 40;

const FREE = 'claims without quotas, 16 clients';

/** Measures claims of a project with limits of three classes, in turn with claims while there are no quotas. */
export async function quotaFigures({ hosts, options, server, client, targets }: Bench): Promise<Figure[]> {
  const claims = new Claims(server.url, targets.nodes, CLIENTS);
  const set = (limit: number | null): Promise<void> => {
    const limits = CLASSES.map((resourceClass) => ({ resourceClass, limit }));
    return client.change('setQuotas', { projects: { projectId: OWNER.projectId, limits } });
  };
  // the end of each slice prepares the next one
  const releasing = (limit: number | null) => async (consumers: string[]) => {
    await claims.release(consumers);
    await set(limit);
  };
  try {
    await set(FAR);
    const loads = [claims.load(releasing(null)), claims.load(releasing(FAR))];
    const [limited, free] = await interleavedRates(loads, 15 * options.repetitions, ROUNDS);
    await set(null);
    const yardstick = {
      name: FREE,
      value: free.perSecond,
      unit: '/s',
      series: seriesOfRates(free.slices),
    } as const;
    const figure = (what: string, rate: Rate, checks: Figure['checks']): Figure => ({
      hosts,
      what,
      value: rate.perSecond,
      unit: '/s',
      series: seriesOfRates(rate.slices),
      p99: rate.times.p99,
      count: rate.times.count,
      detail: `median ${rate.times.median.toFixed(1)} ms`,
      checks,
    });
    return [
      figure('claims with quotas on three classes, 16 clients', limited, [
        { yardstick, bar: { atLeast: 0.93 } },
      ]),
      figure(FREE, free, []),
    ];
  } finally {
    claims.close();
  }
}
