import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { runClient } from '../client/client.js';
import { useApi } from '../support/api.js';
import { takes } from '../support/claims.js';

const { api, database } = useApi({ hasBackground: false });
const host = randomUUID();

beforeAll(async () => {
  // as an adopted database of OpenStack Placement may have it
  await database.pool.query(
    'ALTER TABLE projects MODIFY external_id VARCHAR(255) CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci NOT NULL',
  );
  const inventories = { resourceClass: 'VCPU', total: 100 };
  await api.mutate('createResourceProvider', { name: 'host', uuid: host, inventories }, '__typename');
});

test('setQuotas returns the stored projects of the input in its order, and lists find their limits', async () => {
  const consumers = [takes(randomUUID(), null, { [host]: { VCPU: 1 } }, { projectId: 'green' })];
  await api.mutate('setAllocations', { consumers }, '__typename');
  const limits = { resourceClass: 'VCPU', limit: 5 };
  const projects = ['Violet', 'Green'].map((projectId) => ({ projectId, limits }));
  expect(
    await api.mutate('setQuotas', { projects }, 'projects { projectId quotas { limit used } }'),
  ).toMatchObject({
    projects: [
      { projectId: 'Violet', quotas: [{ limit: 5, used: 0 }] },
      { projectId: 'green', quotas: [{ limit: 5, used: 1 }] },
    ],
  });
  expect(await api.read('{ quotas(filter: { projectId: "GREEN" }) { nodes { limit used } } }')).toEqual({
    quotas: { nodes: [{ limit: 5, used: 1 }] },
  });
});

test('the commands print the limits of a project in another spelling', async () => {
  const set = await runClient(api.url, ['quota', 'set', '--project', 'GREEN', 'VCPU=6']);
  expect(set.out).toMatch(/^green +VCPU +6 +1 /m);
  const listed = await runClient(api.url, ['quota', 'list', '--project', 'GREEN']);
  expect(listed.out).toMatch(/^green +VCPU +6 +1 /m);
});
