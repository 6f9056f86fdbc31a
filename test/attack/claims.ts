import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { DEVICE, shapeUuid } from '../support/oddShapes.js';
import { claimInput } from '../support/claims.js';
import { addConsumers, removeConsumers } from '../support/manyConsumers.js';
import { attack, longAttack, ROOM_MS, strength } from './attackedServer.js';
import { all, ask, codesOf, type Reply } from './requests.js';

const CLAIM = `mutation ($input: ClaimInput!) {
  claim(input: $input) { __typename ... on UserError { code message } ... on ClaimPayload { claims { consumer { uuid } } } } }`;

interface Group {
  readonly suffix: string;
  readonly [condition: string]: unknown;
}

/** A group that requests devices. */
const group = (suffix: string, amount: number, conditions: object = {}): Group => ({
  suffix,
  resources: [{ resourceClass: DEVICE, amount }],
  ...conditions,
});
const groups = (count: number, amount: number): Group[] =>
  Array.from({ length: count }, (_, number) => group(`_D${number}`, amount));

/** Claims for some consumers, and releases their claims. Expects an answer in time. */
async function claim(url: string, count: number, request: object, placement = 'ANY'): Promise<string> {
  const consumers = Array.from({ length: count }, () => ({
    consumer: randomUUID(),
    projectId: 'attack',
    userId: 'attack',
  }));
  const reply = await ask(url, CLAIM, { input: claimInput(request, consumers, placement) });
  expect(reply.failure).toBeNull();
  expect([200, 429, 503]).toContain(reply.status);
  expect(reply.ms).toBeLessThan(35_000);
  const end = /"__typename":"(\w+)"/.exec(reply.text)?.[1] ?? codesOf(reply).join();
  expect([
    'ClaimPayload',
    'NoCandidatesError',
    'TIMEOUT',
    'OVERLOADED',
    'THROTTLED',
    'LIMIT_EXCEEDED',
  ]).toContain(end);
  if (end === 'ClaimPayload') await release(url, consumers);
  return end;
}

function release(url: string, consumers: readonly { readonly consumer: string }[]): Promise<Reply[]> {
  const document = 'mutation ($input: DeleteConsumerInput!) { deleteConsumer(input: $input) { __typename } }';
  return Promise.all(consumers.map(({ consumer }) => ask(url, document, { input: { consumer } })));
}

longAttack('claims for many consumers where devices are interchangeable', async ({ url }) => {
  for (const placement of ['ANY', 'SAME_TREE', 'DISTINCT_TREES']) {
    for (const count of [25, 1_000]) {
      await claim(url, count, { groups: [group('', 1)] }, placement);
      await claim(url, count, { groups: groups(3, 1), groupPolicy: 'ISOLATE' }, placement);
      await claim(url, count, { groups: groups(8, 3), groupPolicy: 'ISOLATE' }, placement);
      await claim(
        url,
        count,
        { groups: [...groups(4, 2), group('', 3)], isolate: ['_D1', '_D2'] },
        placement,
      );
    }
  }
});

longAttack('claims for several consumers of which all but the last few fit', async ({ url }) => {
  const inRack = { inTree: { uuid: shapeUuid('rack') } };
  const request = (count: number): object => ({
    groupPolicy: 'ISOLATE',
    groups: Array.from({ length: count }, (_, number) => group(`_D${number}`, 3, inRack)),
  });
  // each of the 64 devices has 3 units for one claim
  for (const [count, each] of [
    [22, 3],
    [13, 5],
    [10, 7],
    [65, 1],
  ] as const)
    expect(await claim(url, count, request(each))).not.toBe('ClaimPayload');
  expect(await claim(url, 21, request(3))).toBe('ClaimPayload');
});

attack('a claim for one consumer where a second candidate is hard to find', async ({ url }) => {
  const inRack = { inTree: { uuid: shapeUuid('rack') } };
  const whole = Array.from({ length: 64 }, (_, number) => group(`_D${number}`, 4, inRack));
  expect(await claim(url, 1, { groups: whole.slice(0, 40), groupPolicy: 'ISOLATE' })).toBe('ClaimPayload');
  expect(await claim(url, 1, { groups: whole, groupPolicy: 'ISOLATE' })).toBe('ClaimPayload');
});

longAttack('ten claims at once that all want the same', async ({ url }) => {
  const request = { groups: groups(6, 2), groupPolicy: 'ISOLATE' };
  await Promise.all(Array.from({ length: strength(10, 4) }, () => claim(url, 25, request, 'DISTINCT_TREES')));
  await Promise.all(Array.from({ length: strength(10, 4) }, () => claim(url, 25, request, 'SAME_TREE')));
});

longAttack('plans of a drain, and changes, of a tree with very many consumers', async ({ url, database }) => {
  const [{ uuid, name }] = await database.pool.query<{ uuid: string; name: string }[]>(
    `SELECT p.uuid, p.name FROM resource_providers p JOIN inventories i ON i.resource_provider_id = p.id AND i.resource_class_id = 0
      WHERE p.parent_provider_id IS NULL ORDER BY p.id LIMIT 1`,
  );
  await addConsumers(database, uuid, strength(200_000, 5_000));
  try {
    const plan = `{ planDrain(from: { providers: { uuid: "${uuid}" } }) { complete } }`;
    const change = `mutation { applyProviderTree(input: { root: { uuid: "${uuid}", name: "${name}", inventories: [] } }) { __typename } }`;
    const replies = await Promise.all(
      [plan, plan, plan, change, change].map((document) => ask(url, document)),
    );
    for (const reply of replies) expect(reply.failure).toBeNull();
    for (const reply of replies.slice(0, 3)) {
      expect(reply.text).toContain('{"planDrain":{"complete":false}}');
      expect(reply.ms).toBeLessThan(ROOM_MS);
    }
    for (const { text } of replies.slice(3)) expect(text).toContain('ReshapeNeededError');
  } finally {
    await removeConsumers(database);
  }
});

longAttack('pages of consumers by age and then by use', async ({ url, database }) => {
  const rows = await database.pool.query<{ uuid: string }[]>('SELECT uuid FROM consumers ORDER BY id DESC');
  expect(rows.length).toBeGreaterThan(2_000);
  for (const resourceClass of ['VCPU', 'MEMORY_MB']) {
    const order = `orderBy: [{ age: DESC }, { used: { resourceClass: "${resourceClass}" } }]`;
    const query = `{ consumers(first: 1000, ${order}) { nodes { uuid } } }`;
    for (const reply of await all(strength(20, 5), () => ask(url, query))) {
      expect(codesOf(reply)).toEqual([]);
      const uuids = [...reply.text.matchAll(/"uuid":"([^"]+)"/g)].map(([, uuid]) => uuid);
      expect(uuids).toEqual(rows.slice(0, 1_000).map(({ uuid }) => uuid));
    }
  }
});
