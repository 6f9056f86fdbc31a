import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Operations } from '../../src/model/operation/operation.js';
import { SharedJobs } from '../../src/model/operation/sharedJobs.js';

/** Jobs that return how many of them have begun. */
function jobs() {
  const state = { running: 0, most: 0, begun: 0 };
  const run = async (key: string): Promise<string> => {
    state.most = Math.max(state.most, ++state.running);
    const result = `${key}${++state.begun}`;
    await pause(5);
    state.running--;
    return result;
  };
  return { state, shared: new SharedJobs(run, (one, other) => one === other) };
}

const operations = new Operations();

test('operations that wait share a job that begins after their requests', async () => {
  const { state, shared } = jobs();
  const results = await Promise.all(Array.from({ length: 16 }, () => shared.result('a', operations.begin())));
  expect(results).toEqual(['a1', ...Array<string>(15).fill('a2')]);
  expect(state).toEqual({ running: 0, most: 1, begun: 2 });
  expect(await shared.result('a', operations.begin())).toBe('a3');
});

test('jobs with other keys run one at a time', async () => {
  const { state, shared } = jobs();
  const results = await Promise.all(['a', 'b', 'c'].map((key) => shared.result(key, operations.begin())));
  expect(results).toEqual(['a1', 'b2', 'c3']);
  expect(state.most).toBe(1);
});

test('an operation that ends while it waits leaves the job to the next one', async () => {
  const { shared } = jobs();
  const [first, second, third] = [operations.begin(), operations.begin(), operations.begin()];
  const results = Promise.allSettled([first, second, third].map((one) => shared.result('a', one)));
  second.end();
  const [, ended, last] = await results;
  expect(ended.status).toBe('rejected');
  expect(last).toEqual({ status: 'fulfilled', value: 'a2' });
});
