import { caseOf, columns, matching, updateOf } from '../sql/statements.js';
import { batches, COMPARED_AT_ONCE } from './rows.js';
import { ProviderGenerationConflict } from '../../model/rejections.js';
import type { KindSet } from '../../model/recordedChanges.js';
import type { ProviderRow } from './provider/providerRows.js';
import { WriteConflict, type Transaction } from './transaction.js';

/** A row of resource_providers or of consumers as a transaction has read it. */
export interface Versioned {
  readonly id: number;
  readonly generation: number;
}

const p = columns('resource_providers');
const c = columns('consumers');
const VERSION = { resource_providers: [p.id, p.generation], consumers: [c.id, c.generation] };

/** Returns a condition that matches these rows while they have the generations that were read. */
export function asRead(table: keyof typeof VERSION, rows: readonly Versioned[]): ReturnType<typeof matching> {
  const versions = rows.map(({ id, generation }) => [id, generation]);
  return matching(VERSION[table], versions);
}

/** Rejects a caller's generation that differs from the provider's (rule 58, decision D6). */
export function checkGeneration(provider: ProviderRow, expected: number | null | undefined): void {
  if (expected != null && provider.generation !== expected) {
    throw new ProviderGenerationConflict(provider.uuid, expected, provider.generation);
  }
}

/**
 * Confirms that rows still have the generations that were read; otherwise throws WriteConflict. For
 * rows that a write does not change or bump: this detects a concurrent equal write.
 */
export async function confirmUnchanged(
  tx: Transaction,
  rows: readonly Versioned[],
  table: keyof typeof VERSION = 'resource_providers',
): Promise<void> {
  for (const batch of batches(rows, COMPARED_AT_ONCE)) {
    const { text, values } = asRead(table, batch);
    const found = await tx.query<unknown[]>(`SELECT 1 FROM ${table} WHERE ${text}`, values);
    if (found.length !== batch.length) throw new WriteConflict(`${table}: a row was changed concurrently`);
  }
}

/**
 * How a write counts the generations of the providers whose usage it changes. CHANGED: one step for each of them
 * (decision D5). NAMED: one step for each provider that the input names or that an emptied consumer leaves, none for
 * other providers (decision D26). RELEASED: no step, for a write that only releases.
 */
export type Counting = 'CHANGED' | 'NAMED' | 'RELEASED';

/**
 * Marks providers as changed. Every write that changes a provider or its usage calls it (decision
 * D5). Compares each generation with the one read, and increases it by one or by its number of
 * `steps`. Throws WriteConflict after a concurrent change.
 *
 * Call it once per transaction, after validation and before writes to other rows of the provider.
 * All concurrent writers of a provider make this update, on one server and across a cluster.
 * Because it comes first, the losers wait and fail here and not in a deadlock. Validated rows must
 * have been read after, or together with, the generations given here.
 *
 * A step of 0 writes the row and records the change, but other writers do not notice it. Use it only for changes that
 * invalidate no check of theirs: a release, a new name, or a move, which locks its trees.
 */
export function markChanged<Provider extends Versioned>(
  tx: Transaction,
  providers: readonly Provider[],
  /** The changed parts of all providers, or a function that returns the changed parts of each. */
  kinds: KindSet | ((provider: Provider) => KindSet),
  /** The steps of the generation of a provider. Defaults to 1. */
  steps: ReadonlyMap<Provider, number> = new Map(),
): void {
  const inOrder = [...providers].sort((a, b) => a.id - b.id);
  for (const provider of inOrder)
    tx.recorded.addProviders([provider.id], typeof kinds === 'number' ? kinds : kinds(provider));
  for (const batch of batches(inOrder, COMPARED_AT_ONCE)) {
    const step = stepOf(batch.map((provider) => [provider.id, steps.get(provider) ?? 1]));
    const time = timeOf(
      tx,
      batch.filter((provider) => steps.get(provider) === 0).map(({ id }) => id),
    );
    const { text, values } = asRead('resource_providers', batch);
    tx.send(
      `${updateOf('resource_providers')} SET ${p.generation} = ${p.generation} + ${step.text}, ${p.updated_at} = ${time.text}
        WHERE ${text} ORDER BY ${p.id}`,
      [...step.values, ...time.values, ...values],
      ({ affectedRows }) => {
        if (affectedRows !== batch.length) throw new WriteConflict('a provider was changed concurrently');
      },
    );
  }
}

interface Expression {
  readonly text: string;
  readonly values: readonly unknown[];
}

function stepOf(steps: readonly (readonly [id: number, step: number])[]): Expression {
  const other = steps.filter(([, step]) => step !== 1);
  return { text: other.length > 0 ? caseOf(p.id, other.length, '1') : '1', values: other.flat() };
}

/**
 * Returns the time of the change. Without a step nothing states the order of two changes, so the later time stays:
 * snapshots then agree with the table.
 */
function timeOf({ now }: Transaction, withoutStep: readonly number[]): Expression {
  if (withoutStep.length === 0) return { text: '?', values: [now] };
  const later = `GREATEST(COALESCE(${p.updated_at}, ?), ?)`;
  return { text: `IF(${p.id} IN (?), ${later}, ?)`, values: [withoutStep, now, now, now] };
}
