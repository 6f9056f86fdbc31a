import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Client } from '../../src/model/operation/client.js';
import { Operations, type Operation } from '../../src/model/operation/operation.js';
import { OPERATION_LIMITS, operationLimits } from '../../src/model/operation/admission.js';
import { CostExceeded, TimedOut } from '../../src/model/operation/waiting.js';
import { failureOf } from '../support/failureOf.js';
import { work } from './busy.js';

const LIMITS = { ...OPERATION_LIMITS, deadline: 50, cost: 1_000, costInAll: 1_000 };

test('an operation aborts at its deadline, and with the first reason that it is given', async () => {
  const operations = new Operations(LIMITS);
  const late = operations.begin();
  expect(late.signal.aborted).toBe(false);
  await pause(80);
  expect(late.signal.reason).toBeInstanceOf(TimedOut);
  const [operation, gone] = [operations.begin(), new Error('gone')];
  operation.abort(gone);
  operation.abort(new Error('later'));
  expect(operation.signal.reason).toBe(gone);
});

test('synchronous work beyond the deadline ends within 128 fields', () => {
  const operation = new Operations(LIMITS).begin();
  for (let field = 0; field < 128; field++) operation.countField();
  work(60);
  let isStopped = false;
  for (let field = 0; field < 128; field++) isStopped = !operation.countField();
  expect(isStopped).toBe(true);
  expect(operation.signal.reason).toBeInstanceOf(TimedOut);
});

test('all fields of an operation that costs too much fail with one error', () => {
  const charges = (operation: Operation): unknown[] =>
    [1_001, 1_002].map((cost) => {
      try {
        operation.charge(cost);
      } catch (error) {
        return error;
      }
    });
  const [read, write] = [new Operations(LIMITS).begin(), new Operations(LIMITS).begin()];
  write.isWrite = true;
  for (const operation of [read, write]) {
    const [first, second] = charges(operation);
    expect(first).toMatchObject({ name: 'CostExceeded', cost: 1_001 });
    expect(second).toBe(first);
  }
});

test('an operation that has ended is aborted, and its late work costs nothing', () => {
  const operations = new Operations(LIMITS);
  const operation = operations.begin();
  void operation.admit(10);
  operation.end();
  operation.charge(100);
  expect(operation.signal.aborted).toBe(true);
  expect([operations.small.cost, operations.large.cost]).toEqual([0, 0]);
});

test('an operation that ends while it waits for capacity takes none', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000, smallCost: 10 });
  const [first, second] = [operations.begin(), operations.begin()];
  void first.admit(900);
  const admitted = failureOf(second.admit(900)!);
  first.end();
  second.end();
  await admitted;
  expect([operations.small.cost, operations.large.cost]).toEqual([0, 0]);
});

test('an operation may cost the maximum and no more, and releases all of it once', () => {
  const operations = new Operations(LIMITS);
  const operation = operations.begin();
  expect(() => operation.admit(1_001)).toThrow(CostExceeded);
  expect(operation.admit(600)).toBeNull();
  operation.charge(400);
  expect(() => operation.charge(1)).toThrow(CostExceeded);
  operation.end();
  operation.end();
  expect([operations.small.cost, operations.large.cost]).toEqual([0, 0]);
});

test('objects beyond the estimate are charged, and too many end the operation', () => {
  const operations = new Operations(LIMITS);
  const operation = operations.begin();
  void operation.admit(600);
  operation.countObjects(600);
  expect(operation.cost).toBe(600);
  operation.countObjects(300);
  expect(operation.cost).toBe(900);
  expect(() => operation.countObjects(101)).toThrow(CostExceeded);
  operation.end();
});

test('work that makes an operation large waits for capacity and releases it when it is done', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000, smallCost: 10 });
  const [first, second, third] = [operations.begin(), operations.begin(), operations.begin()];
  for (const operation of [first, second, third]) void operation.admit(5);
  const seen: number[] = [];
  const plan = async (): Promise<void> => {
    seen.push(operations.work.cost);
    await pause(5);
  };
  const run = (operation: Operation): Promise<void> =>
    operation.runCharged(600, plan).finally(() => operation.end());
  await Promise.all([run(first), run(second), third.runCharged(600, plan)]);
  expect(seen).toEqual([600, 600, 600]);
  expect([third.cost, operations.work.cost]).toEqual([605, 0]);
  await expect(third.runCharged(396, plan)).rejects.toThrow(CostExceeded);
  third.end();
  expect([operations.small.cost, operations.large.cost]).toEqual([0, 0]);
});

test('operations that are already large do not wait for each other', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000, longestWait: 500, smallCost: 10 });
  const clients = [1, 2, 3, 4].map((id) => ({ id: String(id), isExempt: false }));
  const large = clients.map((client) => operations.begin(undefined, client));
  const run = async (operation: Operation): Promise<void> => {
    await operation.admit(400);
    const plans = [1, 2].map(() => operation.runCharged(300, () => pause(5)));
    await Promise.all(plans).finally(() => operation.end());
  };
  await Promise.all(large.map(run));
  expect([operations.large.cost, operations.work.cost]).toEqual([0, 0]);
});

test('work of a small operation does not wait', async () => {
  const operations = new Operations({ ...LIMITS, smallCost: 10 });
  const [large, small] = [operations.begin(), operations.begin()];
  void large.admit(1_000);
  void small.admit(5);
  expect(await small.runCharged(5, () => Promise.resolve(operations.large.cost))).toBe(1_005);
  large.end();
  small.end();
});

test('small operations have their own capacity, which growing ones do not use', async () => {
  const operations = new Operations({ ...LIMITS, smallCost: 10, smallCostInAll: 20 });
  const [large, waiting, small] = [operations.begin(), operations.begin(), operations.begin()];
  expect(large.admit(1_000)).toBeNull();
  const admitted = failureOf(waiting.admit(1_000)!);
  expect(small.admit(10)).toBeNull();
  small.charge(500);
  expect(operations.begin().admit(10)).toBeNull();
  const late = failureOf(operations.begin().admit(10)!);
  expect(await late).toBeInstanceOf(TimedOut);
  expect(await admitted).toBeInstanceOf(TimedOut);
});

interface LargeAnswer {
  readonly operation: Operation;
  /** Whether the rest of the answer is being completed. */
  readonly isOn: () => boolean;
}

/** Returns the next part of an answer; null if it need not wait. */
function partOf(operation: Operation): PromiseLike<unknown> | null {
  return operation.inSlice<null>(null, (reason) => Promise.reject(reason));
}

/** Begins an operation whose answer is so large that the rest of it waits for time slices. */
function largeAnswer(operations: Operations, client: Client, cost = 1, isWrite = false): LargeAnswer {
  const operation = operations.begin(undefined, client);
  operation.isWrite = isWrite;
  operation.charge(cost);
  for (let field = 0; field < 1_000; field++) operation.countField();
  work(11);
  let isOn = false;
  void partOf(operation)?.then(
    () => (isOn = true),
    () => undefined,
  );
  return { operation, isOn: () => isOn };
}

const [one, another] = ['one', 'another'].map((id) => ({ id, isExempt: false })) as [Client, Client];

/**
 * Waits for many turns of the event loop, so that all operations that may run have begun. A single
 * pause may be one turn on a busy machine.
 */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await pause(5);
}

test('the large answers of one client are completed one after another, and those of others beside them', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000 });
  const [first, second, third] = [one, one, one].map((client) => largeAnswer(operations, client));
  const other = largeAnswer(operations, another);
  const states = (): boolean[] => [first, second, third, other].map((answer) => answer.isOn());
  await settle();
  expect(states()).toEqual([true, false, false, true]);
  first.operation.end();
  await settle();
  expect(states()).toEqual([true, true, false, true]);
  for (const answer of [second, third, other]) answer.operation.end();
  expect(operations.queue.size).toBe(0);
});

test('the large answer of a write waits for no other, because the write has taken place', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000 });
  const [first, second] = [false, true].map((isWrite) => largeAnswer(operations, one, 1, isWrite));
  const query = largeAnswer(operations, one);
  await settle();
  expect([first.isOn(), second.isOn(), query.isOn()]).toEqual([true, true, false]);
  for (const { operation } of [first, second, query]) operation.end();
});

test('two large operations of one client run at the same time, and the next one once one of them has ended', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000 });
  const running: number[] = [];
  const started = [one, one, one, one, another].map((client, at) => {
    const operation = operations.begin(undefined, client);
    operation.pauseAsLarge().then(
      () => running.push(at),
      () => running.push(-at),
    );
    return operation;
  });
  await settle();
  expect(running).toEqual([0, 4, 1]);
  started[2].end(); // its client has left
  started[1].end();
  await settle();
  expect(running).toEqual([0, 4, 1, -2, 3]);
  for (const operation of started) operation.end();
  expect(operations.queue.size).toBe(0);
});

test('a large operation does not wait for others of its client with higher estimates', async () => {
  const operations = new Operations({ ...OPERATION_LIMITS, deadline: 60_000 });
  const running: number[] = [];
  const started = [5_000, 5_000, 3_000, 5_000].map((cost) => {
    const operation = operations.begin(undefined, one);
    void operation.admit(cost);
    void operation.pauseAsLarge().then(
      () => running.push(cost),
      () => undefined,
    );
    return operation;
  });
  await settle();
  expect(running).toEqual([5_000, 5_000, 3_000]);
  for (const operation of started) operation.end();
});

test('while the capacity is exceeded, the large answers of all clients wait for the first of them', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000 });
  const [first, second] = [one, another].map((client) => largeAnswer(operations, client, 600));
  await settle();
  expect([first.isOn(), second.isOn()]).toEqual([true, false]);
  first.operation.end();
  await settle();
  expect(second.isOn()).toBe(true);
  second.operation.end();
});

test('a long answer is completed in slices between which other work runs', async () => {
  const operation = new Operations({ ...LIMITS, deadline: 60_000, cost: 100_000 }).begin();
  void operation.admit(100_000);
  let [ticks, isDone] = [0, false];
  const tick = (): void => void (isDone || (ticks++, setImmediate(tick)));
  setImmediate(tick);
  for (let field = 0; field < 1_000; field++) operation.countField();
  const complete = async (): Promise<void> => {
    await Promise.resolve(); // as for values that resolve together
    const part = partOf(operation);
    if (part === null) work(3);
    else await part.then(() => work(3));
  };
  await Promise.all(Array.from({ length: 60 }, complete));
  isDone = true;
  expect(ticks).toBeGreaterThan(5);
});

test('an aborted operation gives up all parts of its answer', async () => {
  const operation = new Operations().begin();
  for (let field = 0; field < 1_000; field++) operation.countField();
  await pause(20);
  let given = 0;
  const parts = Array.from({ length: 20_000 }, () => partOf(operation)!.then(undefined, () => given++));
  operation.end();
  await Promise.all(parts);
  expect(given).toBe(parts.length);
  await operation.slices;
  expect(operation.slices).toBeNull();
});

test('each event of a subscription has capacity and a deadline of its own, and between events it has neither', async () => {
  const operations = new Operations(LIMITS);
  const operation = operations.begin();
  operation.beginEvents(900);
  for (let event = 0; event < 3; event++) {
    await operation.beginEvent();
    expect(operations.small.cost).toBe(900);
    operation.charge(100);
    operation.endEvent();
    expect([operations.small.cost, operations.large.cost]).toEqual([0, 0]);
  }
  await pause(80);
  expect(operation.signal.aborted).toBe(false);
  await operation.beginEvent();
  await pause(80);
  expect(operation.signal.reason).toBeInstanceOf(TimedOut);
  operation.end();
});

test('work with a connection rejects with its operation, and keeps the connection until it has ended', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000, connections: 1, connectionsOfOne: 1 });
  const [operation, gone] = [operations.begin(), new Error('gone')];
  let end: () => void = () => undefined;
  const work = operation.withConnection(() => new Promise<void>((done) => (end = done)));
  let isNext = false;
  const next = operations.begin().withConnection(() => Promise.resolve((isNext = true)));
  operation.abort(gone);
  await expect(work).rejects.toBe(gone);
  await pause(5);
  expect(isNext).toBe(false);
  end();
  await next;
});

test('operations leave some connections for shared reads, and each leaves some for the others', () => {
  const shares = [1, 2, 5, 10, 20]
    .map(operationLimits)
    .map((each) => [each.connections, each.connectionsOfOne]);
  expect(shares).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [6, 2],
    [12, 4],
  ]);
});
