import { columns, deletionFrom, insertion, read, storable } from '../sql/statements.js';
import { idsByName } from '../sql/catalog.js';
import {
  checkExternalId,
  checkOwnName,
  ensure,
  firstDuplicate,
  InvalidInput,
  LARGEST_AMOUNT,
  unknownName,
} from '../../model/input.js';
import { CATALOG } from '../../model/recordedChanges.js';
import { KEEP_OWNER } from '../ledger/allocation/ownerNames.js';
import { checkServersKnow } from '../feed/olderServers.js';
import {
  batches,
  inTransaction,
  WriteConflict,
  type Ledger,
  type Transaction,
} from '../ledger/transaction.js';
import {
  CONSUMER_COUNT,
  MAX_DEFINITIONS,
  NO_OWNER,
  readDefinitions,
  typesText,
  type QuotaRow,
} from './definitions.js';
import { projectsNamed, type StoredProject } from './projectNames.js';
import { ALL_OWNERS, correctUsages, lockUsages, withMembers, type Owners } from './recount.js';

interface QuotaLimitInput {
  /** Null or absent: the number of consumers. */
  readonly resourceClass?: string | null;
  /** Null or absent: removes the limit. */
  readonly limit?: number | null;
}

export interface SetQuotasInput {
  readonly projects?: readonly { readonly projectId: string; readonly limits: readonly QuotaLimitInput[] }[];
  readonly groups?: readonly {
    readonly group: string;
    /** The whole set of projects. Null or absent leaves it unchanged. */
    readonly projects?: readonly string[] | null;
    readonly limits: readonly QuotaLimitInput[];
  }[];
  readonly defaults?: readonly QuotaLimitInput[];
}

/**
 * Sets or removes limits, and replaces the projects of groups, atomically. The limits count from the commit on: each
 * concurrent write is validated with them or commits before (ADR 48). A limit below the usage is allowed. Returns the
 * projects of `projects` in their order.
 *
 * Rejections: INVALID_INPUT, OLDER_SERVER, CONCURRENT_UPDATE.
 */
export async function setQuotas(
  ledger: Ledger,
  input: SetQuotasInput,
  /** Counts the usage of all owners again, not only that of the owners in the input. */
  countsAll = false,
): Promise<StoredProject[]> {
  const { projects = [], groups = [], defaults = [] } = input;
  checkInput({ projects, groups, defaults });
  const named = await inTransaction(ledger, async (tx) => {
    await checkServersKnow(tx, 'quotas');
    const before = await readDefinitions(tx);
    const types = ledger.ignoredTypes ?? [...before.ignoredTypes];
    const hasNewTypes = typesText(types) !== typesText([...before.ignoredTypes]);
    const ids = await idsOf(tx, { projects, groups, defaults });
    checkDifferent({ projects, groups }, ids);
    const members = await planMembers(tx, groups, ids);
    const wanted = await withMembers(
      tx,
      [...projects.map(({ projectId }) => ids.project(projectId)), ...members.concerned],
      groups.map(({ group }) => ids.group(group)),
    );
    const isAll = countsAll || hasNewTypes || defaults.length > 0;
    const owners: Owners = isAll ? ALL_OWNERS : wanted;
    // The order of all writes is counted usage, version: a write of allocations has locked its usage before the version.
    const stored = await lockUsages(tx, owners);
    await nextVersion(tx, before.version, types);
    await writeLimits(tx, limitsOf({ projects, groups, defaults }, ids));
    await writeMembers(tx, members);
    await removeLostLimits(tx);
    await removeEmptyGroups(tx);
    const after = await readDefinitions(tx);
    await checkSize(tx);
    await correctUsages(tx, after, owners, stored);
    tx.recorded.addProviders([CATALOG], 0);
    tx.recorded.quotas = after.version;
    return projects.map(({ projectId }) => ids.stored(projectId));
  });
  ledger.feed.refresh();
  return named;
}

/** Applies the setting `quotas.ignoredTypes` of a process that starts, unless the usage is counted with it already. */
export async function applyIgnoredTypes(ledger: Ledger): Promise<void> {
  const { isEmpty, ignoredTypes } = await ledger.feed.ready();
  const isSame = typesText([...ignoredTypes]) === typesText(ledger.ignoredTypes ?? [...ignoredTypes]);
  if (!isEmpty && !isSame) await setQuotas(ledger, {});
}

type CheckedInput = Required<SetQuotasInput>;

function checkInput({ projects, groups, defaults }: CheckedInput): void {
  const checkLimits = (limits: readonly QuotaLimitInput[], path: readonly string[]): void => {
    const repeated = firstDuplicate(limits.map(({ resourceClass }) => resourceClass ?? null));
    ensure(repeated < 0, [...path, String(repeated), 'resourceClass'], 'the class is given twice');
    limits.forEach(({ limit }, at) => {
      const isValid = limit == null || (Number.isInteger(limit) && limit >= 0 && limit <= LARGEST_AMOUNT);
      ensure(isValid, [...path, String(at), 'limit'], `a limit is 0 or more, not ${limit}`);
    });
  };
  const repeatedProject = firstDuplicate(projects.map(({ projectId }) => projectId));
  const twice = (name: string): string => `${name} is given twice`;
  projects.forEach(({ projectId, limits }, at) => {
    const path = ['projects', String(at)];
    checkExternalId(projectId, [...path, 'projectId'], 'project');
    ensure(at !== repeatedProject, [...path, 'projectId'], twice(projectId));
    checkLimits(limits, [...path, 'limits']);
  });
  const repeatedGroup = firstDuplicate(groups.map(({ group }) => group));
  const grouped = new Map<string, string>();
  groups.forEach(({ group, projects: members, limits }, at) => {
    const path = ['groups', String(at)];
    checkOwnName(group, [...path, 'group'], 'group');
    ensure(at !== repeatedGroup, [...path, 'group'], twice(group));
    members?.forEach((projectId, position) => {
      const here = [...path, 'projects', String(position)];
      checkExternalId(projectId, here, 'project');
      const other = grouped.get(projectId);
      const both = other === group ? twice(projectId) : `project ${projectId} is also in the group ${other}`;
      ensure(other === undefined, here, both);
      grouped.set(projectId, group);
    });
    checkLimits(limits, [...path, 'limits']);
  });
  checkLimits(defaults, ['defaults']);
}

/** The ids of the names of an input. */
interface Ids {
  stored(projectId: string): StoredProject;
  project(projectId: string): number;
  group(name: string): number;
  class(name: string | null | undefined): number;
}

const g = columns('placement_quota_groups');
const INSERT_PROJECT = insertion('projects', ['external_id', 'created_at'], KEEP_OWNER);
const INSERT_GROUP = insertion(
  'placement_quota_groups',
  ['name', 'created_at'],
  'ON DUPLICATE KEY UPDATE placement_quota_groups.id = placement_quota_groups.id',
);
const GROUP_IDS = {
  text: `SELECT ${g.id} AS id, ${g.name} AS name FROM placement_quota_groups WHERE ${g.name} IN (?)`,
};

/** Finds the ids of all names. Creates projects that have no consumer yet, and groups. */
async function idsOf(tx: Transaction, { projects, groups, defaults }: CheckedInput): Promise<Ids> {
  const classes = await classIds(tx, { projects, groups, defaults });
  const named = [
    ...new Set([
      ...projects.map(({ projectId }) => projectId),
      ...groups.flatMap((each) => each.projects ?? []),
    ]),
  ];
  await checkStorableProjects(tx, { projects, groups, defaults }, named);
  for (const batch of batches(named.toSorted()))
    await tx.query(...INSERT_PROJECT(batch.map((name) => [name, tx.now] as const)));
  const names = groups.map(({ group }) => group);
  for (const batch of batches(names.toSorted()))
    await tx.query(...INSERT_GROUP(batch.map((name) => [name, tx.now] as const)));
  const groupIds = new Map(
    names.length === 0
      ? []
      : (await read<{ id: number; name: string }>(tx, GROUP_IDS, [names])).map(({ id, name }) => [name, id]),
  );
  const stored = await projectsNamed(tx, named);
  return {
    stored: (name) => stored.get(name)!,
    project: (name) => stored.get(name)!.id,
    group: (name) => groupIds.get(name)!,
    class: (name) => (name == null ? CONSUMER_COUNT : classes.get(name)!),
  };
}

/** @throws InvalidInput for two names that the table of projects takes for equal */
function checkDifferent({ projects, groups }: Pick<CheckedInput, 'projects' | 'groups'>, ids: Ids): void {
  const check = (named: readonly { readonly name: string; readonly path: readonly string[] }[]): void => {
    const at = firstDuplicate(named.map(({ name }) => ids.project(name)));
    if (at < 0) return;
    const { name, path } = named[at];
    throw new InvalidInput(path, `project ${name} is also given in another spelling`);
  };
  check(projects.map(({ projectId: name }, at) => ({ name, path: ['projects', String(at), 'projectId'] })));
  check(
    groups.flatMap(({ projects: members }, at) =>
      (members ?? []).map((name, position) => ({
        name,
        path: ['groups', String(at), 'projects', String(position)],
      })),
    ),
  );
}

/** Returns the limits of an input with their paths. */
function* limitsWithPaths({
  projects,
  groups,
  defaults,
}: CheckedInput): Generator<readonly [limit: QuotaLimitInput, path: readonly string[]]> {
  const lists: (readonly [readonly QuotaLimitInput[], readonly string[]])[] = [
    ...projects.map(({ limits }, at) => [limits, ['projects', String(at), 'limits']] as const),
    ...groups.map(({ limits }, at) => [limits, ['groups', String(at), 'limits']] as const),
    [defaults, ['defaults']],
  ];
  for (const [limits, path] of lists)
    for (const [at, limit] of limits.entries()) yield [limit, [...path, String(at), 'resourceClass']];
}

async function classIds(tx: Transaction, input: CheckedInput): Promise<ReadonlyMap<string, number>> {
  const all = [...limitsWithPaths(input)];
  const names = [...new Set(all.flatMap(([{ resourceClass }]) => resourceClass ?? []))];
  const classes = await idsByName(tx, 'resource_classes', names);
  for (const [{ resourceClass }, path] of all)
    if (resourceClass != null && !classes.has(resourceClass))
      throw unknownName('resource class', resourceClass, path);
  return classes;
}

async function checkStorableProjects(
  tx: Transaction,
  { projects, groups }: CheckedInput,
  named: readonly string[],
): Promise<void> {
  const held = await storable(tx, 'projects', named);
  const check = (projectId: string, path: readonly string[]): void => {
    if (!held.has(projectId))
      throw new InvalidInput(
        path,
        `projectId ${JSON.stringify(projectId)} has characters that its table cannot hold`,
      );
  };
  projects.forEach(({ projectId }, at) => check(projectId, ['projects', String(at), 'projectId']));
  groups.forEach(({ projects: members }, at) =>
    members?.forEach((id, position) => check(id, ['groups', String(at), 'projects', String(position)])),
  );
}

const m = columns('placement_quota_group_projects', 'm');

/** The projects to remove from groups and to add, and all that either concerns. */
interface MemberChange {
  readonly removed: readonly number[];
  readonly added: readonly (readonly [projectId: number, groupId: number])[];
  readonly concerned: readonly number[];
}

/** Compares the stored projects of groups with the wanted ones. INVALID_INPUT if a project stays in another group. */
async function planMembers(tx: Transaction, groups: CheckedInput['groups'], ids: Ids): Promise<MemberChange> {
  const replaced = groups.filter(({ projects }) => projects != null);
  const groupIds = replaced.map(({ group }) => ids.group(group));
  const wanted = new Map<number, { readonly groupId: number; readonly path: readonly string[] }>();
  for (const [at, { group, projects }] of groups.entries())
    projects?.forEach((name, position) =>
      wanted.set(ids.project(name), {
        groupId: ids.group(group),
        path: ['groups', String(at), 'projects', String(position)],
      }),
    );
  const stored = await read<{ projectId: number; groupId: number; name: string }>(
    tx,
    {
      text: `SELECT ${m.project_id} AS projectId, ${m.group_id} AS groupId, n.name AS name
        FROM placement_quota_group_projects m JOIN placement_quota_groups n ON n.id = ${m.group_id}
        WHERE ${m.group_id} IN (?) OR ${m.project_id} IN (?)`,
    },
    [
      [NO_OWNER, ...groupIds],
      [NO_OWNER, ...wanted.keys()],
    ],
  );
  for (const { projectId, groupId, name } of stored) {
    const at = wanted.get(projectId);
    if (at === undefined || at.groupId === groupId || groupIds.includes(groupId)) continue;
    throw new InvalidInput(at.path, `the project is in the group ${name}: a project is in at most one group`);
  }
  const current = new Map(stored.map(({ projectId, groupId }) => [projectId, groupId]));
  const removed = [...current].filter(([id, group]) => wanted.get(id)?.groupId !== group).map(([id]) => id);
  const added = Array.from(wanted, ([id, { groupId }]) => [id, groupId] as const).filter(
    ([id, group]) => current.get(id) !== group,
  );
  return { removed, added, concerned: [...removed, ...added.map(([id]) => id)] };
}

const s = columns('placement_quota_state');
const NEXT_VERSION = `UPDATE placement_quota_state SET ${s.version} = ?, ${s.ignored_types} = ?
  WHERE ${s.id} = 1 AND ${s.version} = ?`;

/** Increments the version. Waits for the transactions that were validated with the former one. */
async function nextVersion(tx: Transaction, version: number, types: readonly string[]): Promise<void> {
  const { affectedRows } = await tx.query<{ affectedRows: number }>(NEXT_VERSION, [
    version + 1,
    typesText(types),
    version,
  ]);
  if (affectedRows !== 1) throw new WriteConflict('the quotas were changed concurrently');
}

/** A limit to write. Null removes it. */
type LimitChange = Omit<QuotaRow, 'maxUsed'> & { readonly maxUsed: number | null };

function limitsOf({ projects, groups, defaults }: CheckedInput, ids: Ids): LimitChange[] {
  const of = (ownerKind: QuotaRow['ownerKind'], ownerId: number, limits: readonly QuotaLimitInput[]) =>
    limits.map(({ resourceClass, limit }) => ({
      ownerKind,
      ownerId,
      classId: ids.class(resourceClass),
      maxUsed: limit ?? null,
    }));
  return [
    ...projects.flatMap(({ projectId, limits }) => of('PROJECT', ids.project(projectId), limits)),
    ...groups.flatMap(({ group, limits }) => of('GROUP', ids.group(group), limits)),
    ...of('DEFAULT', NO_OWNER, defaults),
  ];
}

const q = columns('placement_quotas');
const INSERT_LIMIT = insertion(
  'placement_quotas',
  ['owner_kind', 'owner_id', 'class_id', 'max_used', 'created_at'],
  `ON DUPLICATE KEY UPDATE ${q.updated_at} = VALUES(${q.created_at}), ${q.max_used} = VALUES(${q.max_used})`,
);
const REMOVE_LIMIT = `${deletionFrom('placement_quotas')} WHERE ${q.owner_kind} = ? AND ${q.owner_id} = ? AND ${q.class_id} = ?`;

async function writeLimits(tx: Transaction, limits: readonly LimitChange[]): Promise<void> {
  const set = limits.flatMap(({ ownerKind, ownerId, classId, maxUsed }) =>
    maxUsed === null ? [] : [[ownerKind, ownerId, classId, maxUsed, tx.now] as const],
  );
  for (const batch of batches(set)) await tx.query(...INSERT_LIMIT(batch));
  for (const { ownerKind, ownerId, classId, maxUsed } of limits)
    if (maxUsed === null) tx.send(REMOVE_LIMIT, [ownerKind, ownerId, classId]);
}

const member = columns('placement_quota_group_projects');
const INSERT_MEMBER = insertion('placement_quota_group_projects', ['project_id', 'group_id']);
const REMOVE_MEMBERS = `${deletionFrom('placement_quota_group_projects')} WHERE ${member.project_id} IN (?)`;

async function writeMembers(tx: Transaction, { removed, added }: MemberChange): Promise<void> {
  for (const batch of batches(removed)) await tx.query(REMOVE_MEMBERS, [batch]);
  for (const batch of batches(added)) await tx.query(...INSERT_MEMBER(batch));
}

/** Removes the limits of resource classes that were deleted since. Ids of classes are not used again. */
async function removeLostLimits(tx: Transaction): Promise<void> {
  for (const table of ['placement_quotas', 'placement_quota_usages'] as const) {
    const text = `SELECT l.id AS id FROM ${table} l LEFT JOIN resource_classes c ON c.id = l.class_id
      WHERE l.class_id <> ${CONSUMER_COUNT} AND c.id IS NULL`;
    for (const batch of batches(await read<{ id: number }>(tx, { text }, [])))
      await tx.query(`${deletionFrom(table)} WHERE id IN (?)`, [batch.map(({ id }) => id)]);
  }
}

/** Removes groups without limits and projects. */
async function removeEmptyGroups(tx: Transaction): Promise<void> {
  const empty = await read<{ id: number }>(
    tx,
    {
      text: `SELECT n.id AS id FROM placement_quota_groups n
        WHERE NOT EXISTS (SELECT 1 FROM placement_quota_group_projects m WHERE ${m.group_id} = n.id)
          AND NOT EXISTS (SELECT 1 FROM placement_quotas q WHERE q.owner_kind = 'GROUP' AND q.owner_id = n.id)`,
    },
    [],
  );
  const remove = `${deletionFrom('placement_quota_groups')} WHERE ${g.id} IN (?)`;
  for (const batch of batches(empty)) await tx.query(remove, [batch.map(({ id }) => id)]);
}

async function checkSize(tx: Transaction): Promise<void> {
  const [{ count }] = await read<{ count: number }>(
    tx,
    {
      text: `SELECT (SELECT COUNT(*) FROM placement_quotas) + (SELECT COUNT(*) FROM placement_quota_group_projects) AS count`,
    },
    [],
  );
  if (Number(count) > MAX_DEFINITIONS)
    throw new InvalidInput([], `there may be at most ${MAX_DEFINITIONS} limits and projects in groups`);
}
