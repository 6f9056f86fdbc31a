import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { inventoryAt } from '../../src/fleet/snapshot.js';
import { setAllocations } from '../../src/store/ledger/allocation/allocations.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { recordForeignChanges } from '../../src/store/ledger/recordForeignChanges.js';
import { systemClock } from '../../src/model/operation/clock.js';
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
  ourSnapshot = new LiveSnapshot(ours);
  theirSnapshot = new LiveSnapshot(theirs);
  await Promise.all([ourSnapshot.current(), theirSnapshot.current()]);
});

async function usedIn(live: LiveSnapshot): Promise<number> {
  const { block, row } = (await live.current()).locate(provider)!;
  return block.used[inventoryAt(block, row, 0)];
}

test('after a failure to record an external write the next pass records it', async () => {
  await ours.pool.query('DELETE FROM allocations');
  const reconciliation = (recordChanges: RecordChanges) =>
    new Reconciliation(ours, ourSnapshot, recordChanges, reportToConsole);
  await expect(wholePass(reconciliation(failToRecord))).rejects.toThrow('recording fails');
  await wholePass(reconciliation(record));
  expect(await usedIn(ourSnapshot)).toBe(0);
  expect(await usedIn(theirSnapshot)).toBe(0);
});

test('after a failure to record a provider that was read again the next call records it', async () => {
  let recordChanges = failToRecord;
  const live = new LiveSnapshot(ours, systemClock, (...change) => recordChanges(...change));
  await live.current();
  await ours.pool.query('DELETE FROM allocations');
  await expect(live.reread([provider])).rejects.toThrow('recording fails');
  recordChanges = record;
  expect(await live.reread([provider])).toBe(true);
  expect(await usedIn(theirSnapshot)).toBe(0);
});

test('a process without the lock finds an external write that the holder has read with a recorded one', async () => {
  const holder = new Reconciliation(ours, ourSnapshot, record, reportToConsole);
  const other = new Reconciliation(theirs, theirSnapshot, record, reportToConsole);
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
