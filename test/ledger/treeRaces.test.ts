import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { entryOf } from '../../src/domain/errors.js';
import { createProvider, deleteProvider } from '../../src/ledger/provider/providers.js';
import { Random } from '../oracle/random.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { checkTrees, storedProviders } from './support.js';
import { updateProvider } from '../../src/ledger/provider/updateProvider.js';

let database: TestDatabase;

/** The writers draw from one sequence: the same seed repeats the writes, not how they interleave. */
const random = new Random(11);

/** Makes many writers change the shape of a few trees at random, and counts how the writes ended. */
async function disturb(
  uuids: readonly string[],
  writes: number,
  writers: number,
): Promise<Record<string, number>> {
  const ends: Record<string, number> = {};
  const any = () => random.pick(uuids);
  let left = writes;
  const one = async (): Promise<string> => {
    const uuid = any();
    const kind = random.between(0, 99) / 100;
    if (kind < 0.25) {
      await createProvider(database.ledger, { name: randomUUID(), uuid, parent: any() });
      return 'created';
    } else if (kind < 0.35) {
      await createProvider(database.ledger, { name: randomUUID(), uuid });
      return 'created';
    } else if (kind < 0.75) {
      await updateProvider(database.ledger, { resourceProvider: uuid, parent: any() });
      return 'moved';
    } else if (kind < 0.82) {
      await updateProvider(database.ledger, { resourceProvider: uuid, parent: { none: true } });
      return 'moved';
    }
    await deleteProvider(database.ledger, { resourceProvider: uuid });
    return 'deleted';
  };
  const writer = async (): Promise<void> => {
    while (left-- > 0) {
      const end = await one().catch((error: unknown) => {
        const entry = entryOf(error);
        if (entry === null) throw error;
        return entry.code;
      });
      ends[end] = (ends[end] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return ends;
}

/** One statement sees one state: checks states of the trees until the writers are done, and the last one. */
async function watch<T>(writers: Promise<T>): Promise<T> {
  let busy = true;
  const done = writers.finally(() => (busy = false));
  while (busy) {
    checkTrees(await storedProviders(database));
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 5))]);
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
      const uuids = Array.from({ length: size }, () => randomUUID());
      const ends = await watch(disturb(uuids, 500, 14));
      expect(Object.values(ends).reduce((sum, n) => sum + n)).toBe(500);
      expect(ends.CONCURRENT_UPDATE).toBeUndefined();
      for (const [end, count] of Object.entries(ends)) all[end] = (all[end] ?? 0) + count;
    },
  );

  test('in these races every way to end has occurred', () => {
    const ways = 'created moved deleted ILLEGAL_REPARENT NOT_FOUND PROVIDER_HAS_CHILDREN';
    for (const end of ways.split(' ')) {
      expect(all[end]).toBeGreaterThan(0);
    }
  });

  test('rule 42: of two moves that together make a loop one is refused', async () => {
    for (let round = 0; round < 40; round++) {
      const [a, b] = await Promise.all(
        [0, 1].map(() => createProvider(database.ledger, { name: randomUUID() }).then(({ uuid }) => uuid)),
      );
      const moves = [
        updateProvider(database.ledger, { resourceProvider: a, parent: b }),
        updateProvider(database.ledger, { resourceProvider: b, parent: a }),
      ];
      const ends = await Promise.allSettled(moves);
      const refused = ends.flatMap((end) => (end.status === 'rejected' ? [entryOf(end.reason)?.code] : []));
      expect(refused).toEqual(['ILLEGAL_REPARENT']);
    }
    checkTrees(await storedProviders(database));
  });
});
