import { randomUUID } from 'node:crypto';
import { SqlClaims } from './sqlClaims.js';
import type { Bench } from './bench.js';
import { Client } from './client.js';
import { seriesOfRates, type Check, type Figure } from './figure.js';
import { interleavedRates, type Load, type Rate } from './measure.js';
import { STUB } from './programs.js';
import { claimOf, SET_ALLOCATIONS } from './requests.js';
import { ServerProcess } from './serverProcess.js';

const CLIENTS = [1, 4, 16, 64];
/** The number of clients to which the bars apply. */
const CHECKED = 16;

/** Claims per second of OpenStack Placement at 1,000 hosts, by the number of clients. */
const REFERENCE: Readonly<Record<number, number>> = { 1: 31, 4: 59, 16: 68 };
const TIMES_REFERENCE = 15;

/**
 * Measures claims of two classes on one provider by several clients at a time, each on other
 * providers. Compares them with the same mutation with a resolver that does nothing, and with the
 * statements of a claim alone.
 */
export async function claimFigures(bench: Bench): Promise<Figure[]> {
  const stub = await ServerProcess.start({ ...STUB, databaseUrl: await bench.database.url('devices') });
  const figures: Figure[] = [];
  try {
    for (const clients of CLIENTS) figures.push(...(await withClients(bench, stub, clients)));
  } finally {
    await stub.stop();
  }
  return figures;
}

async function withClients(bench: Bench, stub: ServerProcess, count: number): Promise<Figure[]> {
  const own = new Claims(bench.server.url, bench.targets.nodes, count);
  const stubbed = new Claims(stub.url, bench.targets.nodes, count);
  const bare = await SqlClaims.open(bench, count);
  try {
    const release = (consumers: string[]): Promise<void> => own.release(consumers);
    const loads = [own.load(release), stubbed.load(forget), bare.load(release)];
    const [real, empty, sql] = await interleavedRates(loads, 15 * bench.options.repetitions);
    return figuresOf(bench.hosts, count, { real, empty, sql });
  } finally {
    own.close();
    stubbed.close();
    await bare.close();
  }
}

function figuresOf(
  hosts: number,
  count: number,
  rates: Readonly<Record<'real' | 'empty' | 'sql', Rate>>,
): Figure[] {
  const { real, empty, sql } = rates;
  const isChecked = count === CHECKED;
  const clients = count === 1 ? '1 client' : `${count} clients`;
  const rate = (what: string, { perSecond, times, slices }: Rate, checks: readonly Check[]): Figure => ({
    hosts,
    what: `${what}, ${clients}`,
    value: perSecond,
    unit: '/s',
    series: seriesOfRates(slices),
    p99: times.p99,
    count: times.count,
    detail: `median ${times.median.toFixed(1)} ms`,
    checks,
  });
  const yardstick = (name: string, { perSecond, slices }: Rate) =>
    ({ name, value: perSecond, unit: '/s', series: seriesOfRates(slices) }) as const;
  const main = rate('claims', real, [
    { yardstick: yardstick('with a stub resolver', empty) },
    { yardstick: yardstick('as bare SQL', sql), bar: isChecked ? { atLeast: 0.8 } : undefined },
    ...(isChecked ? [{ bar: { atLeast: TIMES_REFERENCE * REFERENCE[CHECKED] } }] : []),
  ]);
  return [
    { ...main, reference: REFERENCE[count] },
    rate('claims with a stub resolver', empty, []),
    rate('claims as bare SQL', sql, []),
  ];
}

/** Clients that claim, and delete their claims. */
export class Claims {
  private readonly clients: Client[];
  private readonly consumers: string[] = [];
  private next = 0;

  constructor(
    url: string,
    private readonly providers: readonly string[],
    count: number,
  ) {
    this.clients = Array.from({ length: count }, () => new Client(url));
  }

  /** After each slice `release` receives the consumers with claims. */
  load(release: (consumers: string[]) => Promise<void>): Load {
    return {
      clients: this.clients.map((client) => () => this.claim(client)),
      cleanUp: () => release(this.consumers),
    };
  }

  private async claim(client: Client): Promise<number> {
    const consumer = randomUUID();
    const { ms, text } = await client.send(SET_ALLOCATIONS, {
      input: { consumers: [claimOf(consumer, this.provider())] },
    });
    if (!text().includes('SetAllocationsPayload')) throw new Error(`a claim failed: ${text()}`);
    this.consumers.push(consumer);
    return ms;
  }

  /** Chooses providers round robin, so that clients do not conflict. */
  private provider(): string {
    return this.providers[this.next++ % this.providers.length];
  }

  /** Deletes the allocations of consumers, and removes the consumers from the list. */
  async release(consumers: string[]): Promise<void> {
    const work = async (client: Client): Promise<void> => {
      for (let consumer = consumers.pop(); consumer !== undefined; consumer = consumers.pop()) {
        await client.change('deleteConsumer', { consumer });
      }
    };
    await Promise.all(this.clients.map(work));
  }

  close(): void {
    for (const client of this.clients) client.close();
  }
}

/** Empties the list without requests, because the stub stores no claims. */
function forget(consumers: string[]): Promise<void> {
  consumers.length = 0;
  return Promise.resolve();
}
