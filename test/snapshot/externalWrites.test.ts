import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { inventoryAt } from '../../src/fleet/snapshot.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { recordForeignChanges } from '../../src/store/ledger/recordForeignChanges.js';
import { kindsIn } from '../../src/model/recordedChanges.js';
import { systemClock } from '../../src/model/operation/turns.js';
import { reportToConsole } from '../../src/model/operation/report.js';
import { LiveSnapshot, type RecordChanges } from '../../src/store/live/liveSnapshot.js';
import { Reconciliation } from '../../src/store/external/reconciliation.js';
import { setInventories } from '../support/edits.js';
import { wholePass } from '../support/wholePass.js';
import { claim, stocked, useProcesses } from './writes.js';

/** Two processes on one database, and a provider of which a consumer uses 4 VCPU. */
const { ours, theirs } = useProcesses();
let ourSnapshot: LiveSnapshot;
let theirSnapshot: LiveSnapshot;
let provider: string;

const record: RecordChanges = (ids, known) => recordForeignChanges(ours.ledger, ids, known);
const failToRecord: RecordChanges = () => Promise.reject(new Error('recording fails'));

beforeEach(async () => {
  provider = await stocked(ours, 10);
  await setAllocations(ours.claims, claim(randomUUID(), provider, 4));
  ourSnapshot = new LiveSnapshot(ours, systemClock, record);
  theirSnapshot = new LiveSnapshot(theirs, systemClock, record);
  await Promise.all([ourSnapshot.current(), theirSnapshot.current()]);
});

async function usedIn(live: LiveSnapshot): Promise<number> {
  const { block, row } = (await live.current()).locate(provider)!;
  return block.used[inventoryAt(block, row, 0)];
}

test('after a failure to record an external write the next pass records it', async () => {
  let recordChanges = failToRecord;
  const live = new LiveSnapshot(ours, systemClock, (...change) => recordChanges(...change));
  await live.current();
  await ours.pool.query('DELETE FROM allocations');
  const reconciliation = new Reconciliation(ours, live, reportToConsole);
  await expect(wholePass(reconciliation)).rejects.toThrow('recording fails');
  recordChanges = record;
  await wholePass(reconciliation);
  expect(await usedIn(live)).toBe(0);
  expect(await usedIn(theirSnapshot)).toBe(0);
});

test('after a failure to record a rechecked provider the next recheck records it', async () => {
  let recordChanges = failToRecord;
  const live = new LiveSnapshot(ours, systemClock, (...change) => recordChanges(...change));
  await live.current();
  await ours.pool.query('DELETE FROM allocations');
  const { block, row } = (await live.current()).locate(provider)!;
  const ids = new Set([block.ids[row]]);
  await expect(live.recheck(ids)).rejects.toThrow('recording fails');
  recordChanges = record;
  expect(await live.recheck(ids)).toEqual([...ids]);
  expect(await usedIn(live)).toBe(0);
  expect(await usedIn(theirSnapshot)).toBe(0);
});

test('an external write that the holder of the lock has read with a recorded one reaches the other processes', async () => {
  const holder = new Reconciliation(ours, ourSnapshot, reportToConsole);
  await wholePass(holder);
  await updateProvider(ours.ledger, { resourceProvider: provider, name: 'renamed' });
  await theirSnapshot.current();
  await ours.pool.query('DELETE FROM allocations');
  expect(await usedIn(ourSnapshot)).toBe(0);
  expect(await usedIn(theirSnapshot)).toBe(4);
  await wholePass(holder);
  expect(await usedIn(theirSnapshot)).toBe(0);
});

test('a process without the lock finds an external write that the holder has read with the whole fleet', async () => {
  await ours.pool.query('DELETE FROM allocations');
  const holder = new Reconciliation(ours, new LiveSnapshot(ours, systemClock, record), reportToConsole);
  const other = new Reconciliation(theirs, theirSnapshot, reportToConsole);
  await wholePass(holder);
  expect(await usedIn(theirSnapshot)).toBe(4);
  for (let pass = 0; pass < 10; pass++) await wholePass(other);
  expect(await usedIn(theirSnapshot)).toBe(0);
});

/** As OpenStack Placement writes them. */
async function addTraits(uuid: string, generation: number): Promise<void> {
  await ours.pool.query(
    `INSERT INTO resource_provider_traits (resource_provider_id, trait_id, created_at)
     SELECT p.id, t.id, UTC_TIMESTAMP() FROM resource_providers p, traits t WHERE p.uuid = ? AND t.name = 'HW_CPU_X86_AVX'`,
    [uuid],
  );
  await ours.pool.query('UPDATE resource_providers SET generation = ? WHERE uuid = ?', [generation, uuid]);
}

const rename = (uuid: string) => updateProvider(ours.ledger, { resourceProvider: uuid, name: `new ${uuid}` });
const claimOn = (uuid: string) => setAllocations(ours.claims, claim(randomUUID(), uuid, 1));

async function create(): Promise<string> {
  provider = randomUUID();
  await createProvider(ours.ledger, { name: provider, uuid: provider });
  return provider;
}

/** Returns what the changes of the provider in the feed have in common with the subscriptions of clients. */
async function changesInFeed(): Promise<{ generation: number | null; kinds: string[] }[]> {
  const rows = await ours.pool.query<{ generation: number | null; changes: number }[]>(
    `SELECT generation, changes FROM placement_feed_changes WHERE uuid = ? AND kind = 'PROVIDER'
      ORDER BY COALESCE(generation, 1000), writer_id, seq`,
    [provider],
  );
  return rows.map(({ generation, changes }) => ({ generation, kinds: kindsIn(changes) }));
}

test.each<[string, () => Promise<unknown>, object]>([
  [
    'traits after a rename',
    async () => {
      await rename(provider);
      await addTraits(provider, 3);
    },
    { generation: 3, kinds: expect.arrayContaining(['TRAITS']) },
  ],
  [
    'traits before a rename',
    async () => {
      await addTraits(provider, 3);
      await rename(provider);
    },
    { generation: 4, kinds: expect.arrayContaining(['TRAITS']) },
  ],
  [
    'traits before a claim',
    async () => {
      await addTraits(provider, 3);
      await claimOn(provider);
    },
    { generation: 4, kinds: expect.arrayContaining(['TRAITS']) },
  ],
  [
    'traits after the creation',
    async () => addTraits(await create(), 1),
    { generation: 1, kinds: expect.arrayContaining(['TRAITS']) },
  ],
  [
    'a deletion after the creation',
    async () => {
      const uuid = await create();
      await ours.pool.query('UPDATE resource_providers SET root_provider_id = NULL WHERE uuid = ?', [uuid]);
      await ours.pool.query('DELETE FROM resource_providers WHERE uuid = ?', [uuid]);
    },
    { generation: null },
  ],
])(
  'an external write that a snapshot has read with a recorded one is in the feed: %s',
  async (_, work, last) => {
    await wholePass(new Reconciliation(ours, ourSnapshot, reportToConsole));
    await work();
    await ourSnapshot.current();
    await wholePass(new Reconciliation(ours, ourSnapshot, reportToConsole));
    expect((await changesInFeed()).at(-1)).toMatchObject(last);
  },
);

test('writes that are all in the feed are recorded once', async () => {
  let recorded = 0;
  const live = new LiveSnapshot(ours, systemClock, () => Promise.resolve(void recorded++));
  await live.current();
  for (const uuid of [provider, await stocked(ours, 10)]) {
    await rename(uuid);
    await claimOn(uuid);
    await setInventories(ours.ledger, { resourceProvider: uuid, generation: null, inventories: [] }).catch(
      () => null,
    );
    await createProvider(ours.ledger, { name: randomUUID(), uuid: randomUUID(), parent: uuid });
    await live.current();
    await claimOn(uuid);
    await claimOn(uuid);
  }
  await live.recordAbsorbed();
  expect(recorded).toBe(0);
});
