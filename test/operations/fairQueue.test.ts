import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { FairQueue } from '../../src/model/operation/fairQueue.js';
import { Overloaded } from '../../src/model/operation/waiting.js';
import { fc, SEED } from '../support/fastCheck.js';
import { cases } from '../support/length.js';

/** A job that ends on request. */
class Job {
  isRunning = false;
  end: () => void = () => undefined;
  readonly work = (): Promise<void> => {
    this.isRunning = true;
    return new Promise((resolve) => {
      this.end = () => {
        this.isRunning = false;
        resolve();
      };
    });
  };
}

const SETTINGS = { concurrency: 3, concurrencyOfOwner: 2, longest: 4 };

function begin(queue: FairQueue, owner: object, count = 1, signal?: AbortSignal) {
  return Array.from({ length: count }, () => {
    const job = new Job();
    return { job, end: queue.run(owner, signal, job.work).catch((error: unknown) => error) };
  });
}
const running = (jobs: readonly { job: Job }[]): number => jobs.filter(({ job }) => job.isRunning).length;

/** Ends whatever runs until nothing does. */
async function drain(jobs: readonly { job: Job }[]): Promise<void> {
  for (await turn(); running(jobs) > 0; await turn())
    for (const { job } of jobs) if (job.isRunning) job.end();
}

test('an owner has its share at most, and leaves the rest to others', async () => {
  const queue = new FairQueue(SETTINGS);
  const greedy = begin(queue, {}, 5);
  const modest = begin(queue, {});
  await turn();
  expect([running(greedy), running(modest)]).toEqual([2, 1]);
  await drain([...greedy, ...modest]);
});

test('owners take turns, however many jobs each has', async () => {
  const queue = new FairQueue({ concurrency: 1, concurrencyOfOwner: 1, longest: 600 });
  const greedy = begin(queue, {}, 500);
  const modest = begin(queue, {});
  await turn();
  greedy[0].job.end();
  await turn();
  expect([running(greedy), running(modest)]).toEqual([1, 0]); // the one that came first among those that wait
  greedy[1].job.end();
  await turn();
  expect([running(greedy), running(modest)]).toEqual([0, 1]);
  await drain([...greedy, ...modest]);
});

test('a job is refused when too many wait, but none that can begin, and none whose owner has no other', async () => {
  const queue = new FairQueue(SETTINGS);
  const first = {};
  const jobs = begin(queue, first, 6);
  const [refused] = begin(queue, first);
  expect(await refused.end).toBeInstanceOf(Overloaded);
  const second = {};
  const [atOnce, waiting, tooMany] = begin(queue, second, 3);
  await turn();
  expect(running([atOnce, waiting])).toBe(1);
  expect(await tooMany.end).toBeInstanceOf(Overloaded);
  await drain([...jobs, atOnce, waiting]);
});

test('a job whose signal aborts while it waits leaves the line and takes no place', async () => {
  const queue = new FairQueue(SETTINGS);
  const [owner, client, gone] = [{}, new AbortController(), new Error('gone')];
  const jobs = begin(queue, owner, 2);
  const [left] = begin(queue, owner, 1, client.signal);
  const [behind] = begin(queue, owner);
  client.abort(gone);
  expect(await left.end).toBe(gone);
  expect(await begin(queue, owner, 1, client.signal)[0].end).toBe(gone);
  jobs[0].job.end();
  await turn();
  expect([left.job.isRunning, behind.job.isRunning]).toEqual([false, true]);
  await drain([...jobs, behind]);
});

test('a job that fails gives its place back', async () => {
  const queue = new FairQueue({ ...SETTINGS, concurrency: 1 });
  await expect(queue.run({}, undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run({}, undefined, () => Promise.resolve('yes'))).toBe('yes');
});

test('in random sequences the limits hold, no job waits while a slot is free, and no slot is lost', async () => {
  const step = fc.record({
    owner: fc.nat(3),
    act: fc.constantFrom('begin', 'begin', 'end', 'abort'),
    which: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const queue = new FairQueue(SETTINGS);
      const owners = [{}, {}, {}, {}];
      const jobs: { job: Job; owner: object; client: AbortController; isOver: boolean }[] = [];
      for (const { owner, act, which } of steps) {
        const at = jobs.filter(({ isOver }) => !isOver)[which];
        if (act === 'begin') {
          const [client, job] = [new AbortController(), new Job()];
          const entry = { job, owner: owners[owner], client, isOver: false };
          jobs.push(entry);
          const over = (): void => void (entry.isOver = true);
          queue.run(entry.owner, client.signal, job.work).then(over, over);
        } else if (act === 'end') at?.job.end();
        else at?.client.abort(new Error('gone'));
        await turn();
        const busy = jobs.filter(({ job }) => job.isRunning);
        const busyOf = (who: object): number => busy.filter((each) => each.owner === who).length;
        expect(busy.length).toBeLessThanOrEqual(3);
        for (const who of owners) expect(busyOf(who)).toBeLessThanOrEqual(2);
        const waiting = jobs.filter(({ job, isOver }) => !isOver && !job.isRunning);
        if (busy.length < 3) for (const { owner: who } of waiting) expect(busyOf(who)).toBe(2);
      }
      await drain(jobs);
      expect(jobs.every(({ isOver }) => isOver)).toBe(true);
      const fresh = [...begin(queue, {}, 2), ...begin(queue, {}, 1)];
      await turn();
      expect(running(fresh)).toBe(3);
      await drain(fresh);
    }),
    { seed: SEED, numRuns: cases(200, 60) },
  );
});
