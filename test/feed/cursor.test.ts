import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidInput } from '../../src/model/input.js';
import { decodeCursor, RangeCursors } from '../../src/store/feed/cursor.js';
import { FeedPosition, Sequences } from '../../src/store/feed/position.js';

const progress = fc
  .record({
    lowWatermark: fc.nat({ max: 2 ** 40 }),
    gaps: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }),
  })
  .map(({ lowWatermark, gaps }) => {
    let seq = lowWatermark - 1;
    return { lowWatermark, seen: Sequences.of(gaps.map((gap) => (seq += gap))) };
  });
const positions = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), progress), { maxLength: 8 })
  .map((list) => new FeedPosition(new Map(list)));
const key = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  generation: fc.option(fc.nat({ max: 2 ** 31 - 1 })),
  writerId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  seq: fc.nat({ max: 2 ** 50 }),
});

test('a cursor decodes to the position and the row that it was made of', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 40 }), positions, positions, key, (time, from, to, after) => {
      const cursors = new RangeCursors('providers', time, from, to);
      const front = decodeCursor(cursors.before(), 'providers');
      expect(front).toMatchObject({ time, within: null });
      expect(front.position.isSame(from)).toBe(true);
      const inside = decodeCursor(cursors.after(after), 'providers');
      expect(inside).toMatchObject({ time, within: { after } });
      for (const writer of to.writers.keys()) expect(inside.within!.to.isSameFor(writer, to)).toBe(true);
    }),
  );
});

test('a text that is no cursor, or a damaged one, is rejected as input', () => {
  const good = new RangeCursors('providers', 1, FeedPosition.START, FeedPosition.START).before();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(text !== good);
      expect(() => decodeCursor(text, 'providers')).toThrow(InvalidInput);
    }),
  );
  fc.assert(
    fc.property(positions, fc.nat(), fc.integer({ min: 1, max: 63 }), (position, at, by) => {
      const cursor = new RangeCursors('providers', 1, position, position).before();
      const index = at % cursor.length;
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const other = alphabet[(alphabet.indexOf(cursor[index]) + by) % 64];
      const damaged = cursor.slice(0, index) + other + cursor.slice(index + 1);
      expect(() => decodeCursor(damaged, 'providers')).toThrow(InvalidInput);
    }),
  );
  expect(() => decodeCursor('A'.repeat(1_000_000), 'providers')).toThrow(InvalidInput);
});

test('a cursor stands for any number of sequences above the low-watermark', () => {
  const open = new Set([1, 250_000]); // transactions that have not ended
  const seen = Array.from({ length: 500_000 }, (_, at) => at + 1).filter((seq) => !open.has(seq));
  const position = new FeedPosition(new Map([[7, { lowWatermark: 1, seen: Sequences.of(seen) }]]));
  const cursor = new RangeCursors('providers', 1, position, position).before();
  expect(cursor.length).toBeLessThan(40);
  expect(decodeCursor(cursor, 'providers').position.isSame(position)).toBe(true);
});

test('a cursor of one kind of subscription is rejected by the other', () => {
  const cursor = new RangeCursors('consumers', 1, FeedPosition.START, FeedPosition.START).before();
  expect(() => decodeCursor(cursor, 'providers')).toThrow(InvalidInput);
});
