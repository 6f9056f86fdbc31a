import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createProvider, deleteProvider } from '../../src/ledger/provider/providers.js';
import {
  allocate,
  aProvider,
  expectRefused,
  expectUnchanged,
  generationOf,
  inventory,
  storedProvider,
  storedProviders,
} from './support.js';
import { useDatabase } from '../support/useDatabase.js';
import { updateProvider } from '../../src/ledger/provider/updateProvider.js';
import { setAggregates, setInventories, setTraits } from '../support/edits.js';

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

  test('rule 39: a new provider as its own parent is not found, an existing one is a duplicate', async () => {
    const uuid = randomUUID();
    const asOwnParent = () => createProvider(database.ledger, { name: 'narcissus', uuid, parent: uuid });
    await expectRefused(database, asOwnParent, { code: 'NOT_FOUND', key: uuid });
    await createProvider(database.ledger, { name: 'echo', uuid });
    await expectRefused(database, asOwnParent, { code: 'DUPLICATE_UUID', uuid });
  });

  test('rule 40: a name or a uuid that is taken; the name comes first', async () => {
    const uuid = randomUUID();
    await createProvider(database.ledger, { name: 'taken', uuid });
    await expectRefused(database, () => createProvider(database.ledger, { name: 'taken' }), {
      code: 'DUPLICATE_NAME',
      providerName: 'taken',
    });
    await expectRefused(database, () => createProvider(database.ledger, { name: 'free', uuid }), {
      code: 'DUPLICATE_UUID',
      uuid,
    });
    await expectRefused(database, () => createProvider(database.ledger, { name: 'taken', uuid }), {
      code: 'DUPLICATE_NAME',
    });
    await expectRefused(
      database,
      () => createProvider(database.ledger, { name: 'taken', uuid, parent: randomUUID() }),
      {
        code: 'NOT_FOUND',
      },
    );
    await expectRefused(
      database,
      () => createProvider(database.ledger, { name: '', uuid, parent: randomUUID() }),
      {
        code: 'INVALID_INPUT',
      },
    );
  });
});

describe('updating a provider', () => {
  test('decision D5: an update that changes nothing bumps nothing', async () => {
    const root = await aProvider(database);
    const child = await aProvider(database, root);
    const { name } = await storedProvider(database, child);
    for (const rest of [{ name }, { parent: root }, { generation: 0, name, parent: root }]) {
      await expectUnchanged(database, () =>
        updateProvider(database.ledger, { resourceProvider: child, ...rest }),
      );
    }
    await expectUnchanged(database, () =>
      updateProvider(database.ledger, { resourceProvider: root, parent: { none: true } }),
    );
  });

  test('rule 43: a move to another tree rewrites the root of every descendant', async () => {
    const [here, there] = [await aProvider(database), await aProvider(database)];
    const moved = await aProvider(database, here);
    const below = await aProvider(database, moved);
    const deepest = await aProvider(database, below);
    const stays = await aProvider(database, here);
    await updateProvider(database.ledger, { resourceProvider: moved, parent: there, generation: 0 });
    expect(await storedProvider(database, moved)).toMatchObject({
      parent: there,
      root: there,
      generation: 1,
    });
    expect(await storedProvider(database, below)).toMatchObject({
      parent: moved,
      root: there,
      generation: 0,
    });
    expect(await storedProvider(database, deepest)).toMatchObject({
      parent: below,
      root: there,
      generation: 0,
    });
    expect(await storedProvider(database, stays)).toMatchObject({ parent: here, root: here, generation: 0 });
    expect(await generationOf(database, here)).toBe(0);
    expect(await generationOf(database, there)).toBe(0);
  });

  test('rule 42: a root with all its tree may be moved under another, and a provider within its tree', async () => {
    const [upper, lower] = [await aProvider(database), await aProvider(database)];
    const leaf = await aProvider(database, lower);
    await updateProvider(database.ledger, { resourceProvider: lower, parent: upper });
    expect(await storedProvider(database, leaf)).toMatchObject({ parent: lower, root: upper });
    await updateProvider(database.ledger, { resourceProvider: leaf, parent: upper });
    expect(await storedProvider(database, leaf)).toMatchObject({ parent: upper, root: upper, generation: 1 });
  });

  test('rule 41: a parent of none detaches a provider with what is below it', async () => {
    const root = await aProvider(database);
    const middle = await aProvider(database, root);
    const leaf = await aProvider(database, middle);
    await updateProvider(database.ledger, { resourceProvider: middle, parent: { none: true } });
    expect(await storedProvider(database, middle)).toMatchObject({
      parent: null,
      root: middle,
      generation: 1,
    });
    expect(await storedProvider(database, leaf)).toMatchObject({
      parent: middle,
      root: middle,
      generation: 0,
    });
  });

  test('rename and move in one update bump once', async () => {
    const [one, two] = [await aProvider(database), await aProvider(database)];
    await updateProvider(database.ledger, { resourceProvider: one, name: 'both at once', parent: two });
    expect(await storedProvider(database, one)).toMatchObject({
      name: 'both at once',
      parent: two,
      generation: 1,
    });
  });

  test('rule 44: allocations, traits and aggregates do not keep a provider from moving', async () => {
    const [one, two] = [await aProvider(database), await aProvider(database)];
    await setInventories(database.ledger, {
      resourceProvider: one,
      generation: 0,
      inventories: [inventory('VCPU', 4)],
    });
    await setAggregates(database.ledger, {
      resourceProvider: one,
      generation: 1,
      aggregates: [randomUUID()],
    });
    await allocate(database, one, 'VCPU', 4);
    await updateProvider(database.ledger, { resourceProvider: one, parent: two });
    expect(await storedProvider(database, one)).toMatchObject({ root: two, generation: 3 });
  });

  test('decision D6: a stale generation names both, also where nothing would change', async () => {
    const uuid = await aProvider(database);
    for (const rest of [{ name: 'never' }, { parent: { none: true } }]) {
      await expectRefused(
        database,
        () => updateProvider(database.ledger, { resourceProvider: uuid, generation: 7, ...rest }),
        {
          code: 'PROVIDER_GENERATION_CONFLICT',
          resourceProviderUuid: uuid,
          expectedGeneration: 7,
          currentGeneration: 0,
        },
      );
    }
  });

  test('the precedence of refusals: duplicate name, then loop, then generation', async () => {
    const uuid = await aProvider(database);
    const taken = (await storedProvider(database, await aProvider(database))).name;
    await expectRefused(
      database,
      () =>
        updateProvider(database.ledger, { resourceProvider: uuid, generation: 9, parent: uuid, name: taken }),
      { code: 'DUPLICATE_NAME' },
    );
    await expectRefused(
      database,
      () => updateProvider(database.ledger, { resourceProvider: uuid, generation: 9, parent: uuid }),
      { code: 'ILLEGAL_REPARENT' },
    );
  });

  test('decision D8: a provider may change the case of its own name', async () => {
    const { uuid } = await createProvider(database.ledger, { name: 'lower' });
    await updateProvider(database.ledger, { resourceProvider: uuid, name: 'LOWER' });
    expect(await storedProvider(database, uuid)).toMatchObject({ name: 'LOWER', generation: 1 });
  });
});

describe('deleting a provider', () => {
  test('rule 47: its inventories and links go with it, the aggregates stay', async () => {
    const root = await aProvider(database);
    const uuid = await aProvider(database, root);
    const { id } = await storedProvider(database, uuid);
    const aggregate = randomUUID();
    await setInventories(database.ledger, {
      resourceProvider: uuid,
      generation: 0,
      inventories: [inventory('VCPU', 4)],
    });
    await setTraits(database.ledger, { resourceProvider: uuid, generation: 1, traits: ['HW_CPU_X86_AVX2'] });
    await setAggregates(database.ledger, { resourceProvider: uuid, generation: 2, aggregates: [aggregate] });
    expect(await deleteProvider(database.ledger, { resourceProvider: uuid })).toEqual({ uuid });
    expect((await storedProviders(database)).some((row) => row.uuid === uuid)).toBe(false);
    for (const table of ['inventories', 'resource_provider_traits', 'resource_provider_aggregates']) {
      expect(
        await database.pool.query(`SELECT * FROM ${table} WHERE resource_provider_id = ?`, [id]),
      ).toEqual([]);
    }
    expect(
      await database.pool.query('SELECT uuid FROM placement_aggregates WHERE uuid = ?', [aggregate]),
    ).toEqual([{ uuid: aggregate }]);
    expect(await generationOf(database, root)).toBe(0);
  });
});
