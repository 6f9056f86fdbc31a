import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createProvider,
  deleteProvider,
  deleteProviders,
} from '../../src/store/ledger/provider/providers.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import { Random } from '../oracle/random.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { aProvider, checkTrees, codeOf, endOf, storedProviders, times } from './support.js';

let database: TestDatabase;

/** The writers draw from one sequence: the same seed repeats the writes, not how they interleave. */
const random = new Random(11);

/** Makes many writers change the shape of a few trees at random, and counts how the writes ended. */
async function disturb(
  uuids: readonly string[],
  writes: number,
  writers: number,
): Promise<Record<string, number>> {
  const { ledger } = database;
  const ends: Record<string, number> = {};
  const any = () => random.pick(uuids);
  const write = async (uuid: string, kind: number): Promise<string> => {
    if (kind < 30) {
      await createProvider(ledger, { name: randomUUID(), uuid, parent: kind < 20 ? any() : null });
      return 'created';
    } else if (kind < 68) {
      await updateProvider(ledger, { resourceProvider: uuid, parent: kind < 62 ? any() : { none: true } });
      return 'moved';
    } else if (kind < 80) {
      await deleteProvider(ledger, { resourceProvider: uuid });
      return 'deleted';
    } else if (kind < 84) {
      await deleteProviders(ledger, { resourceProviders: [uuid], recursive: true });
      return 'deleted';
    }
    const [child, grandchild] = [any(), any()];
    const leaf = { uuid: grandchild, name: `applied ${grandchild}`, children: kind < 92 ? [] : null };
    const children = [{ uuid: child, name: `applied ${child}`, children: [leaf] }];
    await applyProviderTree(ledger, { root: { uuid, name: `applied ${uuid}`, children } });
    return 'applied';
  };
  let left = writes;
  const writer = async (): Promise<void> => {
    while (left-- > 0) {
      const end = await write(any(), random.between(0, 99)).catch(codeOf);
      ends[end] = (ends[end] ?? 0) + 1;
    }
  };
  await Promise.all(times(writers, writer));
  return ends;
}

/** One statement sees one state: checks states of the trees until the writers are done, and the last one. */
async function watch<T>(writers: Promise<T>): Promise<T> {
  let busy = true;
  const done = writers.finally(() => (busy = false));
  while (busy) {
    checkTrees(await storedProviders(database));
    await Promise.race([done, sleep(10)]);
  }
  checkTrees(await storedProviders(database));
  return done;
}

/** On one server the foreign keys hold locks that prevent part of this; on the nodes of a cluster they hold none. */
describe.each(['with', 'without'])('%s the foreign keys', (keys) => {
  const all: Record<string, number> = {};

  beforeAll(async () => {
    database = await testDatabase({ connections: 16 });
    if (keys === 'with') return;
    await database.pool.query(`ALTER TABLE resource_providers
      DROP FOREIGN KEY resource_providers_ibfk_1, DROP FOREIGN KEY resource_providers_ibfk_2`);
  });
  afterAll(() => database.close());

  test.each([4, 12, 40])(
    'rules 39, 42, 43, 46: racing over %p providers never breaks a tree',
    async (size) => {
      const ends = await watch(
        disturb(
          times(size, () => randomUUID()),
          400,
          14,
        ),
      );
      expect(Object.values(ends).reduce((sum, n) => sum + n)).toBe(400);
      expect(ends.CONCURRENT_UPDATE).toBeUndefined();
      for (const [end, count] of Object.entries(ends)) all[end] = (all[end] ?? 0) + count;
    },
  );

  test('in these races every way to end has occurred', () => {
    const ways = 'created moved deleted applied ILLEGAL_REPARENT NOT_FOUND PROVIDER_HAS_CHILDREN';
    for (const end of ways.split(' ')) {
      expect(all[end]).toBeGreaterThan(0);
    }
  });

  test('rule 42: of two moves that together make a loop one is refused', async () => {
    for (let round = 0; round < 25; round++) {
      const [a, b] = await Promise.all([aProvider(database), aProvider(database)]);
      const moves = [
        updateProvider(database.ledger, { resourceProvider: a, parent: b }),
        updateProvider(database.ledger, { resourceProvider: b, parent: a }),
      ];
      expect((await Promise.all(moves.map(endOf))).sort()).toEqual(['ILLEGAL_REPARENT', 'done']);
    }
    checkTrees(await storedProviders(database));
  });
});
