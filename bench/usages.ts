import type { Bench } from './bench.js';
import { Client, MINIMAL } from './client.js';
import type { Figure } from './figure.js';
import { interleavedRates, type Rate } from './measure.js';

const CLIENTS = 16;
/** Per second, of OpenStack Placement. */
const REFERENCE = 214;

const USAGES =
  'query ($uuid: UUID!) { resourceProvider(by: { uuid: $uuid }) { usages { resourceClass { name } used } } }';

/** The usages of one provider, asked for by many at a time, beside as many minimal queries. */
export async function usageFigures({ hosts, options, targets: landmarks, server }: Bench): Promise<Figure[]> {
  const clients = Array.from({ length: CLIENTS }, () => new Client(server.url));
  let next = 0;
  const variables = (): object => ({ uuid: landmarks.nodes[next++ % landmarks.nodes.length] });
  const { resourceProvider } = await clients[0].ask<{ resourceProvider: { usages: unknown[] } }>(
    USAGES,
    variables(),
  );
  const [own, minimal] = await interleavedRates(
    [
      { clients: clients.map((client) => async () => (await client.send(USAGES, variables())).ms) },
      { clients: clients.map((client) => async () => (await client.send(MINIMAL)).ms) },
    ],
    5 * options.repetitions,
  );
  for (const client of clients) client.close();
  const row = ({ perSecond, times }: Rate) =>
    ({ hosts, value: perSecond, unit: '/s', p99: times.p99, count: times.count, checks: [] }) as const;
  const yardstick = { name: MINIMAL, value: minimal.perSecond, unit: '/s' } as const;
  return [
    {
      ...row(own),
      what: `usages of one provider, ${CLIENTS} clients`,
      detail: `${resourceProvider.usages.length} classes, median ${own.times.median.toFixed(1)} ms`,
      reference: REFERENCE,
      checks: [{ yardstick, bar: { atLeast: 0.5 } }],
    },
    {
      ...row(minimal),
      what: `${MINIMAL}, ${CLIENTS} clients`,
      detail: `median ${minimal.times.median.toFixed(1)} ms`,
    },
  ];
}
