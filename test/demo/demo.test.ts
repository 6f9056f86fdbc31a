import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { fleet, type DemoProvider } from '../../src/tools/demo/fleet.js';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { openDatabase } from '../../src/store/database/database.js';
import { damage } from '../support/damage.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

const TABLES = [
  'resource_providers',
  'inventories',
  'resource_provider_traits',
  'resource_provider_aggregates',
  'placement_aggregates',
  'consumers',
  'allocations',
  'projects',
  'users',
  'consumer_types',
];

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
beforeEach(() => damage(database, ...TABLES.map((table) => `TRUNCATE ${table}`)));
afterAll(() => database.close());

async function counts(): Promise<Record<string, number>> {
  const [row] = await database.pool.query<Record<string, number>[]>(
    `SELECT ${TABLES.map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`).join(', ')}`,
  );
  return row;
}

/** An inventory as one text. */
const offer = (
  resourceClass: string,
  i: Omit<DemoProvider['inventories'][number], 'resourceClass'>,
): string =>
  [resourceClass, i.total, i.reserved, i.minUnit, i.maxUnit, i.stepSize, i.allocationRatio].join(' ');

/** Providers with what belongs to them, in a form that the generated fleet can be put in, too. */
async function stored(): Promise<unknown[]> {
  const providers = await database.prisma.resourceProvider.findMany({
    include: {
      parent: { select: { uuid: true } },
      root: { select: { uuid: true } },
      inventories: { include: { class: true } },
      traits: { include: { trait: true } },
      aggregates: { include: { aggregate: true } },
      allocations: {
        include: { class: true, consumer: { include: { project: true, user: true, type: true } } },
      },
    },
    orderBy: { id: 'asc' },
  });
  return providers.map(
    ({ uuid, name, generation, parent, root, inventories, traits, aggregates, allocations }) => ({
      ...{ uuid, name, generation, parent: parent?.uuid ?? null, root: root?.uuid },
      inventories: inventories.map((each) => offer(each.class.name, each)).sort(),
      traits: traits.map(({ trait }) => trait.name).sort(),
      aggregates: aggregates.map(({ aggregate }) => aggregate.uuid).sort(),
      uses: allocations
        .map(({ consumer: c, ...a }) =>
          [
            c?.uuid,
            c?.project?.externalId,
            c?.user?.externalId,
            c?.type?.name,
            c?.generation,
            a.class?.name,
            a.used,
          ].join(' '),
        )
        .sort(),
    }),
  );
}

function generated(hosts: number, seed?: number): unknown[] {
  const racks = [...fleet({ hosts, seed })];
  const providers = racks.flatMap((rack) => rack.providers);
  const uuidOf = new Map(providers.map(({ id, uuid }) => [id, uuid]));
  const uses = new Map<number, string[]>(providers.map(({ id }) => [id, []]));
  for (const { uuid, project, user, allocations } of racks.flatMap((rack) => rack.consumers)) {
    for (const { providerId, resourceClass, used } of allocations) {
      uses.get(providerId)?.push([uuid, project, user, 'INSTANCE', 1, resourceClass, used].join(' '));
    }
  }
  return providers.map(
    ({ id, uuid, name, generation, parentId, rootId, inventories, traits, aggregates }) => ({
      ...{
        uuid,
        name,
        generation,
        parent: parentId === null ? null : uuidOf.get(parentId),
        root: uuidOf.get(rootId),
      },
      inventories: inventories.map((each) => offer(each.resourceClass, each)).sort(),
      traits: [...traits].sort(),
      aggregates: [...aggregates].sort(),
      uses: uses.get(id)?.sort(),
    }),
  );
}

test.each<[number, number | undefined]>([
  [60, undefined],
  [20, 12],
])('the database holds the generated fleet of %d hosts, to the last row', async (hosts, seed) => {
  await loadDemoData(database, { hosts, seed });
  expect(await stored()).toEqual(generated(hosts, seed));
});

test('rows have the time at which they were made, and the next ids follow', async () => {
  await loadDemoData(database, { hosts: 3 });
  for (const table of TABLES) {
    const [{ undated }] = await database.pool.query<{ undated: number }[]>(
      `SELECT COUNT(*) AS undated FROM ${table}
        WHERE created_at IS NULL OR ABS(TIMESTAMPDIFF(SECOND, created_at, UTC_TIMESTAMP())) > 60`,
    );
    expect([table, undated]).toEqual([table, 0]);
  }
  const next = await database.prisma.resourceProvider.create({ data: { uuid: 'next', name: 'next' } });
  expect(next.id).toBe((await counts()).resource_providers);
});

test('loading demo data reports its progress', async () => {
  const lines: string[] = [];
  await loadDemoData(database, { hosts: 400, onProgress: (line) => lines.push(line) });
  expect(lines).toEqual([expect.stringMatching(/^demo data: \d+ of 400 hosts$/)]);
});

test('demo data reuses the aggregates and users that an emptied database keeps', async () => {
  await loadDemoData(database, { hosts: 30 });
  const before = await counts();
  for (const table of [
    'allocations',
    'consumers',
    'inventories',
    'resource_provider_traits',
    'resource_provider_aggregates',
  ]) {
    await database.pool.query(`DELETE FROM ${table}`);
  }
  await database.pool.query(
    'UPDATE resource_providers SET parent_provider_id = NULL, root_provider_id = NULL',
  );
  await database.pool.query('DELETE FROM resource_providers');
  await loadDemoData(database, { hosts: 30 });
  expect(await counts()).toEqual(before);
  expect(await stored()).toEqual(generated(30));
});

test('an interrupted load leaves nothing, and the next one works', async () => {
  let kill: Promise<unknown> | undefined;
  const victim = openDatabase(database.url, {
    connections: 1,
    onStatement: (sql) => {
      // by then the providers are written
      if (sql.startsWith('INSERT INTO allocations')) kill ??= database.pool.query(`KILL ${connection}`);
    },
  });
  const [{ connection }] = await victim.longWork.query<{ connection: number }[]>(
    'SELECT CONNECTION_ID() AS connection',
  );
  const before = await counts();
  // the load of so many hosts is still going on when the database receives the KILL
  await expect(loadDemoData(victim, { hosts: 600 })).rejects.toThrow();
  await kill;
  await victim.close();
  expect(await counts()).toEqual(before);
  expect(Object.values(before).every((count) => count === 0)).toBe(true);

  await loadDemoData(database, { hosts: 5 });
  expect(await stored()).toEqual(generated(5));
});

test('a stopped load ends at once and leaves no rows', async () => {
  const ending = new AbortController();
  const victim = openDatabase(database.url, {
    connections: 1,
    onStatement: (sql) => {
      if (sql.startsWith('INSERT INTO allocations')) setTimeout(() => ending.abort(new Error('stopping')));
    },
  });
  const began = Date.now();
  await expect(loadDemoData(victim, { hosts: 100_000, signal: ending.signal })).rejects.toThrow();
  expect(Date.now() - began).toBeLessThan(15_000);
  await victim.close();
  expect((await counts()).resource_providers).toBe(0);
});

test('of two concurrent loads, one fills the database and the other is rejected', async () => {
  const other = openDatabase(database.url);
  const outcomes = await Promise.allSettled([
    loadDemoData(database, { hosts: 50 }),
    loadDemoData(other, { hosts: 50 }),
  ]);
  await other.close();
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
  expect(String(refusal?.reason)).toBe(
    'Error: demo data needs an empty database, and this one has resource_providers',
  );
  expect(await stored()).toEqual(generated(50));
});
