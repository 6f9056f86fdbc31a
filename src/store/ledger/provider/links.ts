import type { ProviderFields } from '../../../model/provider.js';
import { columns, deletionFrom, insertion, matching, read, select } from '../../sql/statements.js';
import { InvalidInput } from '../../../model/input.js';
import { batches, changeOf, COMPARED_AT_ONCE, type RowChange, type Transaction } from '../transaction.js';

/** The tables that link providers to traits or aggregates. `target` is the column of their ids. */
const TABLES = {
  resource_provider_traits: {
    target: columns('resource_provider_traits').trait_id,
    insert: insertion('resource_provider_traits', ['resource_provider_id', 'trait_id', 'created_at']),
  },
  resource_provider_aggregates: {
    target: columns('resource_provider_aggregates').aggregate_id,
    insert: insertion('resource_provider_aggregates', ['resource_provider_id', 'aggregate_id', 'created_at']),
  },
};
export type LinkTable = keyof typeof TABLES;

/** A provider and one of its traits or aggregates. */
export interface Link {
  readonly providerId: number;
  readonly targetId: number;
}

/** The rows to write to get from stored links to wanted ones. */
export type LinkChange = RowChange<Link>;

/** Reads all links of these providers. */
export async function storedLinks(
  tx: Transaction,
  table: LinkTable,
  providers: readonly Pick<ProviderFields, 'id'>[],
): Promise<Link[]> {
  if (providers.length === 0) return [];
  const list = { providerId: columns(table).resource_provider_id, targetId: TABLES[table].target };
  const query = select(list, `FROM ${table} WHERE ${list.providerId} IN (?)`);
  return read(tx, query, [providers.map(({ id }) => id)]);
}

/** Compares the links of providers with the wanted ones. */
export function linkChange(stored: readonly Link[], wanted: readonly Link[]): LinkChange {
  return changeOf(stored, wanted, ({ providerId, targetId }) => `${providerId}:${targetId}`);
}

/** Writes a change. Only batches add statements. */
export async function writeLinks(
  tx: Transaction,
  table: LinkTable,
  { removed, added }: LinkChange,
): Promise<void> {
  const { target, insert } = TABLES[table];
  for (const links of batches(removed, COMPARED_AT_ONCE)) {
    const keys = links.map(({ providerId, targetId }) => [providerId, targetId]);
    const { text, values } = matching([columns(table).resource_provider_id, target], keys);
    await tx.query(`${deletionFrom(table)} WHERE ${text}`, values);
  }
  for (const links of batches(added)) {
    await tx.query(...insert(links.map(({ providerId, targetId }) => [providerId, targetId, tx.now])));
  }
}

/** An edit of the traits or aggregates of a provider: a whole new set, or members to add and to remove. */
export interface SetEdit {
  readonly set?: readonly string[] | null;
  readonly add?: readonly string[] | null;
  readonly remove?: readonly string[] | null;
}

/** Returns all members that an edit names. */
export function namedIn({ set, add, remove }: SetEdit): string[] {
  return [set, add, remove].flatMap((members) => members ?? []);
}

/**
 * Rejects an edit without any field, an edit with `set` and another field, and a member in both
 * `add` and `remove`.
 *
 * @param check rejects invalid members of one list
 */
export function checkSetEdit(
  edit: SetEdit,
  path: readonly string[],
  check: (members: readonly string[], path: readonly string[]) => void,
): void {
  checkFields({ set: edit.set, add: edit.add, remove: edit.remove }, path);
  for (const field of ['set', 'add', 'remove'] as const) {
    const members = edit[field];
    if (members) check(members, [...path, field]);
  }
  const added = new Set(edit.add);
  for (const [at, member] of (edit.remove ?? []).entries())
    if (added.has(member))
      throw new InvalidInput([...path, 'remove', String(at)], `${member} is in both add and remove`);
}

/** Rejects an edit without any field, and an edit with `set` and another field. */
export function checkFields(edit: object, path: readonly string[]): void {
  const others = Object.keys(edit).filter((field) => field !== 'set');
  const given = Object.entries(edit).flatMap(([field, value]) => (value == null ? [] : [field]));
  if (given.length === 0) throw new InvalidInput(path, `${path.join('.')} states no edit`);
  if (!given.includes('set') || given.length === 1) return;
  throw new InvalidInput([...path, 'set'], `set cannot be combined with ${others.join(', ')}`);
}

/** The ids of the rows of each trait or aggregate, the first to be linked first. */
export type TargetIds = ReadonlyMap<string, readonly number[]>;

/**
 * Returns the links that a provider with these stored links has after an edit. If an aggregate has several rows, its
 * stored links stay, and a new link is to the first row.
 */
export function editedLinks(
  edit: SetEdit,
  stored: readonly Link[],
  providerId: number,
  ids: TargetIds,
): Link[] {
  const linked = new Set(stored.map(({ targetId }) => targetId));
  const targets = new Set(edit.set ? [] : linked);
  for (const member of edit.set ?? edit.add ?? []) {
    const rows = ids.get(member)!;
    const kept = rows.filter((id) => linked.has(id));
    for (const id of kept.length > 0 ? kept : rows.slice(0, 1)) targets.add(id);
  }
  for (const id of (edit.remove ?? []).flatMap((member) => ids.get(member)!)) targets.delete(id);
  return [...targets].map((targetId) => ({ providerId, targetId }));
}
