import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { leaf, listPieces } from '../../src/api/candidates/treeTexts.js';
import { Operations } from '../../src/model/operation/operation.js';
import { answerText } from '../../src/server/graphql/operations.js';

const DATA = { rows: Array.from({ length: 50_000 }, (_, at) => ({ at, name: `row-${at}` })) };

test('a long answer is encoded in slices, is whole, and other work runs between them', async () => {
  let turns = 0;
  const count = setInterval(() => turns++, 1);
  const stringify = await answerText(DATA, new Operations().begin());
  clearInterval(count);
  const answer = stringify({ extensions: { cost: 1 } });
  expect(answer).toBeInstanceOf(Buffer); // a string would be encoded at once when it is sent
  expect(isDeepStrictEqual(JSON.parse(String(answer)), { data: DATA, extensions: { cost: 1 } })).toBe(true);
  expect(turns).toBeGreaterThan(0);
});

test('an aborted operation has its whole text, because a mutation may have committed before its deadline', async () => {
  const operation = new Operations().begin();
  operation.abort(new Error('late'));
  const stringify = await answerText(DATA, operation);
  expect(isDeepStrictEqual(JSON.parse(String(stringify({}))), { data: DATA })).toBe(true);
});

test('a list of candidates is written in pieces', () => {
  const values = Array.from({ length: 200 }, (_, at) => at);
  const pieces = [...listPieces(leaf(String), values)];
  expect(JSON.parse(pieces.join(''))).toEqual(values);
  expect(pieces.length).toBeGreaterThan(3);
  expect([...listPieces(leaf(String), [])].join('')).toBe('[]');
});
