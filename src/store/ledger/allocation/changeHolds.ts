import { checkEach, InvalidInput } from '../../../model/input.js';
import { NotFound } from '../../../model/rejections.js';
import { inTransaction, type Ledger } from '../transaction.js';
import {
  bumpConsumers,
  checkConsumerGenerations,
  checkSingleRow,
  readConsumerRecords,
} from './consumerRows.js';
import { checkExpiries, expiryOf, statedExpiries } from './holds.js';

/** A consumer whose hold changes, with the generation that was read before. */
interface HoldInput {
  readonly consumer: string;
  readonly generation: number;
  /** Absent: the hold ends, and the consumer stays. */
  readonly expiresAt?: Date;
}

const PATH = ['consumers'];

/**
 * Sets new times at which consumers end by themselves, or ends their holds, all or none. Bumps each consumer, so that of two
 * concurrent changes, or of a change and the expiry, only one is written.
 *
 * Rejections: OLDER_SERVER, INVALID_INPUT (no consumer, one twice, a time), NOT_FOUND (a consumer that has ended or has no
 * hold), CONSUMER_GENERATION_CONFLICT, CONCURRENT_UPDATE.
 */
export async function changeHolds(ledger: Ledger, consumers: readonly HoldInput[]): Promise<void> {
  if (consumers.length === 0) throw new InvalidInput(PATH, 'name at least one consumer');
  checkEach(consumers, 'consumer', PATH, () => undefined);
  await checkExpiries(ledger.database.pool, statedExpiries(consumers, PATH));
  const inputs = consumers.map(({ consumer, generation }) => {
    return { consumer, generation, projectId: '', userId: '', allocations: [] };
  });
  await inTransaction(ledger, async (tx) => {
    const { stored } = await readConsumerRecords(tx, inputs);
    const rows = consumers.map(({ consumer }, at) => {
      const row = stored.get(consumer);
      if (row === undefined) throw new NotFound('CONSUMER', consumer);
      checkSingleRow(row, [...PATH, String(at), 'consumer']);
      if (expiryOf(row) !== null) return row;
      throw new NotFound('HOLD', consumer, `consumer ${consumer} does not end by itself`);
    });
    checkConsumerGenerations(inputs, stored);
    const expiries = new Map(rows.map((row, at) => [row, consumers[at].expiresAt ?? null]));
    bumpConsumers(tx, rows, { expiries });
  });
}
