import { randomUUID } from 'node:crypto';
import type { Bench } from './bench.js';
import { MINIMAL, type Client } from './client.js';
import { against, timeFigure, type Figure } from './figure.js';
import { interleaved } from './measure.js';
import { allocationsOn } from './requests.js';

const CONSUMERS = 50;
/** The resources of each consumer. */
const MACHINE = { VCPU: 4, MEMORY_MB: 8_192, DISK_GB: 20 };
/** The maximum time of a plan (ms). */
const BAR = 200;

const PLAN = `query ($host: UUID!) {
  planDrain(from: { providers: { uuid: $host } }) {
    complete
    moves {
      consumer { uuid generation projectId userId }
      allocationRequest { allocations { resourceProvider { uuid name } resources { resourceClass { name } amount } } }
    }
    totalsBefore { resourceClass { name } capacity used }
    totalsAfter { resourceClass { name } capacity used }
  }
}`;

/**
 * Measures a plan that drains 50 consumers of a host beside the fleet, with the fleet's totals
 * before and after.
 */
export async function drainFigures({ hosts, options, client }: Bench): Promise<Figure[]> {
  const host = randomUUID();
  const consumers = await fill(client, host);
  const { planDrain } = await client.ask<{ planDrain: { complete: boolean; moves: unknown[] } }>(PLAN, {
    host,
  });
  if (!planDrain.complete || planDrain.moves.length !== CONSUMERS)
    throw new Error(`the fleet has no room for ${CONSUMERS} consumers: give it more hosts`);
  const rounds = Math.ceil(options.repetitions / 5);
  const [plans, minimal] = await interleaved(
    [async () => (await client.send(PLAN, { host })).ms, client.minimal],
    rounds,
  );
  for (const consumer of consumers) await client.change('deleteConsumer', { consumer });
  await client.change('deleteResourceProvider', {
    resourceProvider: { uuid: host },
  });
  return [
    timeFigure(plans, {
      hosts,
      what: 'drain plan',
      detail: `${CONSUMERS} consumers, totals before and after`,
      checks: [against(MINIMAL, minimal), { bar: { atMost: BAR } }],
    }),
  ];
}

/** Creates the host and its consumers. */
async function fill(client: Client, host: string): Promise<string[]> {
  const consumers = Array.from({ length: CONSUMERS }, () => randomUUID());
  const inventories = Object.entries(MACHINE).map(([resourceClass, amount]) => ({
    resourceClass,
    total: CONSUMERS * amount,
  }));
  await client.change('applyProviderTree', {
    root: { uuid: host, name: `bench-${host}`, inventories },
  });
  await client.change('setAllocations', {
    consumers: consumers.map((consumer) => allocationsOn(consumer, host, MACHINE)),
  });
  return consumers;
}
