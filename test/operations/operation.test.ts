import { expect, test } from '@jest/globals';
import { OPERATION_LIMITS, operationLimits, Operations } from '../../src/runtime/operation.js';
import { CostExceeded, TimedOut } from '../../src/runtime/refusals.js';

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
const LIMITS = { ...OPERATION_LIMITS, deadline: 50, cost: 1_000, costInAll: 1_000 };

test('an operation ends at its deadline, and when its client leaves, before it begins too', async () => {
  const operations = new Operations(LIMITS);
  const late = operations.begin();
  await pause(80);
  expect(late.signal.reason).toBeInstanceOf(TimedOut);
  const [client, gone] = [new AbortController(), new Error('gone')];
  const left = operations.begin(client.signal);
  client.abort(gone);
  expect([left.signal.reason, operations.begin(client.signal).signal.reason]).toEqual([gone, gone]);
});

test('what one that has ended still does stops', () => {
  const operation = new Operations(LIMITS).begin();
  operation.end();
  expect([operation.signal.aborted, operation.hasEnded]).toEqual([true, true]);
});

test('what is still under way beside an answer that is being sent costs it nothing', () => {
  const operation = new Operations(LIMITS).begin();
  expect(operation.admit(600)).toBeNull();
  operation.beginSending();
  operation.charge(1_000);
  expect([operation.signal.aborted, operation.hasEnded, operation.cost]).toEqual([false, true, 600]);
  operation.end();
});

test('it may cost so much and no more, and gives all of it back', () => {
  const operations = new Operations(LIMITS);
  const operation = operations.begin();
  expect(() => operation.admit(1_001)).toThrow(CostExceeded);
  expect(operation.admit(600)).toBeNull();
  operation.charge(400);
  expect(() => operation.charge(1)).toThrow(CostExceeded);
  operation.end();
  operation.end();
  const next = operations.begin();
  expect(next.admit(1_000)).toBeNull();
  next.end();
});

test('small operations have room of their own, and what they turn out to cost beyond that is not taken from it', async () => {
  const operations = new Operations({ ...LIMITS, smallCost: 10, smallCostInAll: 20 });
  const [large, waiting, small] = [operations.begin(), operations.begin(), operations.begin()];
  expect(large.admit(1_000)).toBeNull();
  const admitted = waiting.admit(1_000)!.catch((error: unknown) => error);
  expect(small.admit(10)).toBeNull();
  small.charge(500);
  expect(operations.begin().admit(10)).toBeNull();
  const late = operations
    .begin()
    .admit(10)!
    .catch((error: unknown) => error);
  expect(await late).toBeInstanceOf(TimedOut);
  expect(await admitted).toBeInstanceOf(TimedOut);
});

test('while too much is under way, all that grow wait for one of them', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000 });
  const [first, second] = [operations.begin(), operations.begin()];
  for (const operation of [first, second]) void operation.admit(1);
  first.charge(600);
  second.charge(600);
  await first.pauseForRoom();
  let isOn = false;
  const goingOn = second.pauseForRoom().then(() => (isOn = true));
  await pause(20);
  expect(isOn).toBe(false);
  first.beginSending();
  await goingOn;
  expect(isOn).toBe(true);
});

test('each event of a subscription may cost as much as the one before', () => {
  const operations = new Operations(LIMITS);
  const operation = operations.begin();
  for (let event = 0; event < 5; event++) {
    operation.restart();
    operation.charge(900);
    operation.suspend();
  }
  operation.end();
  const next = operations.begin();
  expect(next.admit(1_000)).toBeNull();
  next.end();
});

test('what is still under way when it ends costs nothing any more', () => {
  const operations = new Operations(LIMITS);
  const operation = operations.begin();
  void operation.admit(10);
  operation.end();
  operation.charge(100);
  const next = operations.begin();
  expect(next.admit(1_000)).toBeNull();
  next.end();
});

test('work with a connection ends with it for whoever waits, and keeps its place until it has ended', async () => {
  const operations = new Operations({ ...LIMITS, deadline: 60_000, connections: 1, connectionsOfOne: 1 });
  const [client, gone] = [new AbortController(), new Error('gone')];
  let end: () => void = () => undefined;
  const work = operations
    .begin(client.signal)
    .withConnection(() => new Promise<void>((done) => (end = done)));
  let isNext = false;
  const next = operations.begin().withConnection(() => Promise.resolve((isNext = true)));
  client.abort(gone);
  await expect(work).rejects.toBe(gone);
  await pause(5);
  expect(isNext).toBe(false);
  end();
  await next;
});

test('operations leave some of the connections to what they share, and each some to the others', () => {
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
