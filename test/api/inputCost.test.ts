import { expect, test } from '@jest/globals';
import { entriesIn } from '../../src/schema/cost/inputCost.js';

test.each([
  [{ consumers: [{ allocations: [{ resources: [{}, {}] }] }, {}] }, 5],
  [{ traits: ['A', 'B'] }, 2],
  [{ requiredTraits: [['A', 'B'], ['C']] }, 5],
  ['text', 0],
  [null, 0],
  [undefined, 0],
  [{ consumers: 7 }, 0],
])('%j has %d entries', (input, entries) => {
  expect(entriesIn(input)).toBe(entries);
});
