import { expect } from '@jest/globals';
import { addConsumers, removeConsumers } from '../support/manyConsumers.js';
import { attack, attackedServer, strength } from './attackedServer.js';
import { all, ask, codesOf } from './requests.js';

attackedServer();

attack('plans of a drain, and changes, of a tree with very many consumers', async ({ url, database }) => {
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
      expect(codesOf(reply)).toEqual(['INVALID_INPUT']);
      expect(reply.ms).toBeLessThan(5_000);
    }
    for (const { text } of replies.slice(3)) expect(text).toContain('ReshapeNeededError');
  } finally {
    await removeConsumers(database);
  }
});

attack('pages of consumers by age and then by use', async ({ url, database }) => {
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
