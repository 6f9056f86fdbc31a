import { expect, test } from '@jest/globals';
import { hasMoreValues } from '../../src/model/input.js';
import { fc } from '../support/fastCheck.js';

/** Counts what begins or separates values outside of strings, character by character. */
function valuesIn(text: string): number {
  let isString = false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') isString = !isString;
    else if (!isString && ',[{'.includes(text[at])) values++;
  }
  return values;
}

test('the values of a text are those outside of its strings', () => {
  const character = fc.constantFrom(...'"\\,[{}]: 1a');
  const texts = fc.oneof(
    fc.array(character, { maxLength: 40 }).map((all) => all.join('')),
    fc.json(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const values = valuesIn(text);
      if (values > 0) expect(hasMoreValues(text, values - 1)).toBe(true);
      expect(hasMoreValues(text, values)).toBe(false);
    }),
    { numRuns: 5_000 },
  );
});
