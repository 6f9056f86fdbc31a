import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { attack, longAttack, strength, type Attacked } from './attackedServer.js';
import { all, send, type Reply, type RequestOptions } from './requests.js';

const VERSION = { 'openstack-api-version': 'placement 1.39' };

function get({ url }: Attacked, path: string, options: RequestOptions = {}): Promise<Reply> {
  const rest = url.replace(/graphql$/, `placement${path}`);
  return send(rest, null, { method: 'GET', ...options, headers: { ...VERSION, ...options.headers } });
}

function write({ url }: Attacked, method: string, path: string, body: object | string): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return send(url.replace(/graphql$/, `placement${path}`), text, { method, headers: VERSION });
}

/** Expects an answer of the API to each request, in time, or a refusal by which the server protects itself. */
function expectAnswers(replies: readonly Reply[], ...states: number[]): void {
  for (const { failure, status, text, ms } of replies) {
    expect({ failure, text: status === 500 ? text : '' }).toEqual({ failure: null, text: '' });
    expect([...states, 503]).toContain(status);
    expect(ms).toBeLessThan(35_000);
    if (status !== 200) expect(text).toContain('"errors": [{'.replace(/ /g, ''));
  }
}

async function namesIn({ database }: Attacked, column: string, table: string): Promise<string[]> {
  const rows = await database.pool.query<{ name: string }[]>(`SELECT ${column} AS name FROM ${table}`);
  return rows.map(({ name }) => name);
}

/** The maximum length of a query (characters): the server reads 16 KiB of headers. */
const LONGEST = 15_000;

/** Joins as many parts of a query as fit. */
function fitting(parts: readonly string[], separator = '&'): string {
  let text = '';
  for (const part of parts) {
    if (text.length + part.length > LONGEST) break;
    text += text === '' ? part : separator + part;
  }
  return text;
}

const numbered = (count: number, part: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, number) => part(number + 1));

longAttack('REST: candidates without a limit, and lists of all providers', async (attacked) => {
  const groups = numbered(3, (number) => `resources${number}=VCPU:1`).join('&');
  for (const path of [
    '/allocation_candidates?resources=VCPU:1',
    `/allocation_candidates?${groups}&group_policy=none`,
    '/resource_providers',
  ])
    expectAnswers(await all(strength(12, 4), () => get(attacked, path)), 200);
});

longAttack('REST: large answers that are read slowly or not at all', async (attacked) => {
  const gone = new AbortController();
  const paths = ['/allocation_candidates?resources=VCPU:1', '/resource_providers'];
  const slow = all(strength(40, 20), (number) =>
    get(attacked, paths[number % 2], { reads: number % 4 > 1 ? 'slowly' : 'nothing', signal: gone.signal }),
  );
  await sleep(strength(10_000, 3_000));
  const other = { localAddress: '127.0.0.3' };
  for (let turn = 0; turn < 3; turn++)
    expectAnswers([await get(attacked, '/allocation_candidates?resources=VCPU:1&limit=1000', other)], 200);
  gone.abort();
  await slow;
});

attack('REST: deep and long queries', async (attacked) => {
  const traits = await namesIn(attacked, 'name', 'traits');
  const aggregates = await namesIn(attacked, 'uuid', 'placement_aggregates');
  const groups = fitting(numbered(900, (number) => `resources${number}=VCPU:1`));
  const subtrees = numbered(256, (number) => `resources_${number}=VCPU:1`).join('&');
  const suffixes = numbered(256, (number) => `_${number}`);
  const one = 'resources=VCPU:1';
  const queries = [
    groups,
    `${numbered(256, (number) => `resources${number}=VCPU:1`).join('&')}&group_policy=none`,
    `${numbered(256, (number) => `resources${number}=VCPU:1`).join('&')}&group_policy=isolate`,
    fitting([subtrees, 'group_policy=none', ...numbered(9, () => `same_subtree=${suffixes.join(',')}`)]),
    `${one}&required=${fitting(traits, ',')}`,
    `${one}&required=${fitting(
      traits.map((name) => `!${name}`),
      ',',
    )}`,
    fitting([one, ...traits.map((name) => `required=in:${name},${traits[0]}`)]),
    fitting([one, ...aggregates.map((uuid) => `member_of=${uuid}`)]),
    `${one}&member_of=in:${fitting(aggregates, ',')}`,
    `${one}&member_of=!in:${fitting(aggregates, ',')}`,
    fitting([one, ...aggregates.map((uuid) => `member_of=in:${uuid},${aggregates[0]}`)]),
    `resources=${fitting(
      numbered(2_000, (number) => `VCPU:${number}`),
      ',',
    )}`,
    `${one}&in_tree=${'a'.repeat(LONGEST)}`,
  ];
  for (const query of queries)
    expectAnswers(
      await all(strength(6, 2), () => get(attacked, `/allocation_candidates?${query}&limit=10`)),
      200,
      400,
    );
  for (const query of queries.filter((each) => each.startsWith(one)))
    expectAnswers(await all(strength(6, 2), () => get(attacked, `/resource_providers?${query}`)), 200, 400);
});

longAttack('REST: bodies as long as they may be, and of too many values', async (attacked) => {
  const [provider] = await namesIn(attacked, 'uuid', 'resource_providers');
  const uuids = Array.from({ length: 100_000 }, () => randomUUID());
  const owner = { project_id: 'p', user_id: 'u', consumer_generation: null, consumer_type: 'ATTACK' };
  const resources = { CUSTOM_ATTACK_NONE: 1 };
  const keyed = <T>(keys: readonly string[], value: T): Record<string, T> =>
    Object.fromEntries(keys.map((key) => [key, value]));
  const consumer = { allocations: { [provider]: { resources } }, ...owner };
  const path = `/resource_providers/${provider}`;
  const generation = { resource_provider_generation: 999 };
  const names = numbered(200_000, (number) => `CUSTOM_${number}`);
  const consumers = keyed(uuids.slice(0, 50_000), consumer);
  const attacks: [method: string, path: string, body: object | string][] = [
    ['POST', '/allocations', consumers],
    ['PUT', `/allocations/${uuids[0]}`, { ...owner, allocations: keyed(uuids, { resources }) }],
    [
      'PUT',
      `/allocations/${uuids[0]}`,
      { ...owner, allocations: { [provider]: { resources: keyed(names, 1) } } },
    ],
    ['PUT', `/allocations/${uuids[0]}`, { ...consumer, mappings: { _A: uuids } }],
    [
      'POST',
      '/reshaper',
      { inventories: keyed(uuids, { ...generation, inventories: {} }), allocations: consumers },
    ],
    ['PUT', `${path}/inventories`, { ...generation, inventories: keyed(names, { total: 1 }) }],
    ['PUT', `${path}/traits`, { ...generation, traits: names }],
    ['PUT', `${path}/aggregates`, { ...generation, aggregates: [...uuids, ...uuids] }],
    ['PUT', `${path}/aggregates`, { ...generation, aggregates: uuids }],
    ['POST', '/resource_providers', { name: 'x'.repeat(15_000_000) }],
    ['POST', '/resource_providers', '['.repeat(15_000_000)],
    ['POST', '/resource_providers', `[${'1,'.repeat(7_000_000)}1]`],
    ['POST', '/resource_providers', `{${numbered(900_000, (number) => `"a${number}":1`).join(',')}}`],
  ];
  for (const [method, to, body] of attacks) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const replies = await all(strength(4, 1), () => write(attacked, method, to, text));
    expectAnswers(replies, 400, 409, 413);
  }
});
