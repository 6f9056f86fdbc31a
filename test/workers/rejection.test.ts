import { expect, test } from '@jest/globals';
import { InvalidInput } from '../../src/domain/invalidInput.js';
import * as errors from '../../src/ledger/errors.js';
import { OutcomeUnknown } from '../../src/ledger/transaction.js';
import { DatabaseUnavailable } from '../../src/runtime/refusals.js';
import { receivedError, sentError } from '../../src/workers/rejection.js';

const cause = new errors.CapacityExceeded('a-provider', 'VCPU', 5, 8, 4);

test.each<[string, Error]>([
  ['a rejection with its fields', cause],
  ['a rejection with null in it', new errors.ConsumerGenerationConflict('a-consumer', null, 3)],
  ['bad input with its path', new InvalidInput(['consumers', '0', 'userId'], 'too long')],
  ['a failure with its cause', new OutcomeUnknown(cause)],
  ['a failure that may be repeated', new DatabaseUnavailable('not there', { cause })],
  ['any other error', new RangeError('a bug')],
])('%s is the same in another process', (_what, error) => {
  const received = receivedError(structuredClone(sentError(error)));
  expect(received).toBeInstanceOf(error instanceof RangeError ? Error : error.constructor);
  expect({ ...received }).toEqual({ ...error });
  expect([received.message, received.stack]).toEqual([error.message, error.stack]);
  expect((received.cause as Error | undefined)?.message).toBe((error.cause as Error | undefined)?.message);
});

test('what is no error becomes one', () => {
  expect(receivedError(sentError('gone')).message).toBe('gone');
});
