import {
  columns,
  deletionFrom,
  joinedColumns,
  read,
  select,
  unionAll,
  updateOf,
  type Column,
  type Queryable,
} from '../sql/statements.js';
import { batches, type Transaction } from '../ledger/transaction.js';
import {
  CONSUMER_COUNT,
  quotaKey,
  type OwnerKind,
  type QuotaDefinitions,
  type QuotaKey,
} from './definitions.js';
import { writeUsages } from './quotaUse.js';

/** The counted usage of a limited owner. */
export interface CountedUsage extends QuotaKey {
  readonly used: number;
}

/** The owners of a recount. `projects` contains all members of `groups`. Null: all. */
export interface Owners {
  readonly projects: ReadonlySet<number> | null;
  readonly groups: ReadonlySet<number> | null;
}

export const ALL_OWNERS: Owners = { projects: null, groups: null };

const c = columns('consumers', 'c');
const a = columns('allocations', 'a');
const t = joinedColumns('consumer_types', 't');
const k = joinedColumns('placement_kept_consumers', 'k');

/** The consumers that quotas count. */
const COUNTED = `LEFT JOIN consumer_types t ON ${t.id} = ${c.consumer_type_id}
  LEFT JOIN placement_kept_consumers k ON ${k.consumer_id} = ${c.id}
  WHERE ${k.consumer_id} IS NULL AND (${t.name} IS NULL OR ${t.name} NOT IN (?))`;

function sums(isListed: boolean) {
  const listed = isListed ? `AND ${c.project_id} IN (?)` : '';
  const one = { projectId: c.project_id };
  return unionAll([
    select(
      { ...one, classId: a.resource_class_id, used: `SUM(${a.used})` as Column<number | bigint | string> },
      `FROM consumers c JOIN allocations a ON ${a.consumer_id} = ${c.uuid} ${COUNTED}
        AND ${a.resource_class_id} IN (?) ${listed} GROUP BY ${c.project_id}, ${a.resource_class_id}`,
    ),
    select(
      {
        ...one,
        classId: String(CONSUMER_COUNT) as Column<number>,
        used: 'COUNT(*)' as Column<number | bigint | string>,
      },
      `FROM consumers c ${COUNTED} ${listed} GROUP BY ${c.project_id}`,
    ),
  ]);
}

const SUMS_OF_ALL = sums(false);
const SUMS = sums(true);

const NOBODY = 0;

/**
 * Adds up the usage of limited owners from the allocations, by {@link quotaKey}. Omits owners without usage.
 */
export async function countUsages(
  reader: Queryable,
  quotas: QuotaDefinitions,
  { projects, groups }: Owners,
): Promise<Map<string, CountedUsage>> {
  const found = new Map<string, CountedUsage>();
  if (quotas.isEmpty) return found;
  const types = ['', ...quotas.ignoredTypes];
  const classes = [...quotas.classIds];
  const add = (key: QuotaKey, used: number): void => {
    if (quotas.limitOf(key) === undefined) return;
    const text = quotaKey(key);
    found.set(text, { ...key, used: (found.get(text)?.used ?? 0) + used });
  };
  const listed = projects === null ? [null] : [...batches([...projects])];
  for (const ids of listed) {
    const rows =
      ids === null
        ? await read(reader, SUMS_OF_ALL, [types, classes, types])
        : await read(reader, SUMS, [types, classes, ids, types, ids]);
    for (const { projectId, classId, used } of rows) {
      add({ ownerKind: 'PROJECT', ownerId: projectId, classId }, Number(used));
      const group = quotas.groupOf(projectId)?.id;
      if (group !== undefined && (groups === null || groups.has(group)))
        add({ ownerKind: 'GROUP', ownerId: group, classId }, Number(used));
    }
  }
  return found;
}

const u = columns('placement_quota_usages');
const USAGES = select(
  {
    id: u.id,
    ownerKind: u.owner_kind as Column<OwnerKind>,
    ownerId: u.owner_id,
    classId: u.class_id,
    used: u.used,
    version: u.version,
  },
  'FROM placement_quota_usages',
);

/** A stored usage. */
export interface StoredUsage extends CountedUsage {
  readonly id: number;
  readonly version: number;
}

/** Reads the stored usages of owners. */
export async function readUsages(reader: Queryable, { projects, groups }: Owners): Promise<StoredUsage[]> {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const listed: [OwnerKind, ReadonlySet<number> | null][] = [
    ['PROJECT', projects],
    ['GROUP', groups],
  ];
  for (const [kind, ids] of listed) {
    conditions.push(`(${u.owner_kind} = '${kind}'${ids === null ? '' : ` AND ${u.owner_id} IN (?)`})`);
    if (ids !== null) values.push(ids.size > 0 ? [...ids] : [NOBODY]);
  }
  const text = `${USAGES.text} WHERE ${conditions.join(' OR ')} ORDER BY ${u.id}`;
  const rows = await read<StoredUsage>(reader, { text }, values);
  return rows.map((row) => ({ ...row, used: Number(row.used) }));
}

const LOCK = `${updateOf('placement_quota_usages')} SET ${u.version} = ${u.version} + 1 WHERE ${u.id} IN (?) ORDER BY ${u.id}`;

/** Locks the usages of owners until the end of the transaction, so that no other write changes their sums meanwhile. */
export async function lockUsages(tx: Transaction, owners: Owners): Promise<StoredUsage[]> {
  const ids = (await readUsages(tx, owners)).map(({ id }) => id);
  for (const batch of batches(ids)) await tx.query(LOCK, [batch]);
  return readUsages(tx, owners);
}

const DELETE = `${deletionFrom('placement_quota_usages')} WHERE ${u.id} IN (?) ORDER BY ${u.id}`;

/** Corrects the locked usages of owners from the allocations. Returns the corrected ones. */
export async function correctUsages(
  tx: Transaction,
  quotas: QuotaDefinitions,
  owners: Owners,
  stored: readonly StoredUsage[],
): Promise<CountedUsage[]> {
  const counted = await countUsages(tx, quotas, owners);
  const former = new Set(stored.map(quotaKey));
  const removed = stored.filter((row) => quotas.limitOf(row) === undefined);
  for (const batch of batches(removed)) tx.send(DELETE, [batch.map(({ id }) => id)]);
  const changed = stored.flatMap((row) => {
    const used = counted.get(quotaKey(row))?.used ?? 0;
    return removed.includes(row) || used === row.used ? [] : [{ row, used }];
  });
  const added = [...counted.values()].filter((each) => !former.has(quotaKey(each)));
  writeUsages(tx, changed, added);
  return [...changed.map(({ row, used }) => ({ ...row, used })), ...added];
}

/** Returns the members of groups and of the groups of projects, so that the sums of the groups are complete. */
export async function withMembers(
  reader: Queryable,
  projects: Iterable<number>,
  groups: Iterable<number>,
): Promise<{ readonly projects: Set<number>; readonly groups: Set<number> }> {
  const m = columns('placement_quota_group_projects', 'm');
  const all = { projects: new Set(projects), groups: new Set(groups) };
  const own = await read<{ id: number }>(
    reader,
    {
      text: `SELECT DISTINCT ${m.group_id} AS id FROM placement_quota_group_projects m WHERE ${m.project_id} IN (?)`,
    },
    [[NOBODY, ...all.projects]],
  );
  for (const { id } of own) all.groups.add(id);
  const members = await read<{ id: number }>(
    reader,
    { text: `SELECT ${m.project_id} AS id FROM placement_quota_group_projects m WHERE ${m.group_id} IN (?)` },
    [[NOBODY, ...all.groups]],
  );
  for (const { id } of members) all.projects.add(id);
  return all;
}

/** Corrects the usages of owners whose sums a program without quotas has changed. Returns the corrected ones. */
export async function recount(tx: Transaction, owners: Owners): Promise<CountedUsage[]> {
  if (tx.quotas === null) return [];
  const stored = await lockUsages(tx, owners);
  return correctUsages(tx, tx.quotas, owners, stored);
}
