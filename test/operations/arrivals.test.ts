import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Arrivals } from '../../src/model/operation/turns.js';
import type { Client } from '../../src/model/operation/client.js';
import { work } from './busy.js';

const client = (id: string): Client => ({ id, isExempt: false });

/** Begins a request, and keeps the process busy for 2 ms. */
async function request(arrivals: Arrivals, of: string, begun: string[], connection = {}): Promise<void> {
  const turn = arrivals.turn(client(of), connection);
  if (turn) await turn;
  begun.push(of);
  work(2);
}

/** Arrivals that have seen two clients. */
async function shared(): Promise<Arrivals> {
  const arrivals = new Arrivals();
  for (const id of ['greedy', 'modest']) await request(arrivals, id, []);
  await setImmediate();
  return arrivals;
}

test('the request of one client begins behind one request of another, not behind all', async () => {
  const arrivals = await shared();
  const begun: string[] = [];
  const requests = [
    ...Array.from({ length: 50 }, () => request(arrivals, 'greedy', begun)),
    request(arrivals, 'modest', begun),
  ];
  await requests.at(-1);
  expect(begun.length).toBeLessThanOrEqual(5);
  await Promise.all(requests);
  expect(begun).toHaveLength(51);
});

test('a connection waits for one request of another connection of its client, not for all', async () => {
  const arrivals = await shared();
  const begun: string[] = [];
  const [greedy, modest] = [{}, {}];
  const requests = Array.from({ length: 50 }, () => request(arrivals, 'one', begun, greedy));
  await request(arrivals, 'one', begun, modest);
  expect(begun.length).toBeLessThanOrEqual(5);
  await Promise.all(requests);
});

test('one turn of the event loop begins requests for a few milliseconds only', async () => {
  const arrivals = await shared();
  const begun: string[] = [];
  const requests = Promise.all(Array.from({ length: 50 }, () => request(arrivals, 'one', begun)));
  const turns: number[] = [];
  for (let before = 0; begun.length < 50; before = begun.length) {
    await setImmediate();
    turns.push(begun.length - before);
  }
  await requests;
  expect(Math.max(...turns)).toBeLessThanOrEqual(4);
});

test('a lone client waits only behind long work of its own', async () => {
  const arrivals = new Arrivals();
  expect(arrivals.turn(client('one'), {})).toBeNull();
  work(20);
  expect(arrivals.turn(client('one'), {})).not.toBeNull();
  await setImmediate();
});

/** Begins requests of a client that keep the process busy for a while each, and notes when each begins. */
function requests(
  arrivals: Arrivals,
  of: string,
  count: number,
  ms: number,
  begun: string[],
): Promise<void>[] {
  return Array.from({ length: count }, async () => {
    const turn = arrivals.turn(client(of), {});
    if (turn) await turn;
    begun.push(of);
    work(ms);
  });
}

test('a client that comes after 20 long requests of a lone client waits for one of them', async () => {
  const arrivals = new Arrivals();
  const begun: string[] = [];
  const long = requests(arrivals, 'greedy', 20, 30, begun);
  await setImmediate();
  const before = begun.length;
  await Promise.all(requests(arrivals, 'modest', 3, 1, begun));
  expect(begun.length - before - 3).toBeLessThanOrEqual(2);
  await Promise.all(long);
  expect(begun).toHaveLength(23);
});
