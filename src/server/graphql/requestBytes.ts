import type { ExecutionArgs } from 'graphql';
import { documentBytes } from './documents.js';

/** The approximate memory of a value besides its text, as received and as coerced (bytes). */
const VALUE_BYTES = 48;

/** Returns the approximate memory of a request while its operation runs (bytes). */
export function requestBytes({ document, variableValues }: ExecutionArgs): number {
  return documentBytes(document) + valueBytes(variableValues);
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  return Object.values(value).reduce((sum: number, inner) => sum + valueBytes(inner), VALUE_BYTES);
}
