import { InvalidInput } from '../domain/invalidInput.js';
import * as ledgerErrors from '../ledger/errors.js';
import { OutcomeUnknown } from '../ledger/transaction.js';
import { DatabaseUnavailable } from '../runtime/refusals.js';

/** An error as it is sent to another process: a structured clone alone would lose its class and what it says besides its message. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly cause?: SentError;
}

/** The errors that somebody tells by their class. */
const CLASSES = new Map<string, { readonly prototype: Error }>(
  Object.entries({ ...ledgerErrors, InvalidInput, OutcomeUnknown, DatabaseUnavailable }),
);

export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), fields: {} };
  const { message, stack, cause } = error;
  const fields = Object.fromEntries(Object.entries(error).filter(([, value]) => isData(value)));
  const name = error.constructor.name;
  return { name, message, stack, fields, ...(cause !== undefined && { cause: sentError(cause) }) };
}

export function receivedError({ name, message, stack, fields, cause }: SentError): Error {
  const prototype = CLASSES.get(name)?.prototype ?? Error.prototype;
  const error = Object.assign(Object.create(prototype) as Error, fields);
  const hidden = { message, stack, ...(cause && { cause: receivedError(cause) }) };
  for (const [key, value] of Object.entries(hidden))
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  return error;
}

function isData(value: unknown): boolean {
  return typeof value !== 'function' && typeof value !== 'symbol' && !(value instanceof Error);
}
