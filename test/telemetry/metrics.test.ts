import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test, jest } from '@jest/globals';
import { Metrics } from '../../src/server/telemetry/telemetry.js';
import { Activity } from '../../src/model/observation.js';
import { startApi, type Api } from '../support/api.js';
import { takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { postJson } from '../support/httpPost.js';
import { ObservedServer, useObservedServer } from './server.js';

const LARGE = 'aaaaaaaa-0000-4000-8000-000000000001';
const SMALL = 'aaaaaaaa-0000-4000-8000-000000000002';
const HOSTS = 3;

let api: Api;
let hosts: string[];
afterAll(() => api?.close());

/** Three hosts, two of them in one aggregate and one in another, of which figures of the larger alone are kept. */
const { database, server } = useObservedServer(async (empty) => {
  api = await startApi(empty, { hasBackground: false });
  hosts = [];
  for (let at = 0; at < HOSTS; at++) {
    const node = { name: `numa ${at}`, inventories: { VCPU: { total: 8, allocationRatio: 2 } } };
    const aggregates = [at === 0 ? SMALL : LARGE];
    hosts.push((await createProviders(api, { name: `host ${at}`, aggregates, children: [node] }))[node.name]);
  }
  return { aggregates: 1, hasBackground: false };
});

const CLAIM =
  'mutation Claim($consumers: [ConsumerAllocationsInput!]!) { setAllocations(input: { consumers: $consumers }) { __typename } }';
const claim = (provider: string, amount: number) =>
  server.ask(CLAIM, { consumers: [takes(randomUUID(), null, { [provider]: { VCPU: amount } })] });

const metric = (series: string) => server.metric(`placement_graphql_${series}`);

/** How much series have grown meanwhile. */
async function growth(work: () => Promise<unknown>, ...series: string[]): Promise<number[]> {
  const names = series.map((each) => `placement_graphql_${each}`);
  const values = async () => (await server.values(names)).map((value) => value ?? 0);
  const before = await values();
  await work();
  return (await values()).map((value, at) => value - before[at]);
}

test('the answer is in the text format of Prometheus', async () => {
  const { headers } = await fetch(`${server.origin}/metrics`);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  for (const line of (await server.metrics()).split('\n'))
    expect(line).toMatch(
      /^(# (HELP|TYPE) \w+ .+|[a-z_]+(\{(\w+="[^"]*",?)+\})? [-+.\deE]+|[a-z_]+(\{.*\})? \+?(Inf|NaN)|)$/,
    );
});

test('events that have not happened yet are exported as 0', async () => {
  const fresh = await ObservedServer.start(database.url);
  try {
    const series = [
      'operations_total{kind="mutation",operation="",status="200"}',
      'operation_errors_total{code="INTERNAL_SERVER_ERROR"}',
      'operation_errors_total{code="OUTCOME_UNKNOWN"}',
      'operation_errors_total{code="CAPACITY_EXCEEDED"}',
      'operation_duration_seconds_count{kind="query"}',
      'http_responses_total{status="503"}',
      'transaction_retries_total{reason="unavailable"}',
      'claims_total{outcome="failed"}',
      'snapshot_read_duration_seconds_count{kind="refresh"}',
      'log_bytes_dropped_total',
    ];
    const values = await fresh.values(series.map((each) => `placement_graphql_${each}`));
    expect(series.filter((_, at) => values[at] !== 0)).toEqual([]);
  } finally {
    await fresh.close();
  }
});

describe('operations', () => {
  test('are counted by kind, name and status, and timed by kind and field', async () => {
    const grown = await growth(
      () => server.ask('query Names { a: trait(name: "X") { name } resourceClass(name: "VCPU") { name } }'),
      'operations_total{kind="query",operation="Names",status="200"}',
      'operation_duration_seconds_count{kind="query"}',
      'field_duration_seconds_count{field="trait"}',
      'field_duration_seconds_count{field="resourceClass"}',
      'http_responses_total{status="200"}',
    );
    expect(grown.slice(0, 4)).toEqual([1, 1, 1, 1]);
    expect(grown[4]).toBeGreaterThan(0); // reading the metrics is a response, too
    const read = () => server.ask('{ traits(filter: { startsWith: "X" }) { name } }');
    expect((await growth(read, 'operation_statements_total'))[0]).toBeGreaterThan(0);
  });

  test('that cannot run have no kind; errors and rejections are counted by code', async () => {
    const counted = ['operations_total{kind="none",operation="",status="200"}'];
    for (const code of ['GRAPHQL_VALIDATION_FAILED', 'INVALID_INPUT'])
      counted.push(`operation_errors_total{code="${code}"}`);
    expect(await growth(() => server.ask('{ nothing }'), ...counted)).toEqual([1, 1, 0]);
    const rejected = 'mutation { createTrait(input: { name: "bad name" }) { __typename } }';
    expect(await growth(() => server.ask(rejected), ...counted)).toEqual([0, 0, 1]);
  });

  test('series of unused names are replaced by those of new names', async () => {
    const metrics = new Metrics({ version: '1', aggregates: 0 });
    const ended = (name: string): void => {
      const facts = { kind: 'query', name, fields: [] };
      metrics.operationEnded({ facts, status: 200, activity: new Activity() } as never, 1);
    };
    const clock = jest.spyOn(performance, 'now');
    const began = performance.now();
    for (let name = 0; name < 150; name++) ended(`old${name}`);
    await new Promise((resolve) => setTimeout(resolve, 10)); // the cache reads the clock once per millisecond
    clock.mockReturnValue(began + 2 * 3_600_000);
    ended('fresh');
    clock.mockRestore();
    const text = await metrics.registry.metrics();
    expect(text).toContain('operation="fresh"');
    expect(text).not.toContain('operation="old1"');
  });

  test('of more names than a hundred are counted together', async () => {
    for (let at = 0; at < 120; at++) await server.ask(`query Name${at} { __typename }`);
    const names = [...(await server.metrics()).matchAll(/operations_total\{kind="\w+",operation="(\w+)"/g)];
    expect(new Set(names.map(([, name]) => name)).size).toBe(101);
    expect(await metric('operations_total{kind="query",operation="other",status="200"}')).toBeGreaterThan(15);
  });

  test('tell the work of their searches', async () => {
    const search = () =>
      server.ask(`{ allocationCandidates(request: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }, limit: 1) {
        allocationRequests { allocations { resources { amount } } } } }`);
    const [count, sum] = await growth(search, 'search_effort_count', 'search_effort_sum');
    expect(count).toBe(1);
    expect(sum).toBeGreaterThan(0);
  });
});

describe('writes', () => {
  test('claims are counted by what became of them, and by how many shared a transaction', async () => {
    const many = () => Promise.all(Array.from({ length: 8 }, () => claim(hosts[0], 1)));
    const counted = ['claims_total{outcome="written"}', 'claim_batch_size_sum', 'claim_batch_size_count'];
    const [written, sum, batches] = await growth(many, ...counted);
    expect([written, sum]).toEqual([8, 8]);
    expect(batches).toBeLessThan(8);
    expect(await growth(() => claim(hosts[0], 999), 'claims_total{outcome="rejected"}')).toEqual([1]);
    expect(
      (await metric('operation_errors_total{code="CAPACITY_EXCEEDED"}')) ??
        (await metric('operation_errors_total{code="UNIT_VIOLATION"}')),
    ).toBe(1);
  });

  test('conflicts are counted', async () => {
    const write = () => server.writeWithConflict();
    expect(await growth(write, 'transaction_retries_total{reason="conflict"}')).toEqual([1]);
  });
});

describe('the process', () => {
  test('tells how it reads its snapshot, and of what size and age that is', async () => {
    const { snapshots } = server.process;
    const read = 'snapshot_read_duration_seconds_count';
    expect(await metric(`${read}{kind="load"}`)).toBe(1);
    await snapshots.current();
    expect((await growth(() => snapshots.current(), `${read}{kind="check"}`))[0]).toBeGreaterThan(0);
    await claim(hosts[1], 1);
    expect(await growth(() => snapshots.current(), `${read}{kind="refresh"}`)).toEqual([1]);
    expect([await metric('snapshot_providers'), await metric('snapshot_trees')]).toEqual([2 * HOSTS, HOSTS]);
    expect(await metric('snapshot_column_bytes')).toBeGreaterThan(100);
    expect(await metric('snapshot_age_seconds')).toBeLessThan(16);
  });

  test('tells what waits, and what its pools do', async () => {
    // has never written, so that no lease is renewed while all connections are taken
    const idle = await ObservedServer.start(database.url, { hasBackground: false });
    const figure = (series: string) => idle.metric(`placement_graphql_${series}`);
    try {
      const { pool } = idle.process.database;
      const taken = await Promise.all(Array.from({ length: 10 }, () => pool.getConnection()));
      const waiting = pool.getConnection();
      expect(await figure('pool_connections{pool="reads",state="active"}')).toBe(10);
      expect(await figure('pool_waiting{pool="reads"}')).toBe(1);
      for (const connection of taken) await connection.release();
      await (await waiting).release();
      expect(await figure('pool_connections{pool="reads",state="active"}')).toBe(0);
      for (const queue of ['small_operations', 'large_operations', 'connections', 'claims'])
        expect(await figure(`queue_length{queue="${queue}"}`)).toBe(0);
    } finally {
      await idle.close();
    }
  });

  test('tells how many streams of events are open', async () => {
    const ending = new AbortController();
    const response = await postJson(
      `${server.origin}/graphql`,
      { query: 'subscription { resourceProviderChanged { cursor } }' },
      { accept: 'text/event-stream' },
      { signal: ending.signal },
    );
    expect(response.status).toBe(200);
    while ((await metric('event_streams')) !== 1);
    ending.abort();
    while ((await metric('event_streams')) !== 0);
  });
});

test('fleet metrics are grouped by resource class and by the aggregates with the most providers', async () => {
  const fresh = await ObservedServer.start(database.url, { aggregates: 1 });
  try {
    const used = (
      await database.pool.query<{ used: number }[]>('SELECT SUM(used) AS used FROM allocations')
    )[0].used;
    const fleet = (name: string, labels: string) => fresh.metric(`placement_graphql_${name}{${labels}}`);
    expect(used).toBeGreaterThan(0);
    expect(await fleet('fleet_capacity', 'resource_class="VCPU"')).toBe(16 * HOSTS);
    expect(await fleet('fleet_used', 'resource_class="VCPU"')).toBe(used);
    expect(await fleet('fleet_available', 'resource_class="VCPU"')).toBe(16 * HOSTS - used);
    expect(await fleet('aggregate_capacity', `aggregate="${LARGE}",resource_class="VCPU"`)).toBe(32);
    expect(await fleet('aggregate_capacity', `aggregate="${SMALL}",resource_class="VCPU"`)).toBeUndefined();
    expect(await fresh.metric('placement_graphql_aggregates_omitted')).toBe(1);
  } finally {
    await fresh.close();
  }
});

test('each of several processes returns the sums of all', async () => {
  const cluster = spawn(process.execPath, ['test/support/metricsCluster.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(cluster.stdout, 'data')) as [Buffer];
    const text = await (await fetch(line.toString().trim())).text();
    expect(text).toContain('placement_graphql_http_responses_total{status="200"} 3\n');
    expect(text).toContain('placement_graphql_queue_length{queue="claims"} 4\n');
    expect(text).toMatch(/^placement_graphql_build_info\{version="1.2.3",node="v[\d.]+"\} 1$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m);
  } finally {
    cluster.kill('SIGKILL');
  }
});

test('docs/guides/observing.md lists every metric with its type and labels', () => {
  const page = readFileSync('docs/guides/observing.md', 'utf8');
  const listed = [...page.matchAll(/^\| `(placement_graphql_\w+)`\s*\|(.*)\|(.*)\|(.*)\|$/gm)].map((row) =>
    row.slice(1).map((cell) => cell.trim()),
  );
  const metrics = server.process.telemetry!.metrics!.registry.getMetricsAsArray() as unknown as {
    readonly name: string;
    readonly type: string;
    readonly help: string;
    readonly labelNames: readonly string[];
  }[];
  const rows = metrics.map(({ name, type, help, labelNames }) => [
    name,
    type,
    labelNames
      .filter((label) => label !== 'le')
      .map((label) => `\`${label}\``)
      .join(', '),
    help,
  ]);
  expect(listed.sort()).toEqual(rows.sort());
});
