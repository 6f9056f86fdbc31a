import { insertion, list, statement, tables } from '../../database/statements.js';
import type { ConsumerAllocationsInput } from './allocationInput.js';
import { batches, changeOf } from '../rows.js';
import type { Transaction } from '../transaction.js';

/** An amount that a consumer has of one provider and class. */
export interface AllocationRow {
  readonly consumer: string;
  readonly providerId: number;
  readonly classId: number;
  readonly used: number;
}

export interface StoredAllocation extends AllocationRow {
  readonly id: number;
}

/** The rows to write to get from stored allocations to wanted ones. */
export interface AllocationChange {
  readonly removed: readonly StoredAllocation[];
  readonly added: readonly AllocationRow[];
}

export function wantedAllocations(
  inputs: readonly ConsumerAllocationsInput[],
  providerId: (uuid: string) => number,
  classId: (name: string) => number,
): AllocationRow[] {
  return inputs.flatMap(({ consumer, allocations }) =>
    allocations.flatMap(({ resourceProvider, resources }) => {
      const of = { consumer, providerId: providerId(resourceProvider) };
      return resources.map((each) => ({ ...of, classId: classId(each.resourceClass), used: each.amount }));
    }),
  );
}

/**
 * Compares the allocations of the named consumers with the wanted ones. Equal rows are not written again. If another
 * program has left several rows for one consumer, provider and class, one row replaces them.
 */
export function allocationChange(
  stored: readonly StoredAllocation[],
  wanted: readonly AllocationRow[],
): AllocationChange {
  const keyOf = ({ consumer, providerId, classId }: AllocationRow): string =>
    `${consumer}:${providerId}:${classId}`;
  return changeOf(stored, wanted, keyOf, (one, other) => one.used === other.used);
}

const DELETE = statement(tables.deleteFrom('allocations').where('id', 'in', list<number>()).orderBy('id'));
const ROW = ['consumer_id', 'resource_provider_id', 'resource_class_id', 'used', 'created_at'] as const;
const INSERT = insertion('allocations', ROW);

export function writeAllocations(tx: Transaction, { removed, added }: AllocationChange): void {
  for (const batch of batches(removed)) tx.send(DELETE.text, [batch.map(({ id }) => id)]);
  for (const batch of batches(added)) {
    const rows = batch.map(
      ({ consumer, providerId, classId, used }) => [consumer, providerId, classId, used, tx.now] as const,
    );
    tx.send(...INSERT(rows));
  }
}
