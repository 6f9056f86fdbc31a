import { checkLength, type ResourceAmount } from '../../../model/request.js';
import { firstDuplicate, InvalidInput, ensure } from '../../../model/input.js';
import { NotFound } from '../../../model/rejections.js';
import { sumsByClass } from '../../../model/collections.js';
import { confirmUnchanged } from '../provider/providerRows.js';
import { inTransaction, type Ledger } from '../transaction.js';
import { rememberRequests } from './allocationRows.js';
import { providersHeld } from './consumerPlan.js';
import { checkSingleRow, readConsumerRecords } from './consumerRows.js';
import { readCounters } from './counters.js';

export interface RememberedInput {
  readonly consumers: readonly string[];
  /** Its text. */
  readonly request: string;
  /** The sums of the request by class. */
  readonly amounts: readonly ResourceAmount[];
}

/**
 * Remembers a valid request for consumers, whose counters do not count. Changes no allocations and no generation.
 *
 * Rejections: INVALID_INPUT (no consumer, or a repeated one; a consumer with other amounts than the request), NOT_FOUND.
 */
export async function rememberRequest(
  ledger: Ledger,
  { consumers, request, amounts }: RememberedInput,
): Promise<void> {
  ensure(consumers.length > 0, ['consumers'], 'name at least one consumer');
  checkLength(consumers, ['consumers']);
  const repeated = firstDuplicate(consumers);
  const twice = `consumer ${consumers[repeated]} is given twice`;
  ensure(repeated < 0, ['consumers', String(repeated)], twice);
  const inputs = consumers.map((consumer) => ({ consumer, projectId: '', userId: '', allocations: [] }));
  await inTransaction(ledger, async (tx) => {
    const classNames = amounts.map(({ resourceClass }) => resourceClass);
    const { names, stored, named } = await readConsumerRecords(tx, inputs, classNames);
    const { consumption } = await readCounters(tx, providersHeld(named));
    const wanted = new Map(
      amounts.map(({ resourceClass, amount }) => [names.classes.get(resourceClass) ?? -1, amount]),
    );
    const rows = consumers.map((consumer, position) => {
      const path = ['consumers', String(position)];
      const row = stored.get(consumer);
      const own = named.filter((allocation) => allocation.consumer === consumer);
      if (row === undefined || own.length === 0) {
        const unknown = new NotFound('CONSUMER', consumer, `consumer ${consumer} has no allocations`);
        unknown.path = path;
        throw unknown;
      }
      checkSingleRow(row, path);
      const requested = own.filter((allocation) => !consumption.isCounter(allocation));
      const sums = sumsByClass(
        requested.map(({ classId, used }) => ({ resourceClass: classId, amount: used })),
      );
      const isEqual =
        sums.length === wanted.size &&
        sums.every(({ resourceClass, amount }) => wanted.get(resourceClass) === amount);
      if (!isEqual)
        throw new InvalidInput(
          path,
          `the amounts of the request differ from the allocations of consumer ${consumer}`,
        );
      return row;
    });
    rememberRequests(tx, new Map(rows.map(({ text }) => [text, request])), new Set());
    // the statement has locked the rows: a claim that has changed a consumer since has a newer request
    await confirmUnchanged(tx, rows, 'consumers');
  });
}
