import { describe, expect, test } from '@jest/globals';
import { CHARACTERS } from '../adopt/placementDatabase.js';
import { addConsumer, SPELLINGS, storedTexts } from '../support/otherSpellings.js';
import { ended, OTHERS, rowsOf, startImport, useDatabases } from './transferSupport.js';

const { ours, placement } = useDatabases();

const uuidOf = (at: number): string => `abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b1${at}`;

describe.each(CHARACTERS)('a database of %s', (characters) => {
  test('is imported with every uuid in the usual spelling', async () => {
    const [source, copy] = [await placement(['newest'], characters), await ours()];
    await source.pool.query(
      "INSERT INTO resource_providers (id, uuid, name, generation, root_provider_id) VALUES (1, '0a', 'host', 0, 1)",
    );
    const spelled = Object.values(SPELLINGS);
    const uuids = spelled.map((_, at) => uuidOf(at));
    const noUuid = `${uuidOf(0).slice(0, -2)}--`;
    for (const [at, uuid] of uuids.entries()) {
      await source.pool.query('INSERT INTO placement_aggregates (uuid) VALUES (?)', [spelled[at](uuid)]);
      await addConsumer(source, spelled[at](uuid), '0a');
    }
    await addConsumer(source, noUuid, '0a');
    const { code, lines } = await ended(startImport(source, copy));
    expect([code, lines.at(-1)]).toEqual([0, 'the copy is equal to the source']);
    expect(await storedTexts(copy)).toEqual({
      consumers: [...uuids, noUuid],
      allocations: [...uuids, noUuid],
    });
    const rows = await copy.pool.query<{ uuid: string }[]>(
      'SELECT uuid FROM placement_aggregates ORDER BY id',
    );
    expect(rows.map(({ uuid }) => uuid)).toEqual(uuids);
  });

  test.each(['consumers', 'placement_aggregates'])(
    'two rows of %s that become one are an error',
    async (table) => {
      const [source, copy] = [await placement(['newest'], characters), await ours()];
      const texts = [uuidOf(0), SPELLINGS['dashes elsewhere'](uuidOf(0))];
      for (const text of texts)
        if (table === 'consumers') await addConsumer(source, text, '0a');
        else await source.pool.query('INSERT INTO placement_aggregates (uuid) VALUES (?)', [text]);
      for (const options of [[], ['--dry-run']]) {
        const { code, lines } = await ended(startImport(source, copy, ...options));
        const what = table === 'consumers' ? 'consumer' : 'aggregate';
        expect([code, lines.at(-1)]).toEqual([
          1,
          `the source has several rows of the ${what} ${uuidOf(0)}: ${texts.join(' and ')}; delete all but one`,
        ]);
      }
      expect((await rowsOf(copy, OTHERS)).consumers).toEqual([]);
    },
  );
});
