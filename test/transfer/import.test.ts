import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adopt } from '../../src/tools/adoption/adopt.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { FeedPosition, FeedReset } from '../../src/store/feed/position.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { createTrait } from '../../src/store/ledger/provider/traits.js';
import { LocalCommand } from '../cli/command.js';
import { CHARACTERS, fingerprint, placementDatabase, TRAIN } from '../adopt/placementDatabase.js';
import { damage } from '../support/damage.js';
import { openProcess, testDatabase, type ProcessDatabase, type TestDatabase } from '../support/database.js';
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

/** A small cloud, and a migrated database in which no test leaves a row. */
let source: TestDatabase;
let target: TestDatabase;
beforeAll(async () => void ([source, target] = [await placementDatabase(), await testDatabase()]));
afterAll(() => Promise.all([source.close(), target.close()]));

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
  test('is copied row by row, odd ones too, which the audit finds; the source is not changed', async () => {
    const [odd, copy] = [await placement(['newest', 'rows'], characters), await ours()];
    await damage(odd, ...ODD_ROWS);
    const [before, rows] = [await fingerprint(odd), await rowsOf(odd, OTHERS)];
    const { code, lines } = await ended(startImport(odd, copy));
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
    expect(await rowsOf(copy, OTHERS)).toEqual(rows);
    expect(await fingerprint(odd)).toEqual(before);
    const audit = await ended(new LocalCommand(['audit-database'], { DATABASE_URL: copy.url }));
    expect(audit.code).toBe(1);
    expect(audit.lines.join('\n')).toMatch('no uuid');
  });
});

describe('an import by a user who may only read the source', () => {
  let copy: TestDatabase;
  let running: ProcessDatabase;
  let own: Record<string, unknown[]>;
  beforeAll(async () => {
    copy = await testDatabase();
    own = await rowsOf(copy, CATALOG);
    running = openProcess(copy.url);
    await running.snapshots.current();
    await source.pool.query("INSERT INTO resource_providers (id, uuid, name) VALUES (50, 'gone', 'gone')");
    await source.pool.query('DELETE FROM resource_providers WHERE id = 50');
    const url = new URL(source.url);
    const user = `reader_${process.pid}`;
    await source.pool.query(`CREATE USER ${user}@localhost IDENTIFIED BY 'secret'`);
    await source.pool.query(`GRANT SELECT ON \`${url.pathname.slice(1)}\`.* TO ${user}@localhost`);
    [url.username, url.password] = [user, 'secret'];
    const { code, lines } = await ended(startImport({ url: url.href }, copy));
    await source.pool.query(`DROP USER ${user}@localhost`);
    expect([code, lines.at(-1)]).toEqual([0, 'the copy is equal to the source']);
  });
  afterAll(async () => {
    await running.close();
    await copy.close();
  });

  test('gives the catalog the ids of the source, and adds what the source lacks', async () => {
    const [theirs, copied] = [await rowsOf(source, CATALOG), await rowsOf(copy, CATALOG)];
    const namesOf = (rows: unknown[]) => rows.map((row) => (row as { name: string }).name).sort();
    for (const table of CATALOG) {
      expect(copied[table]).toEqual(expect.arrayContaining(theirs[table]));
      expect(namesOf(copied[table])).toEqual(
        [...new Set([...namesOf(own[table]), ...namesOf(theirs[table])])].sort(),
      );
    }
    expect(await migrate(copy)).toEqual([]);
  });

  test('is seen at once, under the right names, by a process that runs on the target', async () => {
    expect(traitsIn(await running.snapshots.current())).toEqual({
      cn1: ['HW_CPU_X86_AVX2'],
      'cn1-größe': ['CUSTOM_GOLD', 'HW_NUMA_ROOT'],
      'cn1-numa0': ['HW_NUMA_ROOT'],
    });
    await expect(FeedPosition.START.readDelta(copy.pool)).rejects.toThrow(FeedReset);
  });

  test('no new row gets an id that the source has used, not even of a deleted row', async () => {
    await createProvider(copy.ledger, { name: 'new' });
    expect(await copy.pool.query("SELECT id FROM resource_providers WHERE name = 'new'")).toEqual([
      { id: 51 },
    ]);
  });
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

test("the source may be Xena's, adopted already, or have tables and columns of others", async () => {
  const [xena, copy] = [await placement([...TRAIN, 'trainToXena', 'rows']), await ours()];
  await xena.pool.query('CREATE TABLE stranger (a int)');
  await xena.pool.query("ALTER TABLE allocations ADD COLUMN note varchar(9) NOT NULL DEFAULT ''");
  const rows = await rowsOf(xena, OTHERS);
  await adopt(xena);
  await migrate(xena);
  const { code, lines } = await ended(startImport(xena, copy));
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
  expect(await rowsOf(copy, OTHERS)).toEqual({ ...rows, allocations: withoutNote });
});

describe('interrupted', () => {
  test('killed half way it leaves nothing, and begins again', async () => {
    const copy = await ours();
    const [rows, before] = [await rowsOf(source, OTHERS), await stateOf(copy)];
    const letGo = await hold(copy);
    const killed = startImportProcess(source, copy);
    await killed.says(LAST_BEFORE_HELD);
    killed.signal('SIGKILL');
    expect((await killed.ended()).code).toBe('SIGKILL');
    await letGo();
    expect(await stateOf(copy)).toEqual(before);
    expect((await ended(startImport(source, copy))).code).toBe(0);
    expect(await rowsOf(copy, OTHERS)).toEqual(rows);
  });

  test('stopped by a signal it fails, and leaves nothing', async () => {
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

test('writes to the source during the copy are not copied', async () => {
  const [changing, copy] = [await placement(), await ours()];
  const rows = await rowsOf(changing, [...OTHERS, ...CATALOG]);
  const letGo = await hold(copy);
  const running = startImport(changing, copy);
  await running.says(LAST_BEFORE_HELD);
  await damage(
    changing,
    "INSERT INTO users (id, external_id) VALUES (2, 'late')",
    "INSERT INTO traits (id, name) VALUES (500, 'CUSTOM_LATE')",
    'DELETE FROM allocations',
    'UPDATE resource_providers SET generation = generation + 1',
    'DELETE FROM resource_provider_aggregates',
    'DELETE FROM placement_aggregates',
  );
  await letGo();
  expect((await ended(running)).code).toBe(0);
  const copied = await rowsOf(copy, [...OTHERS, ...CATALOG]);
  for (const table of OTHERS) expect(copied[table]).toEqual(rows[table]);
  for (const table of CATALOG) expect(copied[table]).toEqual(expect.arrayContaining(rows[table]));
  expect(JSON.stringify(copied.traits)).not.toMatch('CUSTOM_LATE');
});

test('of two concurrent imports, one copies and the other finds its rows', async () => {
  const copy = await ours();
  const rows = await rowsOf(source, OTHERS);
  const letGo = await hold(copy);
  const first = startImport(source, copy);
  await first.says(LAST_BEFORE_HELD);
  const second = startImportProcess(source, copy);
  await second.says('the source: ');
  await letGo();
  expect((await ended(first)).code).toBe(0);
  const { code, lines } = await ended(second);
  expect(code).toBe(1);
  // the first import may commit while the second one reads the tables
  expect(lines.at(-1)).toMatch(/^the target must be empty, and it has (rows|CUSTOM_\w+) in \w+$/);
  expect(await rowsOf(copy, OTHERS)).toEqual(rows);
});

describe('a copy that is not equal', () => {
  test.each([
    ['because the target changes values', 'SET NEW.used = NEW.used + 1', 'VCPU used 4, in the copy 5'],
    ['though no sum tells it', "SET NEW.consumer_id = 'another'", /checksum \d+, in the copy \d+/],
  ])('%s is not committed', async (_why, change, line) => {
    const before = await stateOf(target);
    await target.pool.query(`CREATE TRIGGER spoils BEFORE INSERT ON allocations FOR EACH ROW ${change}`);
    const { code, lines } = await ended(startImport(source, target));
    await target.pool.query('DROP TRIGGER spoils');
    expect(code).toBe(1);
    expect(lines.filter((each) => each.startsWith('DIFFERENT: '))).toEqual([expect.stringMatching(line)]);
    expect(lines.at(-1)).toBe('the copy differs from the source: nothing is changed');
    expect(await stateOf(target)).toEqual(before);
  });

  test('because somebody writes to the target meanwhile is not committed either', async () => {
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
    await target.pool.query('DELETE FROM consumer_types');
  });
});

test('a dry run tells what would be copied, and changes nothing', async () => {
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
      const line = await refusal(startImport({ url }, target));
      expect(line).toBe(
        `a database URL looks like mysql://user:password@host:3306/name, and not ${url.split('//')[0]}//`,
      );
    },
  );

  test('a target with rows, or with names of its own', async () => {
    const filled = await ours();
    await createTrait(filled.ledger, { name: 'CUSTOM_OWN' });
    const dry = await refusal(startImport(source, filled, '--dry-run'));
    expect(dry).toBe('the target must be empty, and it has CUSTOM_OWN in traits');
    await filled.pool.query("INSERT INTO users (external_id) VALUES ('somebody')");
    filled.stop(); // its feed would renew its lease
    const before = await fingerprint(filled);
    const line = await refusal(startImport(source, filled));
    expect(line).toBe('the target must be empty, and it has rows in users');
    expect(await fingerprint(filled)).toEqual(before);
  });

  test('the same database, however it is named', async () => {
    const url = target.url.replace('mysql://', 'mariadb://');
    const line = await refusal(startImport({ url }, target));
    expect(line).toBe('the source and the target are the same database');
  });

  test('a target that was not migrated, and a source that is not there or is none', async () => {
    const nothing = await empty();
    expect(await refusal(startImport(target, nothing))).toMatch('run `placement-graphql migrate`');
    expect(await refusal(startImport(nothing, target))).toMatch(
      /^the source is no database of OpenStack Placement: it has no table alembic_version/,
    );
    expect(await refusal(startImport({ url: `${nothing.url}_none` }, target))).toMatch(
      /^cannot use the database .*_none/,
    );
  });

  test('a source that is too old, with all that it lacks', async () => {
    const { code, lines } = await ended(startImport(await placement(TRAIN), target));
    expect(code).toBe(1);
    expect(lines).toEqual([
      'the source cannot be used:',
      expect.stringMatching(/^error: version b5c396305c25 .* is too old: .* then try again$/),
      'error: the column consumers.consumer_type_id is missing',
      'error: the table consumer_types is missing',
    ]);
  });
});
