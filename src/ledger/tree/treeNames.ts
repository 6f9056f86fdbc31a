import { columns, read, select, type Column } from '../../database/statements.js';
import { storable } from '../../database/storable.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { DuplicateName } from '../errors.js';
import { unstorableName } from '../names.js';
import { type ProviderRow, findNameHolders } from '../provider/providerRows.js';
import { type DesiredNode, pathOf } from './treeInput.js';
import { isNew, isRenamed, type PlannedProvider, type TreePlan } from './treePlan.js';
import { WriteConflict, type Transaction } from '../transaction.js';

/**
 * DUPLICATE_NAME for the first new or renamed provider whose name somebody has who keeps it: a provider of another tree,
 * or one of this tree that the input does not state. Names that providers of the tree give up can be taken by others.
 */
export async function checkNames(
  tx: Transaction,
  { planned, deleted }: TreePlan,
  members: readonly ProviderRow[],
): Promise<void> {
  const naming = planned.filter((each) => isNew(each) || isRenamed(each));
  const renamed = planned.filter(isRenamed).map(({ row }) => row);
  const free = new Set([...deleted, ...renamed].map(({ id }) => id));
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

/** A conflict if one of them would have been matched with a desired provider, had it been there when the tree was read. */
function checkHolders(
  holders: readonly ProviderRow[],
  planned: readonly PlannedProvider[],
  members: readonly ProviderRow[],
): void {
  const read = new Map(members.map((row) => [row.id, row.name]));
  const roots = new Set(members.map(({ rootId }) => rootId));
  const uuids = new Set(planned.map(({ node }) => node.desired.uuid));
  const { desired: root } = planned[0].node;
  for (const { id, uuid, name, rootId, parentId } of holders) {
    const isAdded = uuids.has(uuid) || roots.has(rootId);
    const isRoot = root.uuid == null && root.name === name && parentId === null;
    if (read.has(id) ? read.get(id) !== name : isAdded || isRoot) {
      throw new WriteConflict('a provider was named concurrently');
    }
  }
}

/** Rejects the first name, in input order, that the table cannot hold. */
export async function checkStorableNames(tx: Transaction, nodes: readonly DesiredNode[]): Promise<void> {
  const held = await storable(
    tx,
    'resource_providers',
    nodes.map(({ desired }) => desired.name),
  );
  const lost = nodes.find(({ desired }) => !held.has(desired.name));
  if (lost) throw unstorableName([...pathOf(lost), 'name'], lost.desired.name);
}

const p = columns('resource_providers');
const LAST = 'MAX(position)' as Column<number>;

/** The holders by the desired name that each has. If the collation ignores case, only the database knows which spellings are equal. */
async function takenNames(
  tx: Transaction,
  naming: readonly PlannedProvider[],
  holders: readonly ProviderRow[],
): Promise<Map<string, ProviderRow>> {
  const exact = new Map(holders.map((holder) => [holder.name, holder]));
  const wanted = naming.map(({ row }) => row.name);
  if (wanted.some((name) => exact.has(name))) return exact;
  const [first] = holders;
  const position = `FIELD(${p.name}, ?)` as Column<number>;
  const query = select({ position }, `FROM resource_providers WHERE ${p.id} = ?`);
  const [found] = await read(tx, query, [wanted, first.id]);
  return new Map([[wanted[found.position - 1], first]]);
}

/**
 * INVALID_INPUT for a name that the database takes for the same as another one of the input: it could not hold both. It is
 * only asked about names that differ in nothing but case, marks and spaces at the end: there hardly ever are any.
 */
export async function checkDistinctNames(tx: Transaction, nodes: readonly DesiredNode[]): Promise<void> {
  const keys = nodes.map(({ desired }) => likeness(desired.name));
  const count = new Map<string, number>();
  for (const key of keys) count.set(key, (count.get(key) ?? 0) + 1);
  const alike = nodes.flatMap(({ desired }, index) =>
    count.get(keys[index]) === 1 ? [] : [[desired.name, index]],
  );
  if (alike.length === 0) return;
  // the select of no provider in front gives the other names the collation of the column
  const query = select(
    { position: LAST },
    `FROM (SELECT ${p.name} AS name, 0 AS position FROM resource_providers WHERE FALSE
           ${'UNION ALL SELECT ? '.repeat(alike.length)}) given
     GROUP BY name HAVING COUNT(*) > 1 ORDER BY position LIMIT 1`,
  );
  const same = (await read(tx, query, alike)).at(0);
  if (same === undefined) return;
  const node = nodes[same.position];
  throw new InvalidInput(
    [...pathOf(node), 'name'],
    `the database takes the name "${node.desired.name}" for the same as another one in this tree`,
  );
}

function likeness(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd();
}
