import { idOf, idsByName } from '../../sql/catalog.js';
import { firstDuplicate, InvalidInput, unknownName } from '../../../model/input.js';
import { kindSet } from '../../../model/recordedChanges.js';
import { ConsumerGenerationConflict, NotFound } from '../../../model/rejections.js';
import { confirmUnchanged, markChanged, findProviders, required } from '../provider/providerRows.js';
import { inTransaction, type Ledger, type Transaction } from '../transaction.js';
import { readQuotaUse, unmarkKept, type QuotaUse } from '../../quotas/quotaUse.js';
import { writeAllocations, type AllocationRow, type StoredAllocation } from './allocationRows.js';
import { readCounters } from './counters.js';
import { withoutSelected } from './rewriteCounters.js';
import {
  readConsumerRecords,
  bumpConsumers,
  checkSingleRow,
  deleteConsumers,
  type ConsumerRow,
} from './consumerRows.js';
import { providersHeld } from './consumerPlan.js';

export interface UnsetAllocationsInput {
  readonly consumer: string;
  /** The expected generation. Null or absent: not checked. */
  readonly generation?: number | null;
  /** Removes only allocations of these providers. [] means all providers. */
  readonly resourceProviders: readonly string[];
  /** Removes only allocations of these classes. [] means all classes. */
  readonly resourceClasses: readonly string[];
}

/**
 * Removes a consumer's allocations of the given providers, of the given classes, or of these
 * classes on these providers. Other allocations stay unchecked. A consumer without allocations
 * ceases to exist (rule 82). The amounts of counters become the sums of what the others consume. Retries after races unless the generation is given.
 *
 * Rejections: INVALID_INPUT (no provider or class; an unknown class; a repeated name; counters only), NOT_FOUND (a
 * provider; a consumer without allocations), CONSUMER_GENERATION_CONFLICT. Bumps the consumer and
 * each provider concerned.
 */
export async function unsetAllocations(ledger: Ledger, input: UnsetAllocationsInput): Promise<void> {
  const { consumer, generation: expected, resourceProviders, resourceClasses } = input;
  checkNamed(input);
  await inTransaction(ledger, async (tx) => {
    const classes = await classIds(tx, resourceClasses);
    const { stored, named } = await readConsumerRecords(tx, [
      { consumer, projectId: '', userId: '', allocations: [] },
    ]);
    const providers = await findProviders(tx, resourceProviders, providersHeld(named));
    const providerIds = resourceProviders.map((uuid) => required(providers, uuid).id);
    if (named.length === 0)
      throw new NotFound('CONSUMER', consumer, `consumer ${consumer} has no allocations`);
    const row = stored.get(consumer);
    if (row !== undefined) checkSingleRow(row, ['consumer']);
    const generation = row?.generation ?? null;
    if (expected != null && expected !== generation)
      throw new ConsumerGenerationConflict(consumer, expected, generation);

    const isAmong = (ids: readonly number[], id: number): boolean => ids.length === 0 || ids.includes(id);
    const counters = await readCounters(tx, providersHeld(named));
    const change = withoutSelected(named, counters.consumption, ({ providerId, classId }) => {
      return isAmong(providerIds, providerId) && isAmong(classes, classId);
    });
    const { removed, added } = change;
    const rows = row ? [row] : [];
    if (removed.length + added.length === 0) return confirmUnchanged(tx, rows, 'consumers');
    const use = row === undefined ? null : tx.quotas && (await readQuotaUse(tx, []));
    await use?.readStored(tx, rows);
    const taken = new Set([...removed, ...added].map(({ providerId }) => providerId));
    const known = new Map([...counters.providers, ...providers.values()].map((each) => [each.id, each]));
    const changed = [...known.values()].filter(({ id }) => taken.has(id));
    if (changed.length > 0) markChanged(tx, changed, kindSet('USAGE'));
    const left = [...named.filter((each) => !removed.includes(each)), ...added];
    if (left.length === 0) deleteConsumers(tx, rows);
    else bumpConsumers(tx, rows);
    writeAllocations(tx, change, () => row?.text ?? named[0].text);
    if (row !== undefined && use !== null) countRemoval(tx, use, row, named, left);
  });
}

/** Stores the lower usage that quotas count. */
function countRemoval(
  tx: Transaction,
  use: QuotaUse,
  { id, projectId: project, consumerType: type }: ConsumerRow,
  named: readonly StoredAllocation[],
  left: readonly AllocationRow[],
): void {
  const counted = { project, type, isKept: use.kept.has(id) };
  use.count([{ ...counted, amounts: named }], left.length > 0 ? [{ ...counted, amounts: left }] : []);
  use.write(tx, () => project);
  if (left.length === 0 && counted.isKept) unmarkKept(tx, [id]);
}

function checkNamed({ resourceProviders, resourceClasses }: UnsetAllocationsInput): void {
  if (resourceProviders.length + resourceClasses.length === 0)
    throw new InvalidInput(
      ['resourceProviders'],
      'name at least one provider or resource class; deleteConsumer removes all allocations',
    );
  for (const [field, names] of Object.entries({ resourceProviders, resourceClasses })) {
    const repeated = firstDuplicate(names);
    if (repeated >= 0) throw new InvalidInput([field, String(repeated)], `${names[repeated]} is given twice`);
  }
}

async function classIds(tx: Transaction, names: readonly string[]): Promise<number[]> {
  const classes = await idsByName(tx, 'resource_classes', names);
  return names.map((name, index) => {
    if (!classes.has(name)) throw unknownName('resource class', name, ['resourceClasses', String(index)]);
    return idOf(classes, name);
  });
}
