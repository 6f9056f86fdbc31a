import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LocalCommand } from '../cli/command.js';
import type { TestDatabase } from '../support/database.js';
import { CHARACTERS, placementDatabase } from './placementDatabase.js';

const RACK = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b11';
const RACK_TEXT = RACK.replaceAll('-', '').toUpperCase();
const GUEST = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b12';
const GUEST_TEXT = 'abcdef001b7d-4d32-9d0e--2f8c1a7e4b12';
const NO_UUID = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b-1';

describe.each(CHARACTERS)('a database of %s', (characters) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await placementDatabase(['newest', 'rows'], characters);
    await database.pool.query('INSERT INTO placement_aggregates (uuid) VALUES (?)', [RACK_TEXT]);
    for (const text of [GUEST, GUEST_TEXT, NO_UUID]) {
      await database.pool.query(
        'INSERT INTO consumers (uuid, project_id, user_id, generation) SELECT ?, project_id, user_id, 1 FROM consumers LIMIT 1',
        [text],
      );
      await database.pool.query(
        `INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used)
         SELECT ?, resource_provider_id, resource_class_id, 1 FROM allocations LIMIT 1`,
        [text],
      );
    }
  });
  afterAll(() => database.close());

  const run = async (...options: string[]) => {
    const { code, said } = await new LocalCommand(options, { DATABASE_URL: database.url }).ended();
    return { code, lines: said.trim().split('\n') };
  };

  test('adopt --dry-run and the audit report spellings and consumers with several rows', async () => {
    const { lines } = await run('adopt', '--dry-run');
    expect(lines.filter((line) => line.includes('spelling') || line.includes('rows'))).toEqual([
      `note: aggregates stored in another spelling of their uuid: 1, such as ${RACK_TEXT}; the audit lists them`,
      `note: consumers stored in another spelling of their uuid: 2, such as ${GUEST_TEXT}; the audit lists them`,
      `note: consumers with several rows, which can only be deleted: 1, such as ${GUEST} (${GUEST} and ${GUEST_TEXT})`,
    ]);
    await run('adopt');
    const audit = await run('audit-database');
    expect(audit.code).toBe(1);
    expect(audit.lines).toEqual(
      expect.arrayContaining([
        `UUID_SPELLING: consumer ${GUEST} is stored as "${GUEST_TEXT}" and as "${GUEST}": it can only be deleted`,
        `UUID_SPELLING: the key "${NO_UUID}" of a consumer is no UUID`,
        `UUID_SPELLING: aggregate ${RACK} is stored as "${RACK_TEXT}"`,
        'UUID_SPELLING: 3',
      ]),
    );
  });
});
