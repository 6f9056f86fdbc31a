import { expect, test } from '@jest/globals';
import { BatchLoader } from '../../src/api/loaders/batchLoader.js';
import { Operations } from '../../src/model/operation/operation.js';

test('each full batch begins and ends in a turn of its own', async () => {
  const operation = new Operations().begin();
  const turns: { readonly keys: number; readonly turn: number }[] = [];
  let turn = 0;
  let isOver = false;
  const nextTurn = (): void => {
    turn++;
    if (!isOver) setImmediate(nextTurn);
  };
  nextTurn();
  const loader = new BatchLoader<number, number>(operation, (keys) => {
    turns.push({ keys: keys.length, turn });
    return Promise.resolve([...keys]);
  });
  const ends: number[] = [];
  const keys = Array.from({ length: 3_500 }, (_, key) => key);
  const values = await Promise.all(
    keys.map(async (key) => {
      const value = await loader.load(key);
      if (key % 1_000 === 0) ends.push(turn);
      return value;
    }),
  );
  isOver = true;
  expect(values).toEqual(keys);
  const full = turns.filter((each) => each.keys === 1_000);
  expect(turns).toHaveLength(4);
  expect(full).toHaveLength(3);
  expect(new Set(full.map((each) => each.turn)).size).toBe(3);
  expect(new Set(ends).size).toBe(4);
  operation.end();
});
