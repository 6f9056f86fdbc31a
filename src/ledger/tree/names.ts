import { InvalidInput } from '../../domain/invalidInput.js';
import { DuplicateName } from '../errors.js';
import { findNameHolders, type ProviderRow } from '../provider/providerRows.js';
import { pathOf, type Wish } from './input.js';
import { isNew, isRenamed, type PlannedProvider, type TreePlan } from './plan.js';
import { LostRace, type Transaction } from '../transaction.js';

/**
 * DUPLICATE_NAME for the first new or renamed provider whose name somebody has who keeps it: a provider of another tree,
 * or one of this tree that the input does not state. Names that providers of the tree give up can be taken by others.
 */
export async function judgeNames(
  tx: Transaction,
  { planned, deleted }: TreePlan,
  members: readonly ProviderRow[],
): Promise<void> {
  const naming = planned.filter((each) => isNew(each) || isRenamed(each));
  const free = new Set([
    ...deleted.map(({ id }) => id),
    ...planned.filter(isRenamed).map(({ row }) => row.id),
  ]);
  const names = naming.map(({ row }) => row.name);
  const holders = (await findNameHolders(tx, names)).filter(({ id }) => !free.has(id));
  if (holders.length === 0) return;
  refuseOvertaken(holders, planned, members);
  const taken = await takenNames(tx, naming, holders);
  for (const { row } of naming) {
    const holder = taken.get(row.name);
    if (holder) throw new DuplicateName(row.name, holder);
  }
}

/** A holder that would have been matched, had it been there when the tree was read, is no stranger: the race is lost. */
function refuseOvertaken(
  holders: readonly ProviderRow[],
  planned: readonly PlannedProvider[],
  members: readonly ProviderRow[],
): void {
  const read = new Map(members.map((row) => [row.id, row.name]));
  const roots = new Set(members.map(({ rootId }) => rootId));
  const uuids = new Set(planned.map(({ wish }) => wish.desired.uuid));
  const { desired: root } = planned[0].wish;
  for (const { id, uuid, name, rootId, parentId } of holders) {
    const isAdded = uuids.has(uuid) || roots.has(rootId);
    const isRoot = root.uuid == null && root.name === name && parentId === null;
    if (read.has(id) ? read.get(id) !== name : isAdded || isRoot) {
      throw new LostRace('a provider was named by a rival');
    }
  }
}

/** Whose name each name is; which spellings are one name is the database's to say, if its collation ignores case. */
async function takenNames(
  tx: Transaction,
  naming: readonly PlannedProvider[],
  holders: readonly ProviderRow[],
): Promise<Map<string, ProviderRow>> {
  const exact = new Map(holders.map((holder) => [holder.name, holder]));
  const wanted = naming.map(({ row }) => row.name);
  if (wanted.some((name) => exact.has(name))) return exact;
  const [first] = holders;
  const [{ position }] = await tx.query<{ position: number }[]>(
    'SELECT FIELD(name, ?) AS position FROM resource_providers WHERE id = ?',
    [wanted, first.id],
  );
  return new Map([[wanted[position - 1], first]]);
}

/**
 * INVALID_INPUT for a name that the database takes for the same as another one of the input: it could not hold both. It is
 * asked about names that are alike but for case, marks and spaces at the end, and hardly ever are there any.
 */
export async function refuseAlikeNames(tx: Transaction, wishes: readonly Wish[]): Promise<void> {
  const keys = wishes.map(({ desired }) => likeness(desired.name));
  const count = new Map<string, number>();
  for (const key of keys) count.set(key, (count.get(key) ?? 0) + 1);
  const alike = wishes.flatMap(({ desired }, index) =>
    count.get(keys[index]) === 1 ? [] : [[desired.name, index]],
  );
  if (alike.length === 0) return;
  // the names of no provider in front give the others the collation of the column
  const [same] = await tx.query<{ position: number }[]>(
    `SELECT MAX(position) AS position
     FROM (SELECT name, 0 AS position FROM resource_providers WHERE FALSE
           ${alike.map(() => 'UNION ALL SELECT ?').join(' ')}) given
     GROUP BY name HAVING COUNT(*) > 1 ORDER BY position LIMIT 1`,
    alike,
  );
  if (same === undefined) return;
  const wish = wishes[same.position];
  throw new InvalidInput(
    [...pathOf(wish), 'name'],
    `the database takes the name "${wish.desired.name}" for the same as another one in this tree`,
  );
}

function likeness(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd();
}
