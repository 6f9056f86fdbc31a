import { expect, test } from '@jest/globals';
import { Turns } from '../../src/runtime/turns.js';
import { fc, SEED } from '../support/fastCheck.js';

/** Keeps the process busy. */
function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

/** Work of so many slices, which notes when one is done. */
function slices(count: number, note: () => void, milliseconds = 0): () => boolean {
  let done = 0;
  return () => {
    work(milliseconds);
    note();
    return ++done >= count;
  };
}

test('an owner with 500 jobs delays the one job of another by no more than a slice each time', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const [greedy, modest] = [{}, {}];
  const jobs = Array.from({ length: 500 }, () =>
    turns.run(
      greedy,
      slices(2, () => order.push('greedy'), 1),
    ),
  );
  const before = order.length;
  const job = turns.run(
    modest,
    slices(5, () => order.push('modest')),
  );
  await job;
  const passed = order.slice(before);
  expect(passed.filter((owner) => owner === 'modest')).toHaveLength(5);
  expect(passed.filter((owner) => owner === 'greedy').length).toBeLessThanOrEqual(5);
  await Promise.all(jobs);
  expect(order).toHaveLength(1_005);
});

test('between two slices everything else of the process has its turn', async () => {
  const turns = new Turns();
  let [timers, isDone] = [0, false];
  const tick = (): void => void (isDone || (timers++, setImmediate(tick)));
  setImmediate(tick);
  await turns.run(
    {},
    slices(50, () => undefined, 6),
  );
  isDone = true;
  expect(timers).toBeGreaterThanOrEqual(48);
});

test('after a long turn there is time for what takes several turns of the event loop', async () => {
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
  while (worked < 2) await new Promise((resolve) => setImmediate(resolve));
  const before = worked;
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
  const during = worked - before;
  isDone = true;
  await Promise.all(all);
  expect(during).toBeLessThanOrEqual(2);
});

test('short work is done at once, but no more of it than holds up a turn of the event loop', () => {
  const turns = new Turns();
  const done: number[] = [];
  for (let owner = 0; owner < 20; owner++)
    void turns.run(
      {},
      slices(1, () => done.push(owner), 2),
    );
  expect([0, 1, 2].slice(0, done.length)).toEqual(done); // fewer where the machine is busy
  expect(done.length).toBeGreaterThan(0);
});

test('work whose signal aborts while it waits is not done any more, and that of others is', async () => {
  const turns = new Turns();
  const [owner, client, gone] = [{}, new AbortController(), new Error('gone')];
  let done = 0;
  const first = turns.run(
    owner,
    slices(3, () => undefined, 6),
  );
  const second = turns.run(
    owner,
    slices(1, () => done++),
    client.signal,
  );
  const third = turns.run(
    owner,
    slices(1, () => done++),
  );
  client.abort(gone);
  await expect(second).rejects.toBe(gone);
  await Promise.all([first, third]);
  expect(done).toBe(1);
  await expect(
    turns.run(
      owner,
      slices(1, () => done++),
      client.signal,
    ),
  ).rejects.toBe(gone);
  expect(done).toBe(1);
});

test('what fails is told to who asked for it, and nobody else', async () => {
  const turns = new Turns();
  const [owner, failure] = [{}, new Error('no')];
  const fail = (): boolean => {
    throw failure;
  };
  await expect(turns.run(owner, fail)).rejects.toBe(failure);
  work(6);
  const jobs = [
    turns.run(
      owner,
      slices(2, () => undefined, 6),
    ),
    turns.run(owner, fail),
    turns.pause(owner),
  ];
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
  const ask = (): void =>
    void more.push(
      turns.run(
        owner,
        slices(2, () => undefined),
      ),
    );
  const first = turns.run(owner, slices(2, ask, 6));
  const second = turns.run(owner, slices(1, ask));
  await Promise.all([first, second]);
  expect(more).toHaveLength(3);
  await Promise.all(more);
});

test('whatever the owners do, all work ends once', async () => {
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
    { seed: SEED, numRuns: 100 },
  );
});
