import { InvalidInput } from '../../domain/invalidInput.js';
import { CONSUMER_TYPE } from '../../ledger/allocation/allocationInput.js';

/** Filter words that no type can be, because types are in upper case (rule 4). */
export const ALL = 'all';
export const UNKNOWN = 'unknown';

/** Refuses what is neither a consumer type nor one of the words. */
export function checkConsumerType(consumerType: string, path: readonly string[]): void {
  if ([ALL, UNKNOWN].includes(consumerType) || CONSUMER_TYPE.test(consumerType)) return;
  throw new InvalidInput(
    path,
    `${JSON.stringify(consumerType.slice(0, 60))} is neither a consumer type nor "${ALL}" nor "${UNKNOWN}"`,
  );
}
