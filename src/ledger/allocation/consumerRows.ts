import type { UpsertResult } from 'mariadb';
import type { ConsumerAllocationsInput } from './allocationInput.js';
import { ConsumerGenerationConflict } from '../errors.js';
import { ensureNames, nameOf, type NamesUsed } from './namesUsed.js';
import { LostRace, type Transaction } from '../transaction.js';

/** A row of consumers as a transaction has read it. */
export interface ConsumerRow {
  readonly id: number;
  readonly uuid: string;
  readonly generation: number;
  readonly projectId: number;
  readonly userId: number;
  /** Null: untyped (rule 87). */
  readonly consumerTypeId: number | null;
  /** The name of its type. */
  readonly consumerType: string | null;
}

type ComparedConsumer = Pick<ConsumerRow, 'id' | 'generation'>;

/** The consumers with these uuids, by uuid; unknown ones are left out. */
export async function findConsumers(
  tx: Transaction,
  uuids: readonly string[],
): Promise<Map<string, ComparedConsumer>> {
  if (uuids.length === 0) return new Map();
  const rows = await tx.query<(ComparedConsumer & Pick<ConsumerRow, 'uuid'>)[]>(
    'SELECT id, uuid, generation FROM consumers WHERE uuid IN (?)',
    [uuids],
  );
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** Refuses the first consumer that is not as its input expects: absent, or at that generation (rule 83). */
export function judgeConsumerGenerations(
  inputs: readonly ConsumerAllocationsInput[],
  stored: ReadonlyMap<string, ComparedConsumer>,
): void {
  for (const { consumer, consumerGeneration } of inputs) {
    const expected = consumerGeneration ?? null;
    const current = stored.get(consumer)?.generation ?? null;
    if (expected !== current) throw new ConsumerGenerationConflict(consumer, expected, current);
  }
}

/** What becomes of one consumer in a write; `stored` is absent for a new one. */
export interface ConsumerChange {
  readonly input: ConsumerAllocationsInput;
  readonly stored: ConsumerRow | undefined;
}

/**
 * Writes consumers whose allocations or owners change: new ones at generation 1 (rule 84), known ones one generation
 * further by compare-and-set with their new project, user and type (86), emptied ones deleted (82). The number of
 * statements grows with the number of different owners that consumers change to, not with the consumers.
 */
export async function writeConsumers(
  tx: Transaction,
  changes: readonly ConsumerChange[],
  names: NamesUsed,
  now: Date,
): Promise<void> {
  await ensureNames(
    tx,
    names,
    changes.map(({ input }) => input).filter(({ allocations }) => allocations.length > 0),
    now,
  );
  const created: unknown[][] = [];
  const emptied: ConsumerRow[] = [];
  const kept = new Map<string, { owner: readonly (number | null)[]; rows: ConsumerRow[] }>();
  for (const { input, stored } of changes) {
    if (input.allocations.length === 0) {
      if (stored !== undefined) emptied.push(stored);
      continue;
    }
    const owner = ownerOf(input, stored, names);
    if (stored === undefined) {
      created.push([input.consumer, ...owner, 1, now]);
    } else {
      const isSame = ownerColumns(stored).join() === owner.join();
      const key = isSame ? 'unchanged' : owner.join();
      const group = kept.get(key) ?? { owner: isSame ? [] : owner, rows: [] };
      group.rows.push(stored);
      kept.set(key, group);
    }
  }
  if (created.length > 0) {
    tx.send(
      `INSERT INTO consumers (uuid, project_id, user_id, consumer_type_id, generation, created_at)
       VALUES ${created.map(() => '(?)').join(', ')}`,
      created,
    );
  }
  for (const { owner, rows } of kept.values()) bumpConsumers(tx, rows, now, owner);
  deleteConsumers(tx, emptied);
}

/** Deletes consumers that have no allocations left (rule 82), if they still are as they were read. */
export function deleteConsumers(tx: Transaction, rows: readonly ComparedConsumer[]): void {
  if (rows.length === 0) return;
  tx.send(`DELETE FROM consumers WHERE ${asRead(rows)} ORDER BY id`, compared(rows), all(rows));
}

/**
 * Makes sure that consumers of which nothing is written still have the generation that was judged: of two writers with
 * the same generation and the same wish one loses, and is told so.
 */
export async function confirmConsumers(tx: Transaction, rows: readonly ConsumerRow[]): Promise<void> {
  if (rows.length === 0) return;
  const found = await tx.query<unknown[]>(`SELECT 1 FROM consumers WHERE ${asRead(rows)}`, compared(rows));
  if (found.length !== rows.length) throw new LostRace('a consumer was changed by a rival');
}

/** Moves consumers one generation further, and to another project, user and type where an owner is given. */
export function bumpConsumers(
  tx: Transaction,
  rows: readonly ComparedConsumer[],
  now: Date,
  owner: readonly (number | null)[] = [],
): void {
  if (rows.length === 0) return;
  const set = owner.length > 0 ? ', project_id = ?, user_id = ?, consumer_type_id = ?' : '';
  tx.send(
    `UPDATE consumers SET generation = generation + 1, updated_at = ?${set} WHERE ${asRead(rows)} ORDER BY id`,
    [now, ...owner, ...compared(rows)],
    all(rows),
  );
}

function asRead(rows: readonly ComparedConsumer[]): string {
  return rows.map(() => '(id = ? AND generation = ?)').join(' OR ');
}

function compared(rows: readonly ComparedConsumer[]): number[] {
  return rows.flatMap(({ id, generation }) => [id, generation]);
}

/** A rival that was faster is found again when the write is repeated: it is the caller's conflict, not the server's. */
function all(rows: readonly ComparedConsumer[]): (result: UpsertResult) => void {
  return ({ affectedRows }) => {
    if (affectedRows !== rows.length) throw new LostRace('a consumer was changed by a rival');
  };
}

function ownerOf(
  input: ConsumerAllocationsInput,
  stored: ConsumerRow | undefined,
  names: NamesUsed,
): (number | null)[] {
  return [
    nameOf(names, 'projects', input.projectId).id,
    nameOf(names, 'users', input.userId).id,
    input.consumerType == null
      ? (stored?.consumerTypeId ?? null)
      : nameOf(names, 'consumer_types', input.consumerType).id,
  ];
}

function ownerColumns({ projectId, userId, consumerTypeId }: ConsumerRow): (number | null)[] {
  return [projectId, userId, consumerTypeId];
}

/** Whether a write gives a consumer another project, user or type than it has. */
export function changesOwner({ input, stored }: ConsumerChange, names: NamesUsed): boolean {
  if (stored === undefined) return true;
  return (
    names.projects.get(input.projectId)?.id !== stored.projectId ||
    names.users.get(input.userId)?.id !== stored.userId ||
    (input.consumerType != null && names.consumer_types.get(input.consumerType)?.id !== stored.consumerTypeId)
  );
}
