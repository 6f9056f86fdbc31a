import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ProviderFields } from '../../../model/provider.js';
import { findNameHolders } from '../provider/providerRows.js';
import { type DesiredNode, type StoredTrees, pathOf } from './treeInput.js';
import type { ConsumptionRequest } from '../inventory/consumption.js';
import { depthFirst } from '../provider/trees.js';
import { execute, tables, storable } from '../../sql/statements.js';
import { InvalidInput, unstorableName } from '../../../model/input.js';
import { DuplicateName } from '../../../model/rejections.js';
import { WriteConflict, type Transaction } from '../transaction.js';

/** A provider of the input: its stored state and its desired state. */
export interface PlannedProvider {
  readonly node: DesiredNode;
  /** Undefined for a new provider. */
  readonly stored: ProviderFields | undefined;
  /** The desired state. New providers, roots and parents have negative ids until the write. */
  readonly row: ProviderFields;
  /** Whether a stored provider gets another name or parent. */
  readonly isRenamed: boolean;
  readonly isMoved: boolean;
}

/** The negative ids of new providers, which are distinct in a transaction. */
export class NewIds {
  private last = 0;

  next(): number {
    return --this.last;
  }
}

/** The disposition of all providers of a tree. */
export interface TreePlan {
  /** In the order of the input; the root first. */
  readonly planned: readonly PlannedProvider[];
  /** Depth first, by name. */
  readonly deleted: readonly ProviderFields[];
  /** The providers that the input neither contains nor deletes. They keep their parents. */
  readonly kept: readonly ProviderFields[];
}

/**
 * Matches the providers of an input with stored ones: by uuid, else by name within the tree. A
 * provider from another tree moves with its descendants. An unmatched stored provider is deleted if
 * the input states the children of its nearest matched ancestor; otherwise it is kept.
 */
export function planTree(
  nodes: readonly DesiredNode[],
  { root, members }: StoredTrees,
  newIds = new NewIds(),
): TreePlan {
  const byUuid = new Map(members.map((row) => [row.uuid, row]));
  const matches = new Map<DesiredNode, ProviderFields>();
  if (root) matches.set(nodes[0], root);
  for (const node of nodes) {
    const stored = byUuid.get(node.desired.uuid ?? '');
    if (stored) matches.set(node, stored);
  }
  const within = depthFirst([...matches.values()], members);
  const taken = new Set([...matches.values()].map(({ id }) => id));
  const byName = new Map(within.filter(({ id }) => !taken.has(id)).map((row) => [row.name, row]));
  for (const node of nodes) {
    const stored = node.desired.uuid == null && node.parent ? byName.get(node.desired.name) : undefined;
    if (stored) matches.set(node, stored);
  }
  return { planned: planNodes(nodes, matches, newIds), ...dispositions(within, matches) };
}

function planNodes(
  nodes: readonly DesiredNode[],
  matches: ReadonlyMap<DesiredNode, ProviderFields>,
  newIds: NewIds,
): PlannedProvider[] {
  const rows = new Map<DesiredNode, ProviderFields>();
  return nodes.map((node) => {
    const stored = matches.get(node);
    const id = stored?.id ?? newIds.next();
    const row = {
      id,
      uuid: stored?.uuid ?? node.desired.uuid ?? randomUUID(),
      name: node.desired.name,
      generation: stored?.generation ?? 0,
      rootId: rows.get(nodes[0])?.id ?? id,
      parentId: (node.parent && rows.get(node.parent)?.id) ?? null,
    };
    rows.set(node, row);
    const { name, parentId } = stored ?? row;
    return { node, stored, row, isRenamed: name !== row.name, isMoved: parentId !== row.parentId };
  });
}

/** Divides unmatched providers into deleted and kept ones. `within` must list parents first. */
function dispositions(
  within: readonly ProviderFields[],
  matches: ReadonlyMap<DesiredNode, ProviderFields>,
): Pick<TreePlan, 'deleted' | 'kept'> {
  const nodeOf = new Map([...matches].map(([node, { id }]) => [id, node]));
  const deleted = new Set<number>();
  const unmatched = within.filter(({ id }) => !nodeOf.has(id));
  for (const { id, parentId } of unmatched) {
    const above = nodeOf.get(parentId ?? -1);
    if (above ? above.desired.children != null : deleted.has(parentId ?? -1)) deleted.add(id);
  }
  return {
    deleted: unmatched.filter(({ id }) => deleted.has(id)),
    kept: unmatched.filter(({ id }) => !deleted.has(id)),
  };
}

/**
 * Returns the providers of a tree in their final state, and the changes of its shape that may part inventories from their
 * counters.
 */
export function finalShape(
  plan: TreePlan,
): Required<Pick<ConsumptionRequest, 'members' | 'deleted' | 'moved'>> {
  const members = [...plan.planned.map(({ row }) => row), ...plan.kept];
  const moved = plan.planned.some(({ stored, isMoved }) => stored && isMoved)
    ? members.map(({ id }) => id)
    : [];
  return { members, deleted: plan.deleted.map(({ id }) => id), moved: moved.filter((id) => id > 0) };
}

/** Returns whether providers are created, moved or deleted. In that case their trees must be locked. */
export function changesShape({ planned, deleted }: TreePlan): boolean {
  return deleted.length > 0 || planned.some(({ stored, isMoved }) => !stored || isMoved);
}

/**
 * Rejects the first new or renamed provider whose name another provider keeps (DUPLICATE_NAME): a
 * provider of another tree, or one of this tree that the input does not state. Names of deleted or
 * renamed providers of the tree are free.
 */
export async function checkNames(
  tx: Transaction,
  { planned, deleted }: Pick<TreePlan, 'planned' | 'deleted'>,
  members: readonly ProviderFields[],
): Promise<void> {
  const naming = planned.filter(({ stored, isRenamed }) => !stored || isRenamed);
  const renamed = planned.filter((each) => each.isRenamed);
  const free = new Set([...deleted, ...renamed.map(({ row }) => row)].map(({ id }) => id));
  const names = naming.map(({ row }) => row.name);
  const holders = (await findNameHolders(tx, names)).filter(({ id }) => !free.has(id));
  if (holders.length === 0) return;
  checkHolders(holders, planned, members);
  const taken = await takenNames(tx, naming, holders);
  for (const { row } of naming) {
    const holder = taken.get(row.name);
    if (holder) throw new DuplicateName(row.name, holder);
  }
}

/** Throws WriteConflict if a holder would have matched a provider when the tree was read. */
function checkHolders(
  holders: readonly ProviderFields[],
  planned: readonly PlannedProvider[],
  members: readonly ProviderFields[],
): void {
  const read = new Map(members.map((row) => [row.id, row.name]));
  const roots = new Set(members.map(({ rootId }) => rootId));
  const uuids = new Set(planned.map(({ node }) => node.desired.uuid));
  const rootNames = new Set(
    planned.flatMap(({ node: { desired, parent } }) =>
      parent === null && desired.uuid == null ? desired.name : [],
    ),
  );
  for (const { id, uuid, name, rootId, parentId } of holders) {
    const isAdded = uuids.has(uuid) || roots.has(rootId);
    const isRoot = rootNames.has(name) && parentId === null;
    if (read.has(id) ? read.get(id) !== name : isAdded || isRoot) {
      throw new WriteConflict('a provider was named concurrently');
    }
  }
}

/** Rejects the first name, in input order, that the table cannot hold. */
export async function checkStorableNames(tx: Transaction, nodes: readonly DesiredNode[]): Promise<void> {
  const names = nodes.map(({ desired }) => desired.name);
  const held = await storable(tx, 'resource_providers', names);
  const lost = nodes.find(({ desired }) => !held.has(desired.name));
  if (lost) throw unstorableName([...pathOf(lost), 'name'], lost.desired.name);
}

/**
 * Returns the holders by desired name. If the collation ignores case, only the database can decide
 * which names are equal.
 */
async function takenNames(
  tx: Transaction,
  naming: readonly PlannedProvider[],
  holders: readonly ProviderFields[],
): Promise<Map<string, ProviderFields>> {
  const exact = new Map(holders.map((holder) => [holder.name, holder]));
  const wanted = naming.map(({ row }) => row.name);
  if (wanted.some((name) => exact.has(name))) return exact;
  const [first] = holders;
  const position = sql<number>`FIELD(name, ${sql.join(wanted)})`.as('position');
  const query = tables.selectFrom('resource_providers').select(position).where('id', '=', first.id);
  const [found] = await execute(tx, query);
  return new Map([[wanted[found.position - 1], first]]);
}

/**
 * Rejects a name that the database considers equal to another one of the input (INVALID_INPUT). Reads from the database
 * only for names that differ at most in case, marks and trailing spaces.
 */
export async function checkDistinctNames(tx: Transaction, nodes: readonly DesiredNode[]): Promise<void> {
  const keys = nodes.map(({ desired }) => likeness(desired.name));
  const count = new Map<string, number>();
  for (const key of keys) count.set(key, (count.get(key) ?? 0) + 1);
  const alike = nodes.flatMap(({ desired }, index) =>
    count.get(keys[index]) === 1 ? [] : [[desired.name, index]],
  );
  if (alike.length === 0) return;
  // the first SELECT returns no row: it gives the other names the collation of the column
  const found = await tx.query<{ position: number }[]>(
    `SELECT MAX(position) AS position
       FROM (SELECT name, 0 AS position FROM resource_providers WHERE FALSE
             ${'UNION ALL SELECT ? '.repeat(alike.length)}) given
      GROUP BY name HAVING COUNT(*) > 1 ORDER BY position LIMIT 1`,
    alike,
  );
  const same = found.at(0);
  if (same === undefined) return;
  const node = nodes[same.position];
  throw new InvalidInput(
    [...pathOf(node), 'name'],
    `the name "${node.desired.name}" equals another name of this tree in the collation of the database`,
  );
}

function likeness(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd();
}
