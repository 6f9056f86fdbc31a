import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { readAudit } from '../../src/store/audit/audit.js';
import { Operations } from '../../src/model/operation/operation.js';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { Overloaded } from '../../src/model/operation/waiting.js';
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

test('an operation that scans takes longer than others may, and others get OVERLOADED until it ends', async () => {
  const operations = new Operations({ ...OPERATION_LIMITS, deadline: 50 });
  const [scanning, other] = [operations.begin(), operations.begin()];
  const scans = [1, 2].map((at) => scanning.scan(5_000, () => setTimeout(100, at)));
  await expect(other.scan(5_000, () => Promise.resolve())).rejects.toThrow(Overloaded);
  expect(await Promise.all(scans)).toEqual([1, 2]);
  expect(scanning.signal.aborted).toBe(false);
  const third = operations.begin();
  expect(await third.scan(5_000, () => Promise.resolve(3))).toBe(3);
  const aborted = operations.begin();
  aborted.abort(new Error('gone'));
  await expect(aborted.scan(5_000, () => Promise.resolve())).rejects.toThrow('gone');
  expect(await third.scan(5_000, () => Promise.resolve(4))).toBe(4);
  for (const each of [scanning, other, third, aborted]) each.end();
});
