import { ratioInterval, median, type Interval } from '../bootstrap.js';
import { Client } from '../client.js';
import { startFleetDatabase } from '../fleetDatabase.js';
import { machineLine } from '../machine.js';
import { interleavedPairs } from '../measure.js';
import type { Options } from '../options.js';
import { SERVER } from '../programs.js';
import { logProgress } from '../progress.js';
import { ServerProcess } from '../serverProcess.js';
import { targetsOf } from '../targets.js';
import { operationsOn, type Operation } from './operations.js';
import { checkOut } from './otherCommit.js';

/** The times of an operation in this commit and in the other one (medians, ms). */
export interface Comparison {
  readonly what: string;
  readonly here: number;
  readonly there: number;
  /** The time here divided by the time there. */
  readonly ratio: number;
  readonly interval: Interval | null;
}

/**
 * Runs the same operations on the servers of this commit and of another one in turn. Each server
 * has its own fleet in one database server. Returns a report of the times and their ratios.
 */
export async function compare(options: Options, ref: string): Promise<string> {
  const other = await checkOut(ref, options.directory);
  const sections: string[] = [];
  for (const hosts of options.hosts) {
    logProgress(`preparing two fleets of ${hosts} hosts`);
    const database = await startFleetDatabase(options, hosts);
    sections[0] ??= await machineLine({ database });
    const here = await ServerProcess.start({ ...SERVER, databaseUrl: await database.url() });
    const databaseUrl = await database.fleet(`placement_${other.name}`);
    const there = await ServerProcess.start({ program: other.program, databaseUrl });
    const clients = [new Client(here.url), new Client(there.url)] as const;
    const operations = operationsOn(targetsOf(hosts, options.seed));
    const compared = await comparisons(operations, clients, options.repetitions);
    for (const client of clients) client.close();
    await Promise.all([here.stop(), there.stop()]);
    await database.close();
    sections.push(`${hosts.toLocaleString('en')} hosts, beside ${other.name}\n\n${report(compared)}`);
  }
  return sections.join('\n\n');
}

/** Compares only the operations that both servers support. */
async function comparisons(
  operations: readonly Operation[],
  [here, there]: readonly [Client, Client],
  rounds: number,
): Promise<Comparison[]> {
  const known: Operation[] = [];
  for (const operation of operations)
    if ((await isAnswered(operation, here)) && (await isAnswered(operation, there))) known.push(operation);
  const works = known.flatMap((operation) =>
    [here, there].map((client) => async () => {
      const { ms } = await operation.ask(client);
      await operation.cleanUp?.(client);
      return ms;
    }),
  );
  const samples = await interleavedPairs(works, rounds);
  return known.map(({ what }, at) => {
    const [mine, other] = [samples[2 * at].times, samples[2 * at + 1].times];
    const interval = ratioInterval(mine, other, median);
    return {
      what,
      here: median(mine),
      there: median(other),
      ratio: median(mine) / median(other),
      interval,
    };
  });
}

async function isAnswered({ ask, cleanUp }: Operation, client: Client): Promise<boolean> {
  const answer = await ask(client);
  if (answer.text().includes('"errors":')) return false;
  await cleanUp?.(client);
  return true;
}

/** Returns a line for each operation with the verdict by its interval. */
function report(comparisons: readonly Comparison[]): string {
  const width = Math.max(...comparisons.map(({ what }) => what.length));
  return comparisons
    .map(({ what, here, there, ratio, interval }) => {
      const times = `${here.toFixed(2).padStart(8)} ms, there ${there.toFixed(2).padStart(8)} ms`;
      const range = interval === null ? '' : ` (${interval.low.toFixed(3)} to ${interval.high.toFixed(3)})`;
      return `${what.padEnd(width)}  ${times}, ${ratio.toFixed(3)} times${range}  ${verdict(interval)}`.trimEnd();
    })
    .join('\n');
}

function verdict(interval: Interval | null): string {
  if (interval === null) return '';
  if (interval.low > 1) return 'SLOWER';
  return interval.high < 1 ? 'faster' : 'no change seen';
}
