import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { inventoryAt } from '../../src/fleet/snapshot.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { recordForeignChanges } from '../../src/store/ledger/recordForeignChanges.js';
import { systemClock } from '../../src/model/operation/turns.js';
import { reportToConsole } from '../../src/model/operation/report.js';
import { LiveSnapshot, type RecordChanges } from '../../src/store/live/liveSnapshot.js';
import { Reconciliation } from '../../src/store/external/reconciliation.js';
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

test('a process without the lock finds an external write that the holder has read with a recorded one', async () => {
  const holder = new Reconciliation(ours, ourSnapshot, reportToConsole);
  const other = new Reconciliation(theirs, theirSnapshot, reportToConsole);
  await wholePass(holder);
  await updateProvider(ours.ledger, { resourceProvider: provider, name: 'renamed' });
  await theirSnapshot.current();
  await ours.pool.query('DELETE FROM allocations');
  expect(await usedIn(ourSnapshot)).toBe(0);
  await wholePass(holder);
  expect(await usedIn(theirSnapshot)).toBe(4);
  for (let pass = 0; pass < 10; pass++) await wholePass(other);
  expect(await usedIn(theirSnapshot)).toBe(0);
});
