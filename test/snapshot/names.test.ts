import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/store/database/database.js';
import { textOf } from '../../src/store/sql/statements.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { createTrait, deleteTrait } from '../../src/store/ledger/provider/traits.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { LiveSnapshot } from '../../src/store/live/liveSnapshot.js';
import { NameTable } from '../../src/fleet/snapshot.js';
import { setTraits } from '../support/edits.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();

test('a name table still names deleted ids, and only names them', () => {
  const first = new NameTable([
    { id: 1, name: 'CUSTOM_KEPT' },
    { id: 2, name: 'CUSTOM_DELETED' },
  ]);
  const second = new NameTable([{ id: 1, name: 'CUSTOM_KEPT' }], first);
  const third = new NameTable([{ id: 1, name: 'CUSTOM_KEPT' }], second);
  expect(third.nameOf(2)).toBe('CUSTOM_DELETED');
  expect([third.has(2), third.idOf('CUSTOM_DELETED'), [...third.entries()]]).toEqual([
    false,
    undefined,
    [[1, 'CUSTOM_KEPT']],
  ]);
  expect(() => third.nameOf(3)).toThrow('no name is known for id 3');
});

test('a trait that is deleted between the reads of the providers and of the names keeps its name', async () => {
  const uuid = randomUUID();
  await createProvider(database.ledger, { name: 'host', uuid });
  await createTrait(database.ledger, { name: 'CUSTOM_T' });
  await setTraits(database.ledger, { resourceProvider: uuid, generation: 0, traits: ['CUSTOM_T'] });
  let beforeNames = (): Promise<unknown> => Promise.resolve();
  const reader = openDatabase(database.url);
  const query = (...statement: Parameters<typeof reader.pool.query>) =>
    reader.pool.query<unknown>(...statement);
  const pool = Object.create(reader.pool, {
    execute: { value: reader.pool.execute.bind(reader.pool) },
    query: {
      value: async (...statement: Parameters<typeof query>) => {
        if (textOf(statement[0]).includes('placement_aggregates')) await beforeNames();
        return query(...statement);
      },
    },
  }) as typeof reader.pool;
  const live = new LiveSnapshot({ ...reader, pool });
  const before = await live.current();
  const trait = before.traits.idOf('CUSTOM_T')!;
  await updateProvider(database.ledger, { resourceProvider: uuid, name: 'renamed' });
  await createTrait(database.ledger, { name: 'CUSTOM_OTHER' });
  beforeNames = async () => {
    beforeNames = () => Promise.resolve();
    await setTraits(database.ledger, { resourceProvider: uuid, generation: 2, traits: [] });
    await deleteTrait(database.ledger, { name: 'CUSTOM_T' });
  };
  const between = await live.current();
  const { block, row } = between.locate(uuid)!;
  expect([...block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])]).toEqual([trait]);
  expect(between.traits.nameOf(trait)).toBe('CUSTOM_T');
  expect((await live.current()).traits.idOf('CUSTOM_T')).toBeUndefined();
  await reader.close();
});
