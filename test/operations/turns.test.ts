import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Turns } from '../../src/model/operation/turns.js';
import { fc, SEED } from '../support/fastCheck.js';
import { cases } from '../support/length.js';
import { work } from './busy.js';

interface SliceOptions {
  /** Called at the end of each slice. */
  readonly note?: () => unknown;
  /** How long each slice takes (ms). */
  readonly busy?: number;
  readonly signal?: AbortSignal;
}

/** Runs work of so many slices for an owner. */
function slices(
  turns: Turns,
  owner: object,
  count: number,
  { note, busy = 0, signal }: SliceOptions = {},
): Promise<void> {
  let done = 0;
  const slice = (): boolean => {
    work(busy);
    note?.();
    return ++done >= count;
  };
  return turns.run(owner, slice, signal);
}

const MANY_JOBS = cases(500, 100);

test('an owner with many jobs delays the one job of another by no more than a slice each time', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const [greedy, modest] = [{}, {}];
  const jobs = Array.from({ length: MANY_JOBS }, () =>
    slices(turns, greedy, 2, { note: () => order.push('greedy'), busy: 1 }),
  );
  const before = order.length;
  const job = slices(turns, modest, 5, { note: () => order.push('modest') });
  await job;
  const passed = order.slice(before);
  expect(passed.filter((owner) => owner === 'modest')).toHaveLength(5);
  expect(passed.filter((owner) => owner === 'greedy').length).toBeLessThanOrEqual(5);
  await Promise.all(jobs);
  expect(order).toHaveLength(2 * MANY_JOBS + 5);
});

test('between two slices everything else of the process has its turn', async () => {
  const turns = new Turns();
  let [timers, isDone] = [0, false];
  const tick = (): void => void (isDone || (timers++, setImmediate(tick)));
  setImmediate(tick);
  await slices(turns, {}, 50, { busy: 6 });
  isDone = true;
  expect(timers).toBeGreaterThanOrEqual(48);
});

test('after a long turn, operations that need several turns of the event loop may run', async () => {
  const turns = new Turns();
  let [worked, isDone] = [0, false];
  const goesOnLong = async (owner: object): Promise<void> => {
    while (!isDone) {
      await turns.pause(owner);
      work(60);
      worked++;
    }
  };
  const all = [{}, {}, {}].map(goesOnLong);
  while (worked < 2) await turn();
  const before = worked;
  for (let turns = 0; turns < 6; turns++) await turn();
  const during = worked - before;
  isDone = true;
  await Promise.all(all);
  expect(during).toBeLessThanOrEqual(2);
});

test('short tasks run immediately, until they have used a turn of the event loop', () => {
  const turns = new Turns();
  const done: number[] = [];
  for (let owner = 0; owner < 20; owner++)
    void slices(turns, {}, 1, { note: () => done.push(owner), busy: 2 });
  expect([0, 1, 2].slice(0, done.length)).toEqual(done); // fewer where the machine is busy
  expect(done.length).toBeGreaterThan(0);
});

test('an aborted waiting task does not run, and other tasks do', async () => {
  const turns = new Turns();
  const [owner, client, gone] = [{}, new AbortController(), new Error('gone')];
  let done = 0;
  const note = (): number => done++;
  const { signal } = client;
  const first = slices(turns, owner, 3, { busy: 6 });
  const second = slices(turns, owner, 1, { note, signal });
  const third = slices(turns, owner, 1, { note });
  client.abort(gone);
  await expect(second).rejects.toBe(gone);
  await Promise.all([first, third]);
  expect(done).toBe(1);
  await expect(slices(turns, owner, 1, { note, signal })).rejects.toBe(gone);
  expect(done).toBe(1);
});

test('a failing task rejects only its own caller', async () => {
  const turns = new Turns();
  const [owner, failure] = [{}, new Error('no')];
  const fail = (): boolean => {
    throw failure;
  };
  await expect(turns.run(owner, fail)).rejects.toBe(failure);
  work(6);
  const jobs = [slices(turns, owner, 2, { busy: 6 }), turns.run(owner, fail), turns.pause(owner)];
  expect((await Promise.allSettled(jobs)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

test('a slice may ask for more work of its owner', async () => {
  const turns = new Turns();
  const owner = {};
  const more: Promise<void>[] = [];
  const note = (): number => more.push(slices(turns, owner, 2));
  const first = slices(turns, owner, 2, { note, busy: 6 });
  const second = slices(turns, owner, 1, { note });
  await Promise.all([first, second]);
  expect(more).toHaveLength(3);
  await Promise.all(more);
});

test('in random sequences each task ends once', async () => {
  const jobs = fc.array(
    fc.record({
      owner: fc.nat(3),
      slices: fc.integer({ min: 1, max: 4 }),
      end: fc.constantFrom('done', 'failed', 'aborted'),
      milliseconds: fc.constantFrom(0, 0, 3),
    }),
    { maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(jobs, async (wanted) => {
      const turns = new Turns();
      const owners = [{}, {}, {}, {}];
      const ends = wanted.map(({ owner, slices: count, end, milliseconds }) => {
        const client = new AbortController();
        let done = 0;
        const step = (): boolean => {
          work(milliseconds);
          if (++done < count) return false;
          if (end === 'failed') throw new Error('failed');
          return true;
        };
        const job = turns.run(owners[owner], step, client.signal);
        if (end === 'aborted') client.abort(new Error('aborted'));
        return job.then(
          () => [done, count],
          (error: Error) => error.message,
        );
      });
      for (const [at, end] of (await Promise.all(ends)).entries()) {
        const { end: asked, slices: count } = wanted[at];
        if (asked === 'failed') expect(end).toBe('failed');
        // it may have been done before
        else if (typeof end !== 'string') expect(end).toEqual([count, count]);
        else expect([asked, end]).toEqual(['aborted', 'aborted']);
      }
    }),
    { seed: SEED, numRuns: cases(100, 25) },
  );
});
