import { describe, expect, test } from '@jest/globals';
import { invalidInput, useApi, type Api } from '../support/api.js';
import { claimInput, newConsumers, requestOf } from '../support/claims.js';
import { forest } from '../support/forest.js';
import { loadForest, useForest } from '../support/loadForest.js';
import type { AllocationRequest } from '../support/shapes.js';

/** What a claim does when another program has changed rows without the change feed: this server's snapshot is then wrong. */
const { database, api, other } = useApi({ hasOther: true });

interface Answer {
  readonly code?: string;
  readonly claims?: readonly { readonly allocationRequest: AllocationRequest }[];
}

const ORDERED = { orderBy: [{ freeShare: { resourceClass: 'VCPU', strategy: 'SPREAD' } }], seed: 1 };
const SEEDED = { seed: 1 };

/** Where a consumer gets one VCPU, or the code of the error, and how long that took (ms). */
async function claim(request: object, through = api): Promise<{ at: string; took: number }> {
  const before = performance.now();
  const { code, claims } = await through.mutate<Answer>(
    'claim',
    claimInput({ ...requestOf({ VCPU: 1 }), ...request }, newConsumers()),
    'claims { allocationRequest { allocations { resourceProvider { name } } } }',
  );
  const at = code ?? claims![0].allocationRequest.allocations[0].resourceProvider.name;
  return { at, took: performance.now() - before };
}

const CHANGES: readonly (readonly [title: string, ...statements: string[]])[] = [
  ['a total was lowered', `UPDATE inventories SET total = 1, reserved = 1 WHERE resource_provider_id IN (?)`],
  [
    'a largest unit was raised above',
    `UPDATE inventories SET min_unit = 9 WHERE resource_provider_id IN (?)`,
  ],
  ['an inventory was deleted', `DELETE FROM inventories WHERE resource_provider_id IN (?)`],
  [
    'allocations were added',
    `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
     SELECT id, 0, UUID(), 8 FROM resource_providers WHERE id IN (?)`,
  ],
  [
    'the provider was deleted',
    `DELETE FROM inventories WHERE resource_provider_id IN (?)`,
    `UPDATE resource_providers SET root_provider_id = NULL WHERE id IN (?)`,
    `DELETE FROM resource_providers WHERE id IN (?)`,
  ],
];

/** Which hosts a process takes for candidates. */
async function shownBy(process: Api): Promise<string> {
  const data = await process.read(
    `{ allocationCandidates(request: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) {
         providerSummaries { resourceProvider { name } } } }`,
  );
  return JSON.stringify(data);
}

async function change(statements: readonly string[], names: readonly string[]): Promise<void> {
  const rows = await database.pool.query<{ id: number }[]>(
    'SELECT id FROM resource_providers WHERE name IN (?)',
    [names],
  );
  for (const statement of statements) await database.pool.query(statement, [rows.map(({ id }) => id)]);
}

/** Half a second: without reading again it would be ten, or the half minute until the comparison in the background. */
const SOON = 5_000;

describe('on three hosts', () => {
  useForest(database, 'host1 VCPU:8\nhost2 VCPU:8\nhost3 VCPU:8');

  test.each([
    ...CHANGES.map(([what, ...statements]) => ({ what, statements, request: ORDERED })),
    { what: 'with a seed instead of an order', statements: CHANGES[0].slice(1), request: SEEDED },
  ])(
    '$what: the claim goes elsewhere, and there is none when nothing is left',
    async ({ statements, request }) => {
      const first = (await claim(request)).at;
      await change(statements, [first]);
      const second = await claim(request);
      expect(second.at).toMatch(/^host/);
      expect(second.at).not.toBe(first);
      await change(statements, ['host1', 'host2', 'host3']);
      const third = await claim(request);
      expect(third.at).toBe('NO_CANDIDATES');
      for (const { took } of [second, third]) expect(took).toBeLessThan(SOON);
    },
  );

  test('other processes hear of it', async () => {
    const { at } = await claim(ORDERED, other);
    for (const process of [api, other]) expect(await shownBy(process)).toContain(at);
    await change(CHANGES[2].slice(1), ['host1', 'host2', 'host3']);
    expect((await claim(ORDERED)).at).toBe('NO_CANDIDATES');
    expect(await shownBy(other)).not.toContain('host');
  });
});

test('a whole fleet that was changed so does not take one attempt for each host', async () => {
  const hosts = Array.from({ length: 100 }, (_, at) => `host${at} VCPU:8`);
  await loadForest(database, forest(hosts.join('\n')));
  await claim(ORDERED);
  await database.pool.query('UPDATE inventories SET reserved = total');
  const statements = await api.statements(async () =>
    expect(await claim(ORDERED)).toMatchObject({ at: 'NO_CANDIDATES' }),
  );
  expect(statements.length).toBeLessThan(300); // an attempt takes more than ten
});

test('a resource class that was deleted is unknown', async () => {
  await loadForest(database, forest('host1 CUSTOM_FPGA:8'));
  const claimOne = () => api.mutate('claim', claimInput(requestOf({ CUSTOM_FPGA: 1 }), newConsumers()));
  expect(await claimOne()).toMatchObject({ __typename: 'ClaimPayload' });
  await database.pool.query("DELETE FROM resource_classes WHERE name = 'CUSTOM_FPGA'");
  expect(await claimOne()).toMatchObject(
    invalidInput('members.0.requests.0.groups.0.resources.0.resourceClass'),
  );
});
