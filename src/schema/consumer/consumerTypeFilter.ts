import { InvalidInput } from '../../domain/invalidInput.js';
import { CONSUMER_TYPE } from '../../ledger/allocation/allocationInput.js';

/** Filter words that no type can be, because types are in upper case (rule 4). */
export const ALL = 'all';
export const UNKNOWN = 'unknown';

/**
 * The type that an argument names: null for untyped ones, undefined for all. Throws InvalidInput for what is
 * no type and no such word.
 */
export function typeCondition(
  consumerType: string | null | undefined,
  path: readonly string[],
): string | null | undefined {
  if (consumerType == null || consumerType === ALL) return undefined;
  if (consumerType === UNKNOWN) return null;
  if (CONSUMER_TYPE.test(consumerType)) return consumerType;
  throw new InvalidInput(
    path,
    `${JSON.stringify(consumerType.slice(0, 60))} is neither a consumer type nor "${ALL}" nor "${UNKNOWN}"`,
  );
}
