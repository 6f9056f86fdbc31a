import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { setQuotas } from '../../src/store/quotas/setQuotas.js';
import { useDatabase } from '../support/useDatabase.js';
import { addedUsages, storedUsages } from './quotaSupport.js';
import { inventory, refusalOf, stocked } from './support.js';

const database = useDatabase();
let host: string;

beforeAll(async () => {
  // as an adopted database of OpenStack Placement may have it
  await database.pool.query(
    'ALTER TABLE projects MODIFY external_id VARCHAR(255) CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci NOT NULL',
  );
  host = await stocked(database, inventory('VCPU', 1000));
  await setQuotas(database.ledger, { defaults: [{ limit: 2 }] });
});

const claim = (...projects: readonly string[]) =>
  setAllocations(database.claims, {
    consumers: projects.map((projectId) => ({
      consumer: randomUUID(),
      projectId,
      userId: 'u',
      allocations: [{ resourceProvider: host, resources: [{ resourceClass: 'VCPU', amount: 1 }] }],
    })),
  });

test('a new project in several spellings has one limit', async () => {
  const refused = await refusalOf(claim('New', 'New', 'new'));
  expect(refused).toMatchObject({ code: 'QUOTA_EXCEEDED', limit: 2 });
  await claim('New', 'new');
  expect(await storedUsages(database)).toEqual(await addedUsages(database, []));
  expect(await refusalOf(claim('NEW'))).toMatchObject({ code: 'QUOTA_EXCEEDED', used: 2 });
});

test('claims of a new project in several spellings at once do not exceed its limit together', async () => {
  const claims = ['Twice', 'twice', 'TWICE'].map((name) =>
    claim(name, name).then(
      () => 'written',
      ({ code }: { code: string }) => code,
    ),
  );
  expect((await Promise.all(claims)).sort()).toEqual(['QUOTA_EXCEEDED', 'QUOTA_EXCEEDED', 'written']);
});

test.each([
  [{ projects: ['One', 'one'].map((projectId) => ({ projectId, limits: [] })) }, 'projects.1.projectId'],
  [
    { groups: ['One', 'one'].map((name) => ({ group: name, projects: [name], limits: [{ limit: 1 }] })) },
    'groups.1.projects.0',
  ],
])('a project that quotas name in two spellings is refused: %j', async (input, path) => {
  const refused = await refusalOf(setQuotas(database.ledger, input));
  expect(refused).toMatchObject({ code: 'INVALID_INPUT', path: path.split('.') });
});
