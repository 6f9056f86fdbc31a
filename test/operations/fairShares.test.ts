import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Admission, FairShares, type Place } from '../../src/model/operation/admission.js';
import { FairQueue } from '../../src/model/operation/fairQueue.js';
import { Overloaded, Throttled } from '../../src/model/operation/waiting.js';
import { Turns } from '../../src/model/operation/turns.js';
import { failureOf } from '../support/failureOf.js';
import { fc, SEED } from '../support/fastCheck.js';

const client = (id: string, isExempt = false) => ({ id, isExempt });
const [greedy, modest, third, service] = [client('a'), client('b'), client('c'), client('s', true)];

interface Seat extends Place {
  reason?: Throttled;
}

function seat(owner = greedy, weight = 1): Seat {
  const place: Seat = { client: owner, weight, reclaim: (reason) => (place.reason = reason) };
  return place;
}

const sharesOf = (size: number): FairShares<Seat> => new FairShares({ size, message: 'full', retryAfter: 7 });

test('one client may hold all places, and is overloaded, not throttled, beyond them', () => {
  const shares = sharesOf(4);
  for (let at = 0; at < 4; at++) expect(shares.take(seat())).toBeNull();
  const refusal = shares.take(seat());
  expect(refusal).toBeInstanceOf(Overloaded);
  expect(refusal).not.toBeInstanceOf(Throttled);
  expect(refusal).toMatchObject({ message: 'full', retryAfter: 7 });
});

test('a client takes places from the client with the most until both have as many', () => {
  const shares = sharesOf(4);
  const held = Array.from({ length: 4 }, () => seat());
  for (const place of held) shares.take(place);
  expect([seat(modest), seat(modest)].map((place) => shares.take(place))).toEqual([null, null]);
  expect(held.map(({ reason }) => reason?.retryAfter)).toEqual([undefined, undefined, 7, 7]);
  for (const owner of [greedy, modest]) expect(shares.take(seat(owner))).toBeInstanceOf(Throttled);
  expect(shares.take(seat(third))).toBeNull();
  expect(shares.size).toBe(4);
});

test('heavy places are reclaimed from the client that holds the most, until a new one fits', () => {
  const shares = sharesOf(100);
  const held = [seat(greedy, 30), seat(greedy, 20), seat(greedy, 10), seat(modest, 35)];
  for (const place of held) expect(shares.take(place)).toBeNull();
  expect(shares.take(seat(third, 20))).toBeNull();
  expect(held.map(({ reason }) => reason !== undefined)).toEqual([false, true, true, false]);
  expect(shares.size).toBe(85);
  expect(shares.take(seat(third, 20))).toBeInstanceOf(Throttled);
  expect(shares.take(seat(client('d'), 101))).toBeInstanceOf(Overloaded);
  for (const place of held) shares.free(place);
  expect(shares.size).toBe(20);
});

test('an exempt client is never throttled: it keeps its places and is overloaded', () => {
  const shares = sharesOf(2);
  for (let at = 0; at < 2; at++) shares.take(seat(service));
  for (const owner of [modest, service]) {
    const refusal = shares.take(seat(owner));
    expect(refusal).toBeInstanceOf(Overloaded);
    expect(refusal).not.toBeInstanceOf(Throttled);
  }
});

test('no client gets less than its share while another has more', () => {
  const step = fc.record({ owner: fc.nat(3), isFree: fc.boolean(), which: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const shares = sharesOf(6);
      const clients = [greedy, modest, third, client('d')];
      let held: Seat[] = [];
      const countOf = (owner: Place['client']): number => held.filter((each) => each.client === owner).length;
      for (const { owner, isFree, which } of steps) {
        if (isFree && held.length > 0) {
          const [freed] = held.splice(which % held.length, 1);
          shares.free(freed);
          shares.free(freed);
        } else {
          const place = seat(clients[owner]);
          const own = countOf(place.client);
          const isFull = held.length === 6;
          const refusal = shares.take(place);
          if (refusal === null) held.push(place);
          else expect([isFull, Math.max(...clients.map(countOf)) <= own + 1]).toEqual([true, true]);
          held = held.filter(({ reason }) => reason === undefined);
        }
        expect(shares.size).toBe(held.length);
      }
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('the next operation is of the client whose running operations cost the least', async () => {
  const admission = new Admission({ capacity: 100, longestQueue: 4, longestWait: 60_000 });
  const order: string[] = [];
  const admit = (owner: typeof greedy, cost: number): Promise<void> =>
    Promise.resolve(admission.admit(cost, { client: owner })).then(() => void order.push(owner.id));
  const admitted = [
    admit(greedy, 60),
    admit(modest, 40),
    admit(greedy, 50),
    admit(modest, 50),
    admit(third, 10),
  ];
  admission.release(60, greedy);
  await turn();
  expect(order).toEqual(['a', 'b', 'a', 'c']);
  admission.release(50, greedy);
  await Promise.all(admitted);
  expect(order.at(-1)).toBe('b');
});

test('a full queue throttles the client with the most waiting operations', async () => {
  const admission = new Admission({ capacity: 1, longestQueue: 2, longestWait: 60_000 });
  void admission.admit(1, { client: greedy });
  const waiting = [1, 2].map(() => failureOf(admission.admit(1, { client: greedy })!));
  const late = admission.admit(1, { client: modest })!;
  expect(await waiting[1]).toBeInstanceOf(Throttled);
  expect(await failureOf(admission.admit(1, { client: greedy })!)).toBeInstanceOf(Throttled);
  admission.release(1, greedy);
  expect(await waiting[0]).toBeUndefined();
  admission.release(1, greedy);
  await late;
});

test('clients take turns at the processor and at connections, however many operations each has', async () => {
  const [turns, order] = [new Turns(), new Array<string>()];
  const work = (owner: typeof greedy): Promise<void> =>
    turns.pause({ client: owner }).then(() => void order.push(owner.id));
  await Promise.all([...Array.from({ length: 5 }, () => work(greedy)), work(modest)]);
  expect(order.indexOf('b')).toBe(1);

  const queue = new FairQueue({ concurrency: 1, concurrencyOfOwner: 1, longest: 3 });
  const ran: string[] = [];
  const run = (owner: typeof greedy): Promise<unknown> =>
    queue
      .run({ client: owner }, undefined, () => Promise.resolve(ran.push(owner.id)))
      .catch((error: unknown) => error);
  await Promise.all([...Array.from({ length: 4 }, () => run(greedy)), run(modest)]);
  expect(ran).toEqual(['a', 'a', 'b', 'a', 'a']);
});

test('a client whose jobs fill a queue is throttled, and another one still gets places', async () => {
  const queue = new FairQueue({ concurrency: 1, concurrencyOfOwner: 1, longest: 4 });
  const owners = { a: { client: greedy }, b: { client: modest } };
  const run = (owner: 'a' | 'b'): Promise<unknown> =>
    queue.run(owners[owner], undefined, () => turn().then(() => owner)).catch((error: unknown) => error);
  const results = await Promise.all((['a', 'a', 'a', 'a', 'a', 'b', 'b', 'a'] as const).map(run));
  expect(results.slice(0, 7)).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'b']);
  expect(results[7]).toBeInstanceOf(Throttled);
});
