import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTrait, deleteTrait, setTraits } from '../../src/ledger/provider/traits.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { aProvider, expectRefused, expectUnchanged, generationOf } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  for (const name of ['CUSTOM_GOLD', 'CUSTOM_RED']) await createTrait(database.ledger, { name });
});
afterAll(() => database.close());

const set = (resourceProvider: string, generation: number, traits: string[]) =>
  setTraits(database.ledger, { resourceProvider, generation, traits });

async function traitsOf(uuid: string): Promise<string[]> {
  const rows = await database.pool.query<{ name: string }[]>(
    `SELECT t.name FROM resource_provider_traits l JOIN traits t ON t.id = l.trait_id
     JOIN resource_providers p ON p.id = l.resource_provider_id WHERE p.uuid = ? ORDER BY t.name`,
    [uuid],
  );
  return rows.map(({ name }) => name);
}

describe("setting a provider's traits", () => {
  test('rule 70: replaces the set; decision D5: bumps once, and not for the same set in another order', async () => {
    const uuid = await aProvider(database);
    expect(await set(uuid, 0, ['HW_CPU_X86_AVX2', 'CUSTOM_GOLD'])).toEqual({ uuid });
    expect(await traitsOf(uuid)).toEqual(['CUSTOM_GOLD', 'HW_CPU_X86_AVX2']);
    await expectUnchanged(database, () => set(uuid, 1, ['CUSTOM_GOLD', 'HW_CPU_X86_AVX2']));
    await set(uuid, 1, ['CUSTOM_RED', 'CUSTOM_GOLD']);
    expect(await traitsOf(uuid)).toEqual(['CUSTOM_GOLD', 'CUSTOM_RED']);
    await set(uuid, 2, []);
    expect(await traitsOf(uuid)).toEqual([]);
    expect(await generationOf(database, uuid)).toBe(3);
    await expectUnchanged(database, () => set(uuid, 3, []));
  });

  test('rule 72: the rest of the tree is left alone', async () => {
    const root = await aProvider(database);
    const child = await aProvider(database, root);
    await set(child, 0, ['CUSTOM_GOLD']);
    expect(await traitsOf(root)).toEqual([]);
    expect(await generationOf(database, root)).toBe(0);
  });

  test('rule 70, decisions D7, D8, D12: unknown traits and duplicates are named by position, the first one first', async () => {
    const uuid = await aProvider(database);
    const cases: [string[], number][] = [
      [['CUSTOM_GOLD', 'CUSTOM_NEVER_MADE', 'CUSTOM_GOLD'], 1],
      [['CUSTOM_GOLD', 'CUSTOM_GOLD', 'CUSTOM_NEVER_MADE'], 1],
      [['custom_gold'], 0],
      [['CUSTOM_GOLD', 'CUSTOM_GOLD '], 1],
      [['CUSTOM_GOLD', ''], 1],
      [['\u0000'], 0],
    ];
    for (const [traits, position] of cases) {
      await expectRefused(database, () => set(uuid, 0, traits), {
        code: 'INVALID_INPUT',
        path: ['traits', String(position)],
      });
    }
    await expectRefused(database, () => set(randomUUID(), 0, ['CUSTOM_NEVER_MADE']), {
      code: 'INVALID_INPUT',
    });
  });

  test('rule 58: an unknown provider, a stale generation', async () => {
    const [uuid, unknown] = [await aProvider(database), randomUUID()];
    await expectRefused(database, () => set(unknown, 0, []), {
      code: 'NOT_FOUND',
      entity: 'RESOURCE_PROVIDER',
      key: unknown,
    });
    await expectRefused(database, () => set(uuid, 4, ['CUSTOM_GOLD']), {
      code: 'PROVIDER_GENERATION_CONFLICT',
      resourceProviderUuid: uuid,
      expectedGeneration: 4,
      currentGeneration: 0,
    });
  });
});

describe('the catalog of traits', () => {
  test('rule 67: creating is idempotent', async () => {
    expect(await createTrait(database.ledger, { name: 'CUSTOM_NEW' })).toEqual({
      name: 'CUSTOM_NEW',
      created: true,
    });
    await expectUnchanged(database, async () => {
      expect(await createTrait(database.ledger, { name: 'CUSTOM_NEW' })).toEqual({
        name: 'CUSTOM_NEW',
        created: false,
      });
    });
  });

  test('rules 2, 67: what a custom name looks like', async () => {
    await createTrait(database.ledger, { name: `CUSTOM_${'X'.repeat(248)}` });
    const wrong = [
      '',
      'CUSTOM_',
      'HW_CPU_X86_AVX2',
      'custom_x',
      'CUSTOM_x',
      'CUSTOM_A-B',
      'CUSTOM_A\n',
      `CUSTOM_${'X'.repeat(249)}`,
    ];
    for (const name of wrong) {
      await expectRefused(database, () => createTrait(database.ledger, { name }), {
        code: 'INVALID_INPUT',
        path: ['name'],
      });
    }
  });

  test('rules 66, 68: only a custom trait that nobody has can be deleted', async () => {
    const uuid = await aProvider(database);
    await createTrait(database.ledger, { name: 'CUSTOM_DOOMED' });
    await set(uuid, 0, ['CUSTOM_DOOMED']);
    const remove = (name: string) => () => deleteTrait(database.ledger, { name });
    await expectRefused(database, remove('CUSTOM_DOOMED'), {
      code: 'TRAIT_IN_USE',
      traitName: 'CUSTOM_DOOMED',
    });
    await set(uuid, 1, []);
    expect(await remove('CUSTOM_DOOMED')()).toEqual({ name: 'CUSTOM_DOOMED' });
    await expectRefused(database, remove('CUSTOM_DOOMED'), {
      code: 'NOT_FOUND',
      entity: 'TRAIT',
      key: 'CUSTOM_DOOMED',
    });
    await expectRefused(database, remove('HW_CPU_X86_AVX2'), {
      code: 'STANDARD_IS_IMMUTABLE',
      standardName: 'HW_CPU_X86_AVX2',
    });
    await expectRefused(database, remove('HW_CPU_FROM_MARS'), { code: 'NOT_FOUND', key: 'HW_CPU_FROM_MARS' });
  });

  test('a standard trait in use is immutable before it is in use', async () => {
    await set(await aProvider(database), 0, ['HW_CPU_X86_AVX2']);
    await expectRefused(database, () => deleteTrait(database.ledger, { name: 'HW_CPU_X86_AVX2' }), {
      code: 'STANDARD_IS_IMMUTABLE',
    });
  });
});
