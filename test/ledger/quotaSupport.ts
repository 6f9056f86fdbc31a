import type { Database } from '../../src/store/database/database.js';

/** The usage of each limited owner and class, as `kind name class: amount`, sorted. Omits those without usage. */
export type Counted = readonly string[];

/** Reads the counted usages that the ledger keeps. */
export async function storedUsages({ pool }: Pick<Database, 'pool'>): Promise<Counted> {
  const rows = await pool.query<{ owner: string; class: string; used: number }[]>(
    `SELECT CONCAT(u.owner_kind, ' ', COALESCE(p.external_id, g.name)) AS owner, COALESCE(k.name, '-') AS class, u.used
       FROM placement_quota_usages u
       LEFT JOIN projects p ON u.owner_kind = 'PROJECT' AND p.id = u.owner_id
       LEFT JOIN placement_quota_groups g ON u.owner_kind = 'GROUP' AND g.id = u.owner_id
       LEFT JOIN resource_classes k ON k.id = u.class_id WHERE u.used > 0`,
  );
  return rows.map(({ owner, class: name, used }) => `${owner} ${name}: ${used}`).sort();
}

/** Adds up the usages from all rows of the tables, without the code under test. */
export async function addedUsages(
  { pool }: Pick<Database, 'pool'>,
  ignoredTypes: readonly string[],
): Promise<Counted> {
  const consumers = await pool.query<{ id: number; uuid: string; project: number; type: string | null }[]>(
    `SELECT c.id, c.uuid, c.project_id AS project, t.name AS type
       FROM consumers c LEFT JOIN consumer_types t ON t.id = c.consumer_type_id
      WHERE c.id NOT IN (SELECT consumer_id FROM placement_kept_consumers)`,
  );
  const allocations = await pool.query<{ consumer: string; class: number; used: number }[]>(
    'SELECT consumer_id AS consumer, resource_class_id AS class, used FROM allocations',
  );
  const quotas = await pool.query<{ kind: string; owner: number; class: number }[]>(
    'SELECT owner_kind AS kind, owner_id AS owner, class_id AS class FROM placement_quotas',
  );
  const names = async (sql: string): Promise<Map<number, string>> =>
    new Map((await pool.query<{ id: number; name: string }[]>(sql)).map(({ id, name }) => [id, name]));
  const projects = await names('SELECT id, external_id AS name FROM projects');
  const groups = await names('SELECT id, name FROM placement_quota_groups');
  const classes = await names('SELECT id, name FROM resource_classes');
  const members = await names(
    'SELECT project_id AS id, group_id AS name FROM placement_quota_group_projects',
  );
  const sums = new Map<string, number>();
  for (const { uuid, project, type } of consumers) {
    if (type !== null && ignoredTypes.includes(type)) continue;
    const own = allocations.filter(({ consumer }) => consumer === uuid);
    for (const { class: id, used } of [{ class: -1, used: 1 }, ...own]) {
      const name = classes.get(id) ?? '-';
      const group = Number(members.get(project) ?? 0);
      const isLimited = quotas.some(
        (each) =>
          each.class === id &&
          (each.kind === 'DEFAULT' || (each.kind === 'PROJECT' && each.owner === project)),
      );
      const isGroupLimited = quotas.some(
        (each) => each.class === id && each.kind === 'GROUP' && each.owner === group,
      );
      const add = (key: string): unknown => sums.set(key, (sums.get(key) ?? 0) + used);
      if (isLimited) add(`PROJECT ${projects.get(project)} ${name}`);
      if (isGroupLimited) add(`GROUP ${groups.get(group)} ${name}`);
    }
  }
  return Array.from(sums, ([key, used]) => `${key}: ${used}`).sort();
}
