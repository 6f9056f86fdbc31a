import { expect, test } from '@jest/globals';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { recordForeignChanges } from '../../src/store/ledger/recordForeignChanges.js';
import { systemClock } from '../../src/model/operation/turns.js';
import { reportToConsole } from '../../src/model/operation/report.js';
import { LiveSnapshot } from '../../src/store/live/liveSnapshot.js';
import { providerAt } from '../../src/fleet/providerColumns.js';
import { NameTable } from '../../src/fleet/snapshot.js';
import { Reconciliation } from '../../src/store/external/reconciliation.js';
import { aProvider } from '../ledger/support.js';
import { useDatabase } from '../support/useDatabase.js';
import { wholePass } from '../support/wholePass.js';

const database = useDatabase();

const RACK = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b11';

test('of several ids with one name the lowest stands for the others, until the snapshot ends', () => {
  const first = new NameTable([
    { id: 5, name: RACK },
    { id: 3, name: RACK },
    { id: 4, name: 'other' },
  ]);
  expect([first.idOf(RACK), first.firstOf(5), first.firstOf(3), first.firstOf(4)]).toEqual([3, 3, 3, 4]);
  const lower = new NameTable(
    [2, 3, 5].map((id) => ({ id, name: RACK })),
    first,
  );
  expect([lower.idOf(RACK), lower.firstOf(2), lower.firstOf(5)]).toEqual([3, 3, 3]);
  const rest = new NameTable([{ id: 5, name: RACK }], lower);
  expect([rest.idOf(RACK), rest.firstOf(5), rest.nameOf(3)]).toEqual([3, 3, RACK]);
});

test('links to several rows of one aggregate are no difference between snapshot and database', async () => {
  const [one, both] = [await aProvider(database), await aProvider(database)];
  const recorded: number[] = [];
  const record = (ids: readonly number[], known: Parameters<typeof recordForeignChanges>[2]) => {
    recorded.push(...ids);
    return recordForeignChanges(database.ledger, ids, known);
  };
  const live = new LiveSnapshot(database, systemClock, record);
  await updateProvider(database.ledger, { resourceProvider: one, aggregates: { set: [RACK] } });
  await live.current();
  await database.pool.query('INSERT INTO placement_aggregates (uuid) VALUES (?)', [RACK.toUpperCase()]);
  await database.pool.query(
    `INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id)
     SELECT p.id, a.id FROM resource_providers p, placement_aggregates a WHERE p.uuid = ?`,
    [both],
  );
  const reconciliation = new Reconciliation(database, live, reportToConsole);
  for (let pass = 0; pass < 3; pass++) await wholePass(reconciliation);
  expect(recorded).toHaveLength(1);
  for (const snapshot of [await live.current(), await new LiveSnapshot(database).current()])
    for (const uuid of [one, both])
      expect(providerAt(snapshot.locate(uuid)!).aggregates).toEqual([snapshot.aggregates.idOf(RACK)]);
  const fresh = new LiveSnapshot(database, systemClock, record);
  await fresh.current();
  recorded.length = 0;
  await wholePass(new Reconciliation(database, fresh, reportToConsole));
  expect(recorded).toEqual([]);
});
