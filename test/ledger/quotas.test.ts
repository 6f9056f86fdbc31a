import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ConsumerAllocationsInput } from '../../src/model/input.js';
import { deleteConsumer, setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { unsetAllocations } from '../../src/store/ledger/allocation/unsetAllocations.js';
import { reshape } from '../../src/store/ledger/reshape/reshape.js';
import { inTransaction } from '../../src/store/ledger/transaction.js';
import { setQuotas, type SetQuotasInput } from '../../src/store/quotas/setQuotas.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { useDatabase } from '../support/useDatabase.js';
import { addedUsages, storedUsages } from './quotaSupport.js';
import { endOf, generationOf, inventory, refusalOf, stocked, times } from './support.js';

const database = useDatabase({ connections: 16 });

const TYPES = ['MIGRATION'];

const set = (input: SetQuotasInput, on: ProcessDatabase = database) =>
  setQuotas({ ...on.ledger, ignoredTypes: TYPES }, input);

/** Sets the limits of a project. */
const limit = (projectId: string, limits: Readonly<Record<string, number | null>>): SetQuotasInput => ({
  projects: [{ projectId, limits: limitsOf(limits) }],
});

function limitsOf(limits: Readonly<Record<string, number | null>>) {
  return Object.entries(limits).map(([name, value]) => ({
    resourceClass: name === 'consumers' ? null : name,
    limit: value,
  }));
}

const take = (
  projectId: string,
  provider: string,
  amount: number,
  rest: Partial<ConsumerAllocationsInput> = {},
): ConsumerAllocationsInput => ({
  consumer: randomUUID(),
  projectId,
  userId: 'u',
  allocations: [{ resourceProvider: provider, resources: [{ resourceClass: 'VCPU', amount }] }],
  ...rest,
});

const write = (...consumers: ConsumerAllocationsInput[]) => setAllocations(database.claims, { consumers });

let made = 0;
const aProject = (): string => `project-${++made}`;
const aHost = (on: ProcessDatabase = database): Promise<string> => stocked(on, inventory('VCPU', 1000));

afterEach(async () => {
  expect(await storedUsages(database)).toEqual(await addedUsages(database, TYPES));
});

test('a claim above the limit of its project is rejected, and names the limit', async () => {
  const [host, project] = [await aHost(), aProject()];
  await set(limit(project, { VCPU: 10 }));
  await write(take(project, host, 7));
  const refused = {
    code: 'QUOTA_EXCEEDED',
    resourceClassName: 'VCPU',
    limit: 10,
    used: 7,
    asked: 4,
    projectId: project,
    group: null,
  };
  expect(await refusalOf(write(take(project, host, 4)))).toMatchObject(refused);
  await write(take(project, host, 3));
  expect(await endOf(write(take(project, host, 1)))).toBe('QUOTA_EXCEEDED');
  await write(take(aProject(), host, 100));
});

test('usage from before the limit counts, and a limit below it allows what lowers it', async () => {
  const [host, project] = [await aHost(), aProject()];
  const consumer = randomUUID();
  await write(take(project, host, 8, { consumer }), take(project, host, 2));
  await set(limit(project, { VCPU: 5, consumers: 2 }));
  expect(await endOf(write(take(project, host, 1)))).toBe('QUOTA_EXCEEDED');
  expect(await endOf(write(take(project, host, 9, { consumer, generation: 1 })))).toBe('QUOTA_EXCEEDED');
  await write(take(project, host, 6, { consumer, generation: 1 }));
  await write(take(project, host, 6, { consumer, generation: 2, userId: 'other' }));
  await deleteConsumer(database.claims, { consumer });
  await write(take(project, host, 3));
  expect(await endOf(write(take(project, host, 1)))).toBe('QUOTA_EXCEEDED');
});

test('the number of consumers has a limit of its own', async () => {
  const [host, project] = [await aHost(), aProject()];
  await set(limit(project, { consumers: 2 }));
  await write(take(project, host, 1), take(project, host, 1));
  expect(await refusalOf(write(take(project, host, 1)))).toMatchObject({
    resourceClassName: null,
    used: 2,
    asked: 1,
  });
});

test('claims that share a transaction are judged in order, and each rejection is its own', async () => {
  const [host, project] = [await aHost(), aProject()];
  await set(limit(project, { VCPU: 5 }));
  const ends = await Promise.all(
    times(12, (n) => endOf(write(take(n % 3 === 0 ? 'free' : project, host, 1)))),
  );
  expect(ends.filter((end) => end === 'QUOTA_EXCEEDED')).toHaveLength(3);
  expect(ends.filter((end) => end === 'done')).toHaveLength(9);
});

test('a group limits the sum of its projects; a transfer within it changes nothing', async () => {
  const [host, one, two] = [await aHost(), aProject(), aProject()];
  const consumer = randomUUID();
  await write(take(one, host, 4, { consumer }));
  const group = `group-${one}`;
  await set({ groups: [{ group, projects: [one, two], limits: limitsOf({ VCPU: 6 }) }] });
  expect(await refusalOf(write(take(two, host, 3)))).toMatchObject({
    used: 4,
    asked: 3,
    group,
    projectId: null,
  });
  await write(take(two, host, 2));
  await write(take(two, host, 4, { consumer, generation: 1 }));
  await set(limit(one, { VCPU: 1 }));
  expect(await endOf(write(take(one, host, 4, { consumer, generation: 2 })))).toBe('QUOTA_EXCEEDED');
  await set({ groups: [{ group, projects: [one], limits: [] }] });
  await write(take(one, host, 1), take(two, host, 50));
  await set({ groups: [{ group, projects: [], limits: limitsOf({ VCPU: null }) }] });
  expect(await database.pool.query('SELECT * FROM placement_quota_groups WHERE name = ?', [group])).toEqual(
    [],
  );
});

test('a default limits projects without their own limit, also new ones', async () => {
  const [host, one, two] = [await aHost(), aProject(), aProject()];
  await write(take(one, host, 3));
  await set({ ...limit(two, { VCPU: 8 }), defaults: limitsOf({ VCPU: 200 }) });
  await set({ defaults: limitsOf({ VCPU: 4 }) });
  expect(await endOf(write(take(one, host, 2)))).toBe('QUOTA_EXCEEDED');
  await write(take(one, host, 1), take(two, host, 8), take(aProject(), host, 4));
  expect(await endOf(write(take(aProject(), host, 5)))).toBe('QUOTA_EXCEEDED');
  const fresh = aProject();
  expect(await endOf(write(take(fresh, host, 3), take(fresh, host, 2)))).toBe('QUOTA_EXCEEDED');
  await set({ defaults: limitsOf({ VCPU: null }) });
  await write(take(aProject(), host, 5));
});

test('ignored types and consumers that keep former allocations do not count', async () => {
  const [host, other, project] = [await aHost(), await aHost(), aProject()];
  await set(limit(project, { VCPU: 4, consumers: 1 }));
  const [consumer, kept, migration] = [randomUUID(), randomUUID(), randomUUID()];
  await write(take(project, host, 4, { consumer }));
  await write(take(project, other, 4, { consumer: migration, type: 'MIGRATION' }));
  await setAllocations(
    database.claims,
    {
      consumers: [
        take(project, other, 4, { consumer, generation: 1 }),
        take(project, host, 4, { consumer: kept, generation: null }),
      ],
    },
    { takingOver: new Map([[kept, consumer]]) },
  );
  expect(
    await endOf(write(take(project, other, 4, { consumer: migration, type: 'INSTANCE', generation: 1 }))),
  ).toBe('QUOTA_EXCEEDED');
  await write(take(project, host, 5, { consumer: kept, generation: 1 }));
  await deleteConsumer(database.claims, { consumer });
  await write(take(project, other, 4, { consumer: migration, type: 'INSTANCE', generation: 1 }));
  await deleteConsumer(database.claims, { consumer: kept });
  expect(await database.pool.query('SELECT * FROM placement_kept_consumers')).toEqual([]);
});

test('unset allocations and a reshape count and are not rejected', async () => {
  const [host, project] = [await aHost(), aProject()];
  const consumer = randomUUID();
  await set(limit(project, { VCPU: 4 }));
  await write(take(project, host, 4, { consumer }));
  const inventories = [
    {
      resourceProvider: host,
      generation: await generationOf(database, host),
      inventories: [inventory('VCPU', 500)],
    },
  ];
  await reshape(database.ledger, {
    inventories,
    allocations: [take(project, host, 30, { consumer, generation: 1 })],
  });
  expect(await endOf(write(take(project, host, 1)))).toBe('QUOTA_EXCEEDED');
  await unsetAllocations(database.ledger, { consumer, resourceProviders: [host], resourceClasses: [] });
  await write(take(project, host, 4));
});

describe('bad input', () => {
  const cases: [string, SetQuotasInput, readonly string[]][] = [
    ['a limit below zero', limit('p', { VCPU: -1 }), ['projects', '0', 'limits', '0', 'limit']],
    ['a fraction', limit('p', { VCPU: 0.5 }), ['projects', '0', 'limits', '0', 'limit']],
    ['an unknown class', limit('p', { NOTHING: 1 }), ['projects', '0', 'limits', '0', 'resourceClass']],
    [
      'a class twice',
      { defaults: [...limitsOf({ VCPU: 1 }), ...limitsOf({ VCPU: 2 })] },
      ['defaults', '1', 'resourceClass'],
    ],
    ['an empty project', limit('', { VCPU: 1 }), ['projects', '0', 'projectId']],
    ['an empty group', { groups: [{ group: '', limits: [] }] }, ['groups', '0', 'group']],
    [
      'a project in two groups',
      {
        groups: [
          { group: 'a', projects: ['p'], limits: [] },
          { group: 'b', projects: ['q', 'p'], limits: [] },
        ],
      },
      ['groups', '1', 'projects', '1'],
    ],
  ];
  test.each(cases)('%s', async (_what, input, path) => {
    expect(await refusalOf(set(input))).toMatchObject({ code: 'INVALID_INPUT', path });
  });

  test('a project of another group', async () => {
    const project = aProject();
    await set({ groups: [{ group: `one ${project}`, projects: [project], limits: [] }] });
    const both = set({ groups: [{ group: `two ${project}`, projects: [project], limits: [] }] });
    expect(await refusalOf(both)).toMatchObject({
      code: 'INVALID_INPUT',
      path: ['groups', '0', 'projects', '0'],
    });
    await set({
      groups: [
        { group: `one ${project}`, projects: [], limits: [] },
        { group: `two ${project}`, projects: [project], limits: [] },
      ],
    });
  });
});

describe('with another process', () => {
  test('a limit counts for every commit after it, also of a process that has not heard of it', async () => {
    const other = openProcess(database.url);
    try {
      const [host, project] = [await aHost(), aProject()];
      const taken = (on: ProcessDatabase, amount = 1): Promise<string> =>
        endOf(setAllocations(on.claims, { consumers: [take(project, host, amount)] }));
      expect(await taken(other)).toBe('done');
      await set(limit(project, { VCPU: 3 }));
      expect(await Promise.all(times(6, () => taken(other)))).toEqual(
        expect.arrayContaining(['done', 'done', 'QUOTA_EXCEEDED']),
      );
      expect(await taken(other)).toBe('QUOTA_EXCEEDED');
      await set(limit(project, { VCPU: 4 }), other);
      expect(await taken(database)).toBe('done');
      expect(await taken(database)).toBe('QUOTA_EXCEEDED');
      await set(limit(project, { VCPU: null }));
      expect(await taken(other, 50)).toBe('done');
    } finally {
      await other.close();
    }
  });

  test('limits that are set during claims count all of them', async () => {
    const other = openProcess(database.url);
    try {
      const [host, one, two] = [await aHost(), aProject(), aProject()];
      const claims = times(60, (n) => async () => {
        await new Promise((resolve) => setTimeout(resolve, 5 * n));
        const on = n % 2 === 0 ? other : database;
        return endOf(setAllocations(on.claims, { consumers: [take(n % 3 === 0 ? two : one, host, 1)] }));
      });
      const group = `during ${one}`;
      const changes = times(12, (n) => async () => {
        await new Promise((resolve) => setTimeout(resolve, 25 * n));
        if (n % 3 === 0)
          await set({
            groups: [{ group, projects: n % 2 ? [one] : [one, two], limits: limitsOf({ VCPU: 40 }) }],
          });
        else if (n % 3 === 1) await set(limit(one, { VCPU: n % 2 ? null : 50, consumers: 45 }), other);
        else await set({ defaults: limitsOf({ VCPU: n % 2 ? 30 : null }) });
      });
      const ends = await Promise.all([...claims, ...changes].map((each) => each()));
      expect(ends.filter((end) => end !== undefined && end !== 'done' && end !== 'QUOTA_EXCEEDED')).toEqual(
        [],
      );
    } finally {
      await other.close();
    }
  });

  test('a transaction that has begun before a limit is validated again', async () => {
    const [host, project] = [await aHost(), aProject()];
    let tries = 0;
    const id = (
      await database.pool.query<{ id: number }[]>('SELECT id FROM resource_providers WHERE uuid = ?', [host])
    )[0].id;
    await inTransaction(database.ledger, async (tx) => {
      tries++;
      tx.recorded.addProviders([id], 1);
      if (tries === 1) await set(limit(project, { VCPU: 1 }));
    });
    expect(tries).toBe(2);
  });
});
