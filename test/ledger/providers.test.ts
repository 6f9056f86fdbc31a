import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createProvider } from '../../src/ledger/provider/providers.js';
import { type ProviderUpdate, updateProvider } from '../../src/ledger/provider/updateProvider.js';
import { useDatabase } from '../support/useDatabase.js';
import { allocate, aProvider, expectRefused, inventory, storedProvider } from './support.js';

const database = useDatabase();

describe('creating a provider', () => {
  test('rule 48: a tree may be 200 deep', async () => {
    let parent = await aProvider(database);
    const root = parent;
    for (let depth = 1; depth < 200; depth++) parent = await aProvider(database, parent);
    expect(await storedProvider(database, parent)).toMatchObject({ root });
    await expectRefused(database, () => updateProvider(database.ledger, { resourceProvider: root, parent }), {
      code: 'ILLEGAL_REPARENT',
    });
  });

  test('rule 6: a name has 1 to 200 characters, counted as characters', async () => {
    await createProvider(database.ledger, { name: 'x'.repeat(200) });
    const { uuid } = await createProvider(database.ledger, { name: '\u{1F5A5}'.repeat(200) });
    expect((await storedProvider(database, uuid)).name).toBe('\u{1F5A5}'.repeat(200));
    for (const name of ['', 'y'.repeat(201), '\u{1F5A5}'.repeat(201), 'half \ud83d']) {
      await expectRefused(database, () => createProvider(database.ledger, { name }), {
        code: 'INVALID_INPUT',
        path: ['name'],
      });
    }
  });
});

test('of several rejections of an update the first of the vocabulary is given', async () => {
  const { uuid } = await createProvider(database.ledger, {
    name: randomUUID(),
    inventories: [inventory('MEMORY_MB', 64)],
  });
  await allocate(database, uuid, 'MEMORY_MB', 1);
  await createProvider(database.ledger, { name: 'taken' });
  type Edits = Omit<ProviderUpdate, 'resourceProvider' | 'generation'>;
  const update = (edits: Edits, generation: number) => () =>
    updateProvider(database.ledger, { resourceProvider: uuid, generation, ...edits });
  const inOrder: [Edits, string][] = [
    [{}, 'INVALID_INPUT'],
    [{ traits: null }, 'NOT_FOUND'],
    [{ inventories: { remove: ['MEMORY_MB'] } }, 'DUPLICATE_NAME'],
    [{ name: null }, 'ILLEGAL_REPARENT'],
    [{ parent: null }, 'PROVIDER_GENERATION_CONFLICT'],
  ];
  let edits: Edits = {
    name: 'taken',
    parent: uuid,
    traits: { add: ['CUSTOM_UNKNOWN'] },
    inventories: { remove: ['PCPU', 'MEMORY_MB'] },
  };
  for (const [fix, code] of inOrder) {
    edits = { ...edits, ...fix };
    await expectRefused(database, update(edits, 7), { code });
  }
  await expectRefused(database, update(edits, 0), { code: 'INVENTORY_IN_USE' });
});
