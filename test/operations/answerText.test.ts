import { expect, test } from '@jest/globals';
import { Operations } from '../../src/runtime/operation.js';
import { answerText } from '../../src/server/answerText.js';

const DATA = { rows: Array.from({ length: 50_000 }, (_, at) => ({ at, name: `row-${at}` })) };

test('a long text is made in slices, is whole, and other work runs between them', async () => {
  let turns = 0;
  const count = setInterval(() => turns++, 1);
  const stringify = await answerText(DATA, new Operations().begin());
  clearInterval(count);
  expect(JSON.parse(stringify({ extensions: { cost: 1 } }))).toEqual({ data: DATA, extensions: { cost: 1 } });
  expect(turns).toBeGreaterThan(0);
});

test('an aborted operation has its whole text, because a mutation may have committed before its deadline', async () => {
  const operation = new Operations().begin();
  operation.abort(new Error('late'));
  const stringify = await answerText(DATA, operation);
  expect(JSON.parse(stringify({}))).toEqual({ data: DATA });
});
