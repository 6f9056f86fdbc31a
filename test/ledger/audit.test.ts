import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readAudit } from '../../src/ledger/audit/audit.js';
import { useDatabase } from '../support/useDatabase.js';

const seen: string[] = [];
const database = useDatabase({ onStatement: (sql) => seen.push(sql) });

test('the last ten of 3,000 findings take one statement for each thousand', async () => {
  const rows = Array.from({ length: 3_000 }, () => [randomUUID(), 1, 1, 1]);
  const columns = 'uuid, project_id, user_id, generation';
  await database.pool.batch(`INSERT INTO consumers (${columns}) VALUES (?, ?, ?, ?)`, rows);
  seen.length = 0;
  const bounds = { after: null, backwards: true, limit: 10 };
  const found = await readAudit(database, ['EMPTY_CONSUMER'], bounds);
  expect(found.map(({ consumer }) => consumer)).toEqual(
    rows
      .slice(-10)
      .reverse()
      .map(([uuid]) => uuid),
  );
  expect(seen.filter((sql) => sql.includes('FROM consumers')).length).toBeLessThanOrEqual(4);
});
