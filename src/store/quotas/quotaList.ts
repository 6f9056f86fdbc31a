import { columns, joinedColumns, read, select, type Column, type Queryable } from '../sql/statements.js';
import {
  NO_OWNER,
  quotaKey,
  readDefinitions,
  type OwnerKind,
  type QuotaKey,
  type QuotaRow,
  CONSUMER_COUNT,
} from './definitions.js';
import { countUsages, withMembers } from './recount.js';

/** A limit with its owner and the counted usage. */
export interface Quota extends QuotaRow {
  /** The id of the row of the limit. */
  readonly id: number;
  /** Null unless the limit is that of a project. */
  readonly projectId: string | null;
  /** Null unless the limit is that of a group. */
  readonly group: string | null;
  /** The name of the class. Null: the number of consumers. */
  readonly resourceClass: string | null;
  /** Null for a default, whose owners each have their own usage. */
  readonly used: number | null;
  /** Whether the limit is the default. */
  readonly isDefault: boolean;
}

const q = columns('placement_quotas', 'q');
const u = joinedColumns('placement_quota_usages', 'u');
const p = joinedColumns('projects', 'p');
const g = joinedColumns('placement_quota_groups', 'g');
const k = joinedColumns('resource_classes', 'k');

const STORED = select(
  {
    id: q.id,
    ownerKind: q.owner_kind as Column<QuotaRow['ownerKind']>,
    ownerId: q.owner_id,
    classId: q.class_id,
    maxUsed: q.max_used,
    projectId: p.external_id,
    group: g.name,
    resourceClass: k.name,
    used: `COALESCE(${u.used}, 0)` as Column<number>,
  },
  `FROM placement_quotas q
   LEFT JOIN projects p ON ${q.owner_kind} = 'PROJECT' AND ${p.id} = ${q.owner_id}
   LEFT JOIN placement_quota_groups g ON ${q.owner_kind} = 'GROUP' AND ${g.id} = ${q.owner_id}
   LEFT JOIN resource_classes k ON ${k.id} = ${q.class_id}
   LEFT JOIN placement_quota_usages u ON ${u.owner_kind} = ${q.owner_kind} AND ${u.owner_id} = ${q.owner_id}
        AND ${u.class_id} = ${q.class_id}`,
).text.replace(' AS group,', ' AS `group`,');

const EXISTING = `WHERE (${q.class_id} = ${CONSUMER_COUNT} OR ${k.id} IS NOT NULL)`;

/** Reads all limits, or those of an owner, by id. Skips those of deleted classes. */
export async function readQuotas(
  reader: Queryable,
  owner?: { readonly kind: QuotaRow['ownerKind']; readonly ids: readonly number[] },
): Promise<Quota[]> {
  const condition = owner === undefined ? '' : `AND ${q.owner_kind} = ? AND ${q.owner_id} IN (?)`;
  const values = owner === undefined ? [] : [owner.kind, [NO_OWNER - 1, ...owner.ids]];
  const rows = await read<Omit<Quota, 'isDefault'>>(
    reader,
    { text: `${STORED} ${EXISTING} ${condition} ORDER BY ${q.id}` },
    values,
  );
  return rows.map(({ used, ...row }) => {
    const isDefault = row.ownerKind === 'DEFAULT';
    return { ...row, maxUsed: Number(row.maxUsed), used: isDefault ? null : Number(used), isDefault };
  });
}

/** Returns the limits of projects, by the id of each: its own, and the defaults for other classes. */
export async function quotasOfProjects(
  reader: Queryable,
  projects: readonly { readonly id: number; readonly externalId: string }[],
): Promise<Map<number, Quota[]>> {
  const ids = projects.map(({ id }) => id);
  const [own, defaults] = await Promise.all([
    readQuotas(reader, { kind: 'PROJECT', ids }),
    readQuotas(reader, { kind: 'DEFAULT', ids: [NO_OWNER] }),
  ]);
  const usages = columns('placement_quota_usages');
  const used = new Map<string, number>();
  if (defaults.length > 0) {
    const rows = await read<QuotaKey & { readonly used: number }>(
      reader,
      {
        text: `SELECT ${usages.owner_id} AS ownerId, ${usages.class_id} AS classId, ${usages.used} AS used
          FROM placement_quota_usages WHERE ${usages.owner_kind} = 'PROJECT' AND ${usages.owner_id} IN (?)`,
      },
      [[NO_OWNER, ...ids]],
    );
    for (const row of rows) used.set(quotaKey({ ...row, ownerKind: 'PROJECT' }), Number(row.used));
  }
  return new Map(
    projects.map(({ id, externalId }) => {
      const limits = own.filter(({ ownerId }) => ownerId === id);
      const classes = new Set(limits.map(({ classId }) => classId));
      const others = defaults
        .filter(({ classId }) => !classes.has(classId))
        .map((quota): Quota => {
          const key = { ownerKind: 'PROJECT', ownerId: id, classId: quota.classId } as const;
          return { ...quota, ...key, projectId: externalId, used: used.get(quotaKey(key)) ?? 0 };
        });
      return [id, [...limits, ...others].sort(byClass)];
    }),
  );
}

/** Compares by the name of the class. The number of consumers comes last. */
function byClass({ resourceClass: one }: Quota, { resourceClass: other }: Quota): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -1 : Number(one > other);
}

/** Returns the part of the usage of each limit that consumers with a hold have, in the order of the limits. */
export async function readHeld(reader: Queryable, quotas: readonly Quota[]): Promise<(number | null)[]> {
  const ids = (kind: OwnerKind): number[] =>
    quotas.filter(({ ownerKind }) => ownerKind === kind).map(({ ownerId }) => ownerId);
  const [owners, definitions] = await Promise.all([
    withMembers(reader, ids('PROJECT'), ids('GROUP')),
    readDefinitions(reader),
  ]);
  const held = owners.projects.size === 0 ? new Map() : await countUsages(reader, definitions, owners, true);
  return quotas.map(({ ownerKind, ownerId, classId }) => {
    if (ownerKind === 'DEFAULT') return null;
    return (held.get(quotaKey({ ownerKind, ownerId, classId })) as { used: number } | undefined)?.used ?? 0;
  });
}

export interface QuotaGroup {
  readonly id: number;
  readonly name: string;
}

const group = columns('placement_quota_groups', 'g');
const member = columns('placement_quota_group_projects', 'm');

/** Returns the groups of projects, by the id of each project. */
export async function groupsOfProjects(
  reader: Queryable,
  ids: readonly number[],
): Promise<Map<number, QuotaGroup>> {
  const rows = await read<QuotaGroup & { readonly projectId: number }>(
    reader,
    {
      text: `SELECT ${member.project_id} AS projectId, ${group.id} AS id, ${group.name} AS name
        FROM placement_quota_group_projects m JOIN placement_quota_groups g ON ${group.id} = ${member.group_id}
        WHERE ${member.project_id} IN (?)`,
    },
    [[NO_OWNER, ...ids]],
  );
  return new Map(rows.map(({ projectId, id, name }) => [projectId, { id, name }]));
}

/** Reads groups by name; all of them if no names are given. */
export function readGroups(reader: Queryable, names?: readonly string[]): Promise<QuotaGroup[]> {
  const text = `SELECT ${group.id} AS id, ${group.name} AS name FROM placement_quota_groups g`;
  const condition = names === undefined ? '' : `WHERE ${group.name} IN (?)`;
  return read<QuotaGroup>(
    reader,
    { text: `${text} ${condition} ORDER BY ${group.name}` },
    names === undefined ? [] : [names.length > 0 ? names : ['']],
  );
}

/** Reads the projects of groups, by the id of each group. */
export async function projectsOfGroups(
  reader: Queryable,
  ids: readonly number[],
): Promise<{ readonly groupId: number; readonly id: number; readonly externalId: string }[]> {
  return read(
    reader,
    {
      text: `SELECT ${member.group_id} AS groupId, p.id AS id, p.external_id AS externalId
        FROM placement_quota_group_projects m JOIN projects p ON p.id = ${member.project_id}
        WHERE ${member.group_id} IN (?) ORDER BY p.external_id`,
    },
    [[NO_OWNER, ...ids]],
  );
}
