import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Admission } from '../../src/model/operation/admission.js';
import { Overloaded } from '../../src/model/operation/waiting.js';
import { fc, SEED } from '../support/fastCheck.js';

const SETTINGS = { capacity: 1_000, longestQueue: 3, longestWait: 50 };

/** Notes when an operation that waits may begin. */
function noted(admitted: Promise<void> | null) {
  const state = { isIn: admitted === null, error: undefined as unknown };
  admitted?.then(
    () => (state.isIn = true),
    (error: unknown) => (state.error = error),
  );
  return state;
}

test('an operation that does not fit waits, and begins when capacity is free', async () => {
  const admission = new Admission(SETTINGS);
  expect(admission.admit(800)).toBeNull();
  const [large, less] = [noted(admission.admit(900)), noted(admission.admit(100))];
  expect(less.isIn).toBe(false); // behind the large one
  admission.release(800);
  await turn();
  expect([large.isIn, less.isIn]).toEqual([true, true]);
});

test('an operation that costs more than the capacity runs alone', () => {
  const admission = new Admission(SETTINGS);
  expect(admission.admit(5_000)).toBeNull();
  expect(admission.admit(5)).not.toBeNull();
  admission.release(5_000);
});

test('the signal of an operation that is admitted at once is not read, because that creates it', () => {
  let reads = 0;
  const operation = {
    get signal(): AbortSignal {
      reads++;
      return new AbortController().signal;
    },
  };
  const admission = new Admission(SETTINGS);
  expect([admission.admit(1_000, operation), reads]).toEqual([null, 0]);
  expect([admission.admit(1, operation), reads]).toEqual([expect.any(Promise), 1]);
  admission.release(1_000);
});

test('one that waits too long is refused, and so is one more than may wait', async () => {
  const admission = new Admission(SETTINGS);
  void admission.admit(1_000);
  const waiting = [1, 2, 3].map(() => noted(admission.admit(1_000)));
  await expect(admission.admit(1_000)).rejects.toThrow(Overloaded);
  await pause(80);
  for (const { error } of waiting) expect(error).toBeInstanceOf(Overloaded);
  admission.release(1_000);
  expect(admission.admit(1_000)).toBeNull();
});

test('one whose client leaves makes way at once, also before it waits', async () => {
  const admission = new Admission(SETTINGS);
  const [client, gone] = [new AbortController(), new Error('gone')];
  void admission.admit(500);
  const large = noted(admission.admit(900, client));
  const behind = noted(admission.admit(400));
  client.abort(gone);
  await turn();
  expect([large.error, behind.isIn]).toEqual([gone, true]);
  const late = noted(admission.admit(900, client));
  await turn();
  expect(late.error).toBe(gone);
});

test('in random sequences every operation is settled and all capacity is released', async () => {
  const step = fc.record({
    act: fc.constantFrom('admit', 'admit', 'release', 'abort', 'add'),
    cost: fc.constantFrom(1, 4, 100, 600, 1_500),
    which: fc.nat(10),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const admission = new Admission({ capacity: 1_000, longestQueue: 5, longestWait: 60_000 });
      const operations: { cost: number; client: AbortController; state: ReturnType<typeof noted> }[] = [];
      const isUnderWay = ({ state }: (typeof operations)[number]): boolean =>
        state.isIn && state.error === undefined;
      const release = (operation: (typeof operations)[number]): void => {
        operations.splice(operations.indexOf(operation), 1);
        admission.release(operation.cost);
      };
      for (const { act, cost, which } of steps) {
        const underWay = operations.filter(isUnderWay);
        const waiting = operations.filter(({ state }) => !state.isIn && state.error === undefined);
        if (act === 'admit' && waiting.length < 5) {
          const client = new AbortController();
          operations.push({ cost, client, state: noted(admission.admit(cost, client)) });
        } else if (act === 'add' && underWay.length > 0) {
          const operation = underWay[which % underWay.length];
          operation.cost += cost;
          admission.add(cost);
        } else if (act === 'release' && underWay.length > 0) release(underWay[which % underWay.length]);
        else if (act === 'abort') waiting[which]?.client.abort(new Error('gone'));
        await turn();
      }
      for (;;) {
        const underWay = operations.filter(isUnderWay);
        if (underWay.length === 0) break;
        for (const operation of underWay) release(operation);
        await turn();
      }
      expect(operations.every(({ state }) => state.error !== undefined)).toBe(true);
      expect(admission.admit(1_000)).toBeNull(); // everything is free again
    }),
    { seed: SEED, numRuns: 300 },
  );
});
