import type { Database } from '../../database/database.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { checkExternalId } from '../../ledger/allocation/allocationInput.js';
import { idsByName } from '../../database/catalogNames.js';
import { builder } from '../builder.js';
import { CONSUMER_COLUMNS, CONSUMER_OWNERS } from '../../reads/consumer/consumerSource.js';
import { ALL, checkConsumerType, UNKNOWN } from './consumerTypeFilter.js';
import { idConnection, type IdPage } from '../../reads/paging/idPaging.js';
import type { ConsumerRow } from '../../reads/paging/pageLoader.js';
import type { Connection } from '../../reads/paging/paging.js';
import { allOf, joined, sql, type Sql } from '../../reads/sql.js';

export const ConsumerFilter = builder.inputType('ConsumerFilter', {
  description: 'Which consumers to list. All given conditions must hold.',
  fields: (t) => ({
    projectId: t.string({ description: 'Only consumers of this project.' }),
    userId: t.string({ description: 'Only consumers of this user.' }),
    consumerType: t.string({
      description: `Only consumers of this type. "${UNKNOWN}": only those without a type. "${ALL}": of every type.`,
    }),
    inTree: t.field({
      type: 'UUID',
      description:
        'Only consumers with an allocation in the tree that this provider, any of its members, is in. An unknown uuid ' +
        'finds none.',
    }),
    resourceClass: t.string({
      description:
        'Only consumers with an allocation of this class; together with inTree, of this class in that tree.',
    }),
  }),
});

type Filter = Partial<typeof ConsumerFilter.$inferInput>;

/** Throws InvalidInput for an id or type that no consumer can have, and for an unknown resource class (decision D12). */
export async function listConsumers(
  database: Database,
  filter: Filter,
  page: IdPage,
): Promise<Connection<ConsumerRow>> {
  check(filter);
  const classId = await classIdOf(database, filter.resourceClass);
  const names = await readIds(database, filter);
  const list = names === null ? null : select(filter, names, classId);
  const found = list === null ? [] : await readPage(database, list, page);
  return idConnection(page, found, async () => (list === null ? 0 : count(database, list)));
}

function check({ projectId, userId, consumerType }: Filter): void {
  if (projectId != null) checkExternalId(projectId, ['filter', 'projectId'], 'project');
  if (userId != null) checkExternalId(userId, ['filter', 'userId'], 'user');
  if (consumerType != null) checkConsumerType(consumerType, ['filter', 'consumerType']);
}

async function classIdOf({ pool }: Database, name: string | null | undefined): Promise<number | null> {
  if (name == null) return null;
  const id = (await idsByName(pool, 'resource_classes', [name])).get(name);
  if (id !== undefined) return id;
  throw new InvalidInput(
    ['filter', 'resourceClass'],
    `resource class ${JSON.stringify(name.slice(0, 60))} is unknown`,
  );
}

/** The ids of what a filter names; of the tree, that of its root. */
interface Ids {
  readonly project?: number;
  readonly user?: number;
  readonly type?: number;
  readonly root?: number;
}

/** In one statement; null when something is named that is not there, so that there are no such consumers. */
async function readIds({ pool }: Database, filter: Filter): Promise<Ids | null> {
  const { projectId, userId, consumerType, inTree } = filter;
  const isNamed = consumerType != null && consumerType !== ALL && consumerType !== UNKNOWN;
  const wanted = [
    ...(projectId != null
      ? [sql(`SELECT 'project' AS what, id FROM projects WHERE external_id = ?`, projectId)]
      : []),
    ...(userId != null ? [sql(`SELECT 'user' AS what, id FROM users WHERE external_id = ?`, userId)] : []),
    ...(isNamed ? [sql(`SELECT 'type' AS what, id FROM consumer_types WHERE name = ?`, consumerType)] : []),
    ...(inTree != null
      ? [
          sql(
            `SELECT 'root' AS what, COALESCE(root_provider_id, id) AS id FROM resource_providers WHERE uuid = ?`,
            inTree,
          ),
        ]
      : []),
  ];
  if (wanted.length === 0) return {};
  const { text, values } = joined(wanted, ' UNION ALL ');
  const rows = await pool.query<{ what: keyof Ids; id: number }[]>(text, [...values]);
  return rows.length < wanted.length ? null : Object.fromEntries(rows.map(({ what, id }) => [what, id]));
}

/** The consumers `c` of a list. */
interface ConsumerList {
  readonly from: Sql;
  readonly where: Sql;
}

/**
 * There is no index by user alone, but one by project and user, so that consumers of a user are looked for project by
 * project. Those of a tree are found by its allocations.
 */
function select(
  { consumerType }: Filter,
  { project, user, type, root }: Ids,
  classId: number | null,
): ConsumerList {
  const ofClass = classId === null ? sql('TRUE') : sql('a.resource_class_id = ?', classId);
  const inTree = sql(
    `(SELECT DISTINCT a.consumer_id FROM resource_providers p JOIN allocations a ON a.resource_provider_id = p.id
       WHERE p.root_provider_id = ? AND ${ofClass.text}) t JOIN consumers c ON c.uuid = t.consumer_id`,
    root,
    ...ofClass.values,
  );
  const byProject = sql(
    '(SELECT DISTINCT project_id FROM consumers) q JOIN consumers c ON c.project_id = q.project_id',
  );
  const where = [
    ...(project === undefined ? [] : [sql('c.project_id = ?', project)]),
    ...(user === undefined ? [] : [sql('c.user_id = ?', user)]),
    ...(type === undefined ? [] : [sql('c.consumer_type_id = ?', type)]),
    ...(consumerType === UNKNOWN ? [sql('c.consumer_type_id IS NULL')] : []),
    ...(classId === null || root !== undefined
      ? []
      : [
          sql(
            `EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_id = c.uuid AND ${ofClass.text})`,
            ...ofClass.values,
          ),
        ]),
  ];
  const isOfUser = user !== undefined && project === undefined;
  return {
    from: root !== undefined ? inTree : isOfUser ? byProject : sql('consumers c'),
    where: allOf(where),
  };
}

/** The ids are found and sorted first, which indexes alone are enough for, and then the rest is read of those on the page. */
async function readPage(
  { pool }: Database,
  { from, where }: ConsumerList,
  page: IdPage,
): Promise<ConsumerRow[]> {
  return pool.query<ConsumerRow[]>(
    `SELECT c.id, ${CONSUMER_COLUMNS}
       FROM (SELECT c.id FROM ${from.text} WHERE ${where.text} AND c.id > ? ORDER BY c.id LIMIT ?) page
       JOIN consumers c ON c.id = page.id ${CONSUMER_OWNERS} ORDER BY c.id`,
    [...from.values, ...where.values, page.after, page.size + 1],
  );
}

async function count({ pool }: Database, { from, where }: ConsumerList): Promise<number> {
  const [{ consumers }] = await pool.query<{ consumers: number }[]>(
    `SELECT COUNT(*) AS consumers FROM ${from.text} WHERE ${where.text}`,
    [...from.values, ...where.values],
  );
  return consumers;
}
