import { describe, expect, test } from '@jest/globals';
import { adopt } from '../../src/database/adoption/adopt.js';
import { migrate } from '../../src/database/migrator.js';
import type { Snapshot } from '../../src/engine/model/snapshot.js';
import { FeedPosition, FeedReset } from '../../src/feed/position.js';
import { createProvider } from '../../src/ledger/provider/providers.js';
import { createTrait } from '../../src/ledger/provider/traits.js';
import { LocalCommand } from '../cli/command.js';
import { CHARACTERS, fingerprint } from '../adopt/placementDatabase.js';
import { damage } from '../support/damage.js';
import { openProcess, type TestDatabase } from '../support/database.js';
import {
  CATALOG,
  ended,
  ODD_ROWS,
  OTHERS,
  rowsOf,
  startImport,
  startImportProcess,
  useDatabases,
} from './transferSupport.js';

const { ours, placement, empty } = useDatabases();

/** All but what comes and goes with processes that work on it. */
async function stateOf(database: TestDatabase): Promise<Record<string, unknown>> {
  return rowsOf(database, [...OTHERS, ...CATALOG, 'placement_feed_changes']);
}

/** Holds a row that an import comes to after six tables, until it is let go. */
async function hold({ pool }: TestDatabase): Promise<() => Promise<void>> {
  const connection = await pool.getConnection();
  await connection.query('START TRANSACTION');
  await connection.query("INSERT INTO users (id, external_id) VALUES (1, 'held')");
  return async () => {
    await connection.query('ROLLBACK');
    await connection.release();
  };
}

const LAST_BEFORE_HELD = 'copied projects: ';

describe.each(CHARACTERS)('a database of %s', (characters) => {
  test('is copied row by row, odd ones too, and the source is not changed', async () => {
    const [source, target] = [await placement(['newest', 'rows'], characters), await ours()];
    await damage(source, ...ODD_ROWS);
    const [before, rows] = [await fingerprint(source), await rowsOf(source, OTHERS)];
    const { code, lines } = await ended(startImport(source, target));
    expect(lines).toEqual(
      expect.arrayContaining([
        'the source: OpenStack Placement, 2023.2 (Bobcat) and later, version a082b8bb98d0',
        'copied resource_providers: 7 rows',
        expect.stringMatching(/^equal: resource_providers: rows 7; sum of generation 8; checksum \d+$/),
        expect.stringMatching(
          /^equal: allocations: rows 5; VCPU used 4294967298; DISK_GB used 40; class 10777 used 7; checksum \d+$/,
        ),
        expect.stringMatching(/^equal: traits: rows 4; checksum \d+$/),
      ]),
    );
    expect(lines.at(-1)).toBe('the copy is equal to the source');
    expect(lines.filter((line) => line.startsWith('equal: '))).toHaveLength(OTHERS.length + CATALOG.length);
    expect(code).toBe(0);
    expect(await rowsOf(target, OTHERS)).toEqual(rows);
    expect(await fingerprint(source)).toEqual(before);
  });
});

test('the catalog has the ids of the source, and what the source lacks', async () => {
  const [source, target] = [await placement(), await ours()];
  const [theirs, own] = [await rowsOf(source, CATALOG), await rowsOf(target, CATALOG)];
  expect((await ended(startImport(source, target))).code).toBe(0);
  const copied = await rowsOf(target, CATALOG);
  const namesOf = (rows: unknown[]) => rows.map((row) => (row as { name: string }).name).sort();
  for (const table of CATALOG) {
    expect(copied[table]).toEqual(expect.arrayContaining(theirs[table]));
    expect(namesOf(copied[table])).toEqual(
      [...new Set([...namesOf(own[table]), ...namesOf(theirs[table])])].sort(),
    );
  }
  expect(await migrate(target)).toEqual([]);
  const named: unknown = await target.pool.query(
    `SELECT p.name AS provider, t.name AS trait FROM resource_provider_traits l
       JOIN resource_providers p ON p.id = l.resource_provider_id JOIN traits t ON t.id = l.trait_id ORDER BY 1, 2`,
  );
  expect(named).toEqual([
    { provider: 'cn1', trait: 'HW_CPU_X86_AVX2' },
    { provider: 'cn1-größe', trait: 'CUSTOM_GOLD' },
    { provider: 'cn1-größe', trait: 'HW_NUMA_ROOT' },
    { provider: 'cn1-numa0', trait: 'HW_NUMA_ROOT' },
  ]);
});

test("the source may be Xena's, adopted already, or have tables and columns of others", async () => {
  const [source, target] = [await placement(['train', 'trainToXena', 'rows']), await ours()];
  await source.pool.query('CREATE TABLE stranger (a int)');
  await source.pool.query("ALTER TABLE allocations ADD COLUMN note varchar(9) NOT NULL DEFAULT ''");
  const rows = await rowsOf(source, OTHERS);
  await adopt(source);
  await migrate(source);
  const { code, lines } = await ended(startImport(source, target));
  expect(code).toBe(0);
  expect(lines).toContain('the source: OpenStack Placement, Xena to 2023.1 (Antelope), version 422ece571366');
  expect(lines.filter((line) => line.startsWith('not copied: '))).toEqual([
    'not copied: the column allocations.note',
    'not copied: the table stranger',
  ]);
  const withoutNote = rows.allocations.map((row) => {
    const { note, ...rest } = row as { note: string };
    expect(note).toBe('');
    return rest;
  });
  expect(await rowsOf(target, OTHERS)).toEqual({ ...rows, allocations: withoutNote });
});

test('the audit tells of orphaned rows that were copied', async () => {
  const [source, target] = [await placement(), await ours()];
  await damage(source, ...ODD_ROWS);
  await ended(startImport(source, target));
  const { code, lines } = await ended(new LocalCommand(['audit-database'], { DATABASE_URL: target.url }));
  expect(code).toBe(1);
  expect(lines.join('\n')).toMatch('no uuid');
});

test('a user who may only read the source is enough', async () => {
  const [source, target] = [await placement(), await ours()];
  const url = new URL(source.url);
  const user = `reader_${process.pid}`;
  await source.pool.query(`CREATE USER ${user}@localhost IDENTIFIED BY 'secret'`);
  await source.pool.query(`GRANT SELECT ON \`${url.pathname.slice(1)}\`.* TO ${user}@localhost`);
  [url.username, url.password] = [user, 'secret'];
  const { code, lines } = await ended(startImport({ url: url.href }, target));
  await source.pool.query(`DROP USER ${user}@localhost`);
  expect(lines.at(-1)).toBe('the copy is equal to the source');
  expect(code).toBe(0);
});

test('a new row has no id that the source has given, not even to one that is gone', async () => {
  const [source, target] = [await placement(), await ours()];
  await source.pool.query("INSERT INTO resource_providers (id, uuid, name) VALUES (50, 'gone', 'gone')");
  await source.pool.query('DELETE FROM resource_providers WHERE id = 50');
  expect((await ended(startImport(source, target))).code).toBe(0);
  await createProvider(target.ledger, { name: 'new' });
  expect(await target.pool.query("SELECT id FROM resource_providers WHERE name = 'new'")).toEqual([
    { id: 51 },
  ]);
});

test('a process that runs on the target sees all of it at once, under the right names', async () => {
  const [source, target] = [await placement(), await ours()];
  const [running, fresh] = [openProcess(target.url), openProcess(target.url)];
  await running.snapshots.current();
  expect((await ended(startImport(source, target))).code).toBe(0);
  const seen = traitsIn(await running.snapshots.current());
  expect(seen).toEqual(traitsIn(await fresh.snapshots.current()));
  expect(seen).toEqual({
    cn1: ['HW_CPU_X86_AVX2'],
    'cn1-größe': ['CUSTOM_GOLD', 'HW_NUMA_ROOT'],
    'cn1-numa0': ['HW_NUMA_ROOT'],
  });
  await Promise.all([running.close(), fresh.close()]);
});

/** The names of the traits of each provider, by its name. */
function traitsIn({ blocks, traits }: Snapshot): Record<string, (string | undefined)[]> {
  return Object.fromEntries(
    blocks.flatMap((block) =>
      block.names.map((name, row) => {
        const ids = block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1]);
        return [name, Array.from(ids, (id) => traits.nameOf(id)).sort()];
      }),
    ),
  );
}

test('a process that runs on the target reads everything anew', async () => {
  const [source, target] = [await placement(), await ours()];
  expect((await ended(startImport(source, target))).code).toBe(0);
  await expect(FeedPosition.START.readDelta(target.pool)).rejects.toThrow(FeedReset);
});

describe('interrupted', () => {
  test('killed half way it leaves nothing, and begins again', async () => {
    const [source, target] = [await placement(), await ours()];
    const [rows, before] = [await rowsOf(source, OTHERS), await stateOf(target)];
    const letGo = await hold(target);
    const killed = startImportProcess(source, target);
    await killed.says(LAST_BEFORE_HELD);
    killed.signal('SIGKILL');
    expect((await killed.ended()).code).toBe('SIGKILL');
    await letGo();
    expect(await stateOf(target)).toEqual(before);
    expect((await ended(startImport(source, target))).code).toBe(0);
    expect(await rowsOf(target, OTHERS)).toEqual(rows);
  });

  test('stopped by a signal it fails, and leaves nothing', async () => {
    const [source, target] = [await placement(), await ours()];
    const before = await stateOf(target);
    const letGo = await hold(target);
    const stopped = startImportProcess(source, target);
    await stopped.says(LAST_BEFORE_HELD);
    stopped.signal('SIGTERM');
    await stopped.says('stopping');
    await letGo();
    expect((await stopped.ended()).code).toBe(1);
    expect(await stateOf(target)).toEqual(before);
  });
});

test('what is written to the source meanwhile is not copied', async () => {
  const [source, target] = [await placement(), await ours()];
  const rows = await rowsOf(source, [...OTHERS, ...CATALOG]);
  const letGo = await hold(target);
  const running = startImport(source, target);
  await running.says(LAST_BEFORE_HELD);
  await damage(
    source,
    "INSERT INTO users (id, external_id) VALUES (2, 'late')",
    "INSERT INTO traits (id, name) VALUES (500, 'CUSTOM_LATE')",
    'DELETE FROM allocations',
    'UPDATE resource_providers SET generation = generation + 1',
    'DELETE FROM resource_provider_aggregates',
    'DELETE FROM placement_aggregates',
  );
  await letGo();
  expect((await ended(running)).code).toBe(0);
  const copied = await rowsOf(target, [...OTHERS, ...CATALOG]);
  for (const table of OTHERS) expect(copied[table]).toEqual(rows[table]);
  for (const table of CATALOG) expect(copied[table]).toEqual(expect.arrayContaining(rows[table]));
  expect(JSON.stringify(copied.traits)).not.toMatch('CUSTOM_LATE');
});

test('of two imports at once one copies, and the other finds its rows', async () => {
  const [source, target] = [await placement(), await ours()];
  const rows = await rowsOf(source, OTHERS);
  const letGo = await hold(target);
  const first = startImportProcess(source, target);
  await first.says(LAST_BEFORE_HELD);
  const second = startImportProcess(source, target);
  await second.says('the source: ');
  await letGo();
  expect((await ended(first)).code).toBe(0);
  const { code, lines } = await ended(second);
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe('the target must be empty, and it has rows in resource_providers');
  expect(await rowsOf(target, OTHERS)).toEqual(rows);
});

describe('a copy that is not equal', () => {
  test.each([
    ['because the target changes values', 'SET NEW.used = NEW.used + 1', 'VCPU used 4, in the copy 5'],
    ['though no sum tells it', "SET NEW.consumer_id = 'another'", /checksum \d+, in the copy \d+/],
  ])('%s is not committed', async (_why, change, line) => {
    const [source, target] = [await placement(), await ours()];
    const before = await stateOf(target);
    await target.pool.query(`CREATE TRIGGER spoils BEFORE INSERT ON allocations FOR EACH ROW ${change}`);
    const { code, lines } = await ended(startImport(source, target));
    expect(code).toBe(1);
    expect(lines.filter((each) => each.startsWith('DIFFERENT: '))).toEqual([expect.stringMatching(line)]);
    expect(lines.at(-1)).toBe('the copy differs from the source: nothing is changed');
    expect(await stateOf(target)).toEqual(before);
  });

  test('because somebody writes to the target meanwhile is not committed either', async () => {
    const [source, target] = [await placement(), await ours()];
    const letGo = await hold(target);
    const running = startImport(source, target);
    await running.says(LAST_BEFORE_HELD);
    await target.pool.query("INSERT INTO consumer_types (id, name) VALUES (77, 'MEANWHILE')");
    await letGo();
    const { code, lines } = await ended(running);
    expect(code).toBe(1);
    expect(lines).toContainEqual(
      expect.stringMatching('DIFFERENT: consumer_types: rows 0, in the copy 1; checksum'),
    );
    expect(await rowsOf(target, ['resource_providers', 'consumer_types'])).toMatchObject({
      resource_providers: [],
      consumer_types: [{ name: 'MEANWHILE' }],
    });
  });
});

test('a dry run tells what would be copied, and changes nothing', async () => {
  const [source, target] = [await placement(), await ours()];
  const before = [await fingerprint(source), await fingerprint(target)];
  const { code, lines } = await ended(startImport(source, target, '--dry-run'));
  expect(code).toBe(0);
  expect(lines).toContainEqual(
    expect.stringMatching(/^would copy consumers: rows 1; sum of generation 1; checksum \d+$/),
  );
  expect(lines.at(-1)).toBe('nothing is changed');
  expect([await fingerprint(source), await fingerprint(target)]).toEqual(before);
});

describe('refused', () => {
  async function refusal(command: ReturnType<typeof startImport>): Promise<string> {
    const { code, lines } = await ended(command);
    expect(code).toBe(1);
    return lines.at(-1)!;
  }

  test.each([['postgresql://user:secret@db/placement'], ['sqlite:////var/lib/placement.db']])(
    '%s',
    async (url) => {
      const target = await ours();
      const line = await refusal(startImport({ url }, target));
      expect(line).toBe(
        `a database URL looks like mysql://user:password@host:3306/name, and not ${url.split('//')[0]}//`,
      );
    },
  );

  test('a target with rows, or with names of its own', async () => {
    const [source, target] = [await placement(), await ours()];
    await createTrait(target.ledger, { name: 'CUSTOM_OWN' });
    const dry = await refusal(startImport(source, target, '--dry-run'));
    expect(dry).toBe('the target must be empty, and it has CUSTOM_OWN in traits');
    await target.pool.query("INSERT INTO users (external_id) VALUES ('somebody')");
    target.stop(); // its feed would renew its lease
    const before = await fingerprint(target);
    const line = await refusal(startImport(source, target));
    expect(line).toBe('the target must be empty, and it has rows in users');
    expect(await fingerprint(target)).toEqual(before);
  });

  test('the same database, however it is named', async () => {
    const target = await ours();
    const url = target.url.replace('mysql://', 'mariadb://');
    const line = await refusal(startImport({ url }, target));
    expect(line).toBe('the source and the target are the same database');
  });

  test('a target that was not migrated, and a source that is not there or is none', async () => {
    const [target, nothing] = [await ours(), await empty()];
    expect(await refusal(startImport(target, nothing))).toMatch('run `placement-graphql migrate`');
    expect(await refusal(startImport(nothing, target))).toMatch(
      /^the source is no database of OpenStack Placement: it has no table alembic_version/,
    );
    expect(await refusal(startImport({ url: `${nothing.url}_none` }, target))).toMatch(
      /^cannot use the database .*_none/,
    );
  });

  test('a source that is too old, with all that it lacks', async () => {
    const [source, target] = [await placement(['train']), await ours()];
    const { code, lines } = await ended(startImport(source, target));
    expect(code).toBe(1);
    expect(lines).toEqual([
      'the source is not as it must be:',
      expect.stringMatching(/^error: version b5c396305c25 .* is too old: .* then try again$/),
      'error: the column consumers.consumer_type_id is missing',
      'error: the table consumer_types is missing',
    ]);
  });
});
