import { expect, test } from '@jest/globals';
import { OutcomeUnknown } from '../../src/store/ledger/transaction.js';
import { errorMask } from '../../src/server/graphql/errorCodes.js';

/** An error with the number of one of the connector. */
const numbered = (errno: number): Error => Object.assign(new Error(`number ${errno}`), { errno });

const codeOf = (error: unknown): unknown => errorMask(() => undefined)(error).extensions.code;

test.each([2006, 2013, 45009, 45026, 1969, 3024])(
  'a write with an unknown outcome is reported as such, not by its cause %d, which would mean that nothing was changed',
  (errno) => {
    expect(codeOf(new OutcomeUnknown(numbered(errno)))).toBe('OUTCOME_UNKNOWN');
    expect(codeOf(numbered(errno))).toBe(
      errno === 1969 || errno === 3024 ? 'TIMEOUT' : 'DATABASE_UNAVAILABLE',
    );
  },
);
