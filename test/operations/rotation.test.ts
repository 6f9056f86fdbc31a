import { expect, test } from '@jest/globals';
import { Rotation, Shares } from '../../src/model/operation/turns.js';
import { fc, SEED } from '../support/fastCheck.js';
import { cases } from '../support/length.js';

const ownerOf = (id: string) => ({ client: { id, isExempt: false } });

/** Serves the next item, which uses as much as it states. Returns the client. */
function serve(rotation: Rotation<number>): string {
  const [owner, used] = rotation.find(() => true)!;
  rotation.remove(owner, used);
  rotation.rotate(owner);
  rotation.use(owner, used);
  return (owner as ReturnType<typeof ownerOf>).client.id;
}

function add(rotation: Rotation<number>, id: string, count: number, used: number): void {
  for (let item = 0; item < count; item++) rotation.add(ownerOf(id), used);
}

function serveAll(rotation: Rotation<number>, count = rotation.size): string[] {
  return Array.from({ length: count }, () => serve(rotation));
}

test('clients share what they use, not the number of items', () => {
  const rotation = new Rotation<number>();
  add(rotation, 'greedy', 60, 120);
  add(rotation, 'modest', 100, 2);
  const served = serveAll(rotation);
  expect(served.slice(0, served.lastIndexOf('modest')).filter((id) => id === 'greedy')).toHaveLength(2);
});

test('a client that comes late waits for one item of a client that has used much', () => {
  const rotation = new Rotation<number>();
  add(rotation, 'greedy', 60, 120);
  serveAll(rotation, 30);
  add(rotation, 'modest', 3, 1);
  expect(serveAll(rotation, 4)).toEqual(expect.arrayContaining(['modest', 'modest', 'modest']));
});

test('a client that was away has no advantage', () => {
  const rotation = new Rotation<number>();
  add(rotation, 'worker', 100, 10);
  serveAll(rotation, 50);
  add(rotation, 'late', 100, 10);
  expect(serveAll(rotation, 20).filter((id) => id === 'worker').length).toBeGreaterThanOrEqual(9);
});

test('rotations that share what clients use share the time of one processor', () => {
  const shares = new Shares<string>();
  const [documents, slices] = [new Rotation<number>(shares), new Rotation<number>(shares)];
  add(documents, 'greedy', 1, 120);
  serveAll(documents);
  add(slices, 'greedy', 1, 1);
  add(slices, 'modest', 1, 1);
  expect(serve(slices)).toBe('modest');
});

test('while all wait, no client uses more than another by more than one item', () => {
  const clients = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(clients, (sizes) => {
      const rotation = new Rotation<number>();
      sizes.forEach((size, at) => add(rotation, String(at), Math.ceil(1_000 / size), size));
      const used = sizes.map(() => 0);
      while (sizes.every((_, at) => used[at] < 900)) {
        const at = Number(serve(rotation));
        used[at] += sizes[at];
        expect(Math.max(...used) - Math.min(...used)).toBeLessThanOrEqual(Math.max(...sizes));
      }
    }),
    { seed: SEED, numRuns: cases(200, 50) },
  );
});

test('only the clients that were served last are remembered', () => {
  const shares = new Shares<number>();
  for (let id = 0; id < 2_000; id++) shares.use(id, 1);
  expect([0, 999, 1_000, 1_999].map((id) => shares.usedBy(id))).toEqual([0, 0, 1, 1]);
});
