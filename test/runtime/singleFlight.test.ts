import { expect, test } from '@jest/globals';
import { SingleFlight } from '../../src/model/operation/waiting.js';

test('the first run begins at once, before anything that its caller does next', () => {
  let runs = 0;
  const flight = new SingleFlight(() => Promise.resolve(++runs));
  void flight.join();
  expect(runs).toBe(1);
});

test('calls that arrive while a run is under way share one that begins after it', async () => {
  let runs = 0;
  const flight = new SingleFlight(() => Promise.resolve(++runs));
  expect(await Promise.all([flight.join(), flight.join(), flight.join()])).toEqual([1, 2, 2]);
  expect(await flight.join()).toBe(3);
});

test('a call in the turn in which a run ends shares the next run', async () => {
  let runs = 0;
  const flight = new SingleFlight(() => Promise.resolve(++runs));
  const [first, second] = [flight.join(), flight.join()];
  await first;
  for (let i = 0; i < 20; i++) await Promise.resolve();
  expect(await Promise.all([second, flight.join()])).toEqual([2, 2]);
});

test('with a limit to the wait, calls of one turn share even the first run', async () => {
  let runs = 0;
  const flight = new SingleFlight(() => Promise.resolve(++runs), 50);
  expect(await Promise.all([flight.join(), flight.join()])).toEqual([1, 1]);
});

test('a failed run rejects the calls that share it, and no later call', async () => {
  let runs = 0;
  const flight = new SingleFlight(() =>
    ++runs === 1 ? Promise.reject(new Error('lost')) : Promise.resolve(runs),
  );
  const [first, second] = await Promise.allSettled([flight.join(), flight.join()]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
});
