import type { Bench } from './bench.js';
import { Client, MINIMAL } from './client.js';
import { seriesOfRates, type Figure } from './figure.js';
import { interleavedRates, timed, type Rate } from './measure.js';

const CLIENTS = 16;
/** The requests per second of OpenStack Placement. */
const REFERENCE = 214;
const TIMES_REFERENCE = 8;

const USAGES =
  'query ($uuid: UUID!) { resourceProvider(by: { uuid: $uuid }) { usages { resourceClass { name } used } } }';

/** The statement that reads the usages, with the id of the provider known beforehand. */
const SQL = `SELECT k.name, SUM(a.used) AS used
  FROM inventories i JOIN resource_classes k ON k.id = i.resource_class_id
  LEFT JOIN allocations a ON a.resource_provider_id = i.resource_provider_id AND a.resource_class_id = i.resource_class_id
  WHERE i.resource_provider_id = ? GROUP BY k.name`;

/**
 * Measures the usages of one provider with many clients at a time. Compares them with as many
 * minimal queries and with as many reads in bare SQL.
 */
export async function usageFigures({
  hosts,
  options,
  targets: { nodes },
  server,
  database,
}: Bench): Promise<Figure[]> {
  const clients = Array.from({ length: CLIENTS }, () => new Client(server.url));
  let next = 0;
  const variables = (): object => ({ uuid: nodes[next++ % nodes.length] });
  const { resourceProvider } = await clients[0].ask<{ resourceProvider: { usages: unknown[] } }>(
    USAGES,
    variables(),
  );
  const reader = database.open(CLIENTS);
  const ids = (
    await reader.pool.query<{ id: number }[]>('SELECT id FROM resource_providers WHERE uuid IN (?)', [nodes])
  ).map(({ id }) => id);
  const bare = timed(() => reader.pool.query(SQL, [ids[next++ % ids.length]]));
  const [own, minimal, sql] = await interleavedRates(
    [
      { clients: clients.map((client) => async () => (await client.send(USAGES, variables())).ms) },
      { clients: clients.map(({ minimal }) => minimal) },
      { clients: clients.map(() => bare) },
    ],
    15 * options.repetitions,
  );
  for (const client of clients) client.close();
  await reader.close();
  const measured = ({ perSecond, slices }: Rate) =>
    ({ value: perSecond, unit: '/s', series: seriesOfRates(slices) }) as const;
  const row = ({ times, ...rate }: Rate) => {
    const { p99, count } = times;
    return { hosts, ...measured({ times, ...rate }), p99, count, checks: [] } as const;
  };
  return [
    {
      ...row(own),
      what: `usages of one provider, ${CLIENTS} clients`,
      detail: `${resourceProvider.usages.length} classes, median ${own.times.median.toFixed(1)} ms`,
      reference: REFERENCE,
      checks: [
        { yardstick: { name: MINIMAL, ...measured(minimal) } },
        { yardstick: { name: 'as bare SQL', ...measured(sql) }, bar: { atLeast: 0.4 } },
        { bar: { atLeast: TIMES_REFERENCE * REFERENCE } },
      ],
    },
    {
      ...row(minimal),
      what: `${MINIMAL}, ${CLIENTS} clients`,
      detail: `median ${minimal.times.median.toFixed(1)} ms`,
    },
  ];
}
