import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed } from '../support/claims.js';
import { createProviders, insertAllocation } from '../support/createProviders.js';
import { createMigHost } from '../support/migHost.js';
import { clientOf } from './client.js';
import { commandsOf, GuideShell } from './guideCommands.js';

const { api, database } = useApi();
const { outputOf, json } = clientOf(api);

/** The uuids of new consumers are generated. */
const withoutUuids = (text: string): string =>
  text.replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UUID');

test('every command of the guide gives the answer beneath it', async () => {
  const shell = await GuideShell.start(api.url);
  for (const { command, answer } of commandsOf('gpus.md', 'console'))
    expect(withoutUuids(await shell.run(command))).toBe(withoutUuids(answer));
  shell.close();
});

const uuidOf = async (name: string): Promise<string> =>
  (await json<{ uuid: string }>('provider show', name)).uuid;

test('usage draws the slices of each card, with marks for partitions and their consumers', async () => {
  await createMigHost(api, 'host', 'A30-24GB', 2);
  const consumer = await claimed(api, { [await uuidOf('host-gpu-0-2g.12gb-2')]: { CUSTOM_MIG_2G_12GB: 1 } });
  // another program allocates a partition without its counters
  await insertAllocation(database, await uuidOf('host-gpu-0-1g.6gb-0'), 'CUSTOM_MIG_1G_6GB', 1);
  await outputOf('inventory set host-gpu-1 --amend CUSTOM_MIG_MEMORY_3:reserved=1');
  const shown = await outputOf('usage host');
  expect(shown).toMatch(/^host-gpu-0 +CUSTOM_MIG_MEMORY_0-3 +a\.bb$/m);
  expect(shown).toMatch(/^host-gpu-1 +CUSTOM_MIG_MEMORY_0-3 +\.\.\.-$/m);
  expect(shown).toMatch(new RegExp(`^host-gpu-0 +b +host-gpu-0-2g.12gb-2 +${consumer}$`, 'm'));
  expect(shown).toMatch(/^host-gpu-0 +CUSTOM_MIG_1G_6GB +1 +1 +2$/m);
  expect(shown).toMatch(/^host-gpu-1 +CUSTOM_MIG_2G_12GB +0 +1 +1$/m);
  expect(shown).toMatch(/^ +host-gpu-0 +CUSTOM_MIG_COPY_ENGINES +2 +4 /m);
  expect(shown).not.toMatch(/MEMORY_[0-3] /);
});

test('the other formats of usage have each inventory, with what it consumes', async () => {
  const rows = await json<{ resourceClass: { name: string }; isCounter: boolean; consumes: object[] }[]>(
    'usage host-gpu-0-2g.12gb-2',
  );
  expect(rows).toMatchObject([
    {
      resourceProvider: { name: 'host-gpu-0-2g.12gb-2' },
      resourceClass: { name: 'CUSTOM_MIG_2G_12GB' },
      isCounter: false,
      used: 1,
    },
  ]);
  expect(rows[0].consumes).toHaveLength(5);
  expect(rows[0].consumes).toContainEqual({
    resourceProvider: { uuid: await uuidOf('host-gpu-0'), name: 'host-gpu-0' },
    resourceClass: { name: 'CUSTOM_MIG_MEMORY_2' },
    amount: 1,
  });
  const lines = (await outputOf('usage host -o csv')).trimEnd().split('\n');
  expect(lines).toHaveLength(1 + 2 * (4 + 4 + 13));
});

test('inventories of a device that consume its own counters are partitions, named by their classes', async () => {
  for (const name of ['CUSTOM_LANE_0', 'CUSTOM_LANE_1', 'CUSTOM_PAIR']) await outputOf('class create', name);
  const consumes = ['CUSTOM_LANE_0', 'CUSTOM_LANE_1'].map((resourceClass) => ({
    resourceProvider: { name: 'device' },
    resourceClass,
  }));
  const inventories = [
    { resourceClass: 'CUSTOM_LANE_0', total: 1 },
    { resourceClass: 'CUSTOM_LANE_1', total: 1 },
    { resourceClass: 'CUSTOM_PAIR', total: 1, consumes },
  ];
  await api.mutate('applyProviderTree', { root: { name: 'device', inventories } });
  const consumer = await claimed(api, { [await uuidOf('device')]: { CUSTOM_PAIR: 1 } });
  expect(await outputOf('usage device')).toBe(
    'DEVICE  SLICES           USE\ndevice  CUSTOM_LANE_0-1  aa\n\n' +
      `DEVICE  MARK  PARTITION    CONSUMER\ndevice  a     CUSTOM_PAIR  ${consumer}\n\n` +
      'DEVICE  CLASS        USED  ALLOCATABLE  BLOCKED\ndevice  CUSTOM_PAIR     1            0        0\n',
  );
});

test('usage of a host without counters has one table', async () => {
  await createProviders(api, {
    name: 'plain',
    inventories: { CUSTOM_MIG_MEMORY_0: 1, CUSTOM_MIG_MEMORY_1: 1 },
  });
  expect((await outputOf('usage plain')).split('\n\n')).toHaveLength(1);
  expect((await outputOf('usage plain')).split('\n')).toHaveLength(4);
});
