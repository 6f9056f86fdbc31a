import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { within } from '../../src/model/operation/waiting.js';
import { testDatabase } from '../support/database.js';

/** Blocks the event loop. */
function block(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

test('an answer that arrived while the event loop was blocked is no timeout', async () => {
  const database = await testDatabase();
  try {
    await database.pool.query('SELECT 1');
    const answer = within(300, 'The database does not answer.', database.pool.query('SELECT 2 AS two'));
    await sleep(1);
    block(1_500);
    expect(await answer).toEqual([{ two: 2 }]);
  } finally {
    await database.close();
  }
});

test('work that does not end times out while the event loop is free, and soon after it was blocked', async () => {
  const never = new Promise<void>(() => undefined);
  const began = performance.now();
  await expect(within(400, 'late', never)).rejects.toThrow('late');
  expect(performance.now() - began).toBeGreaterThan(390);
  const second = within(400, 'late', never);
  block(1_000);
  await expect(second).rejects.toThrow('late');
  expect(performance.now() - began).toBeLessThan(4_000);
});
