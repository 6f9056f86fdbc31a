import type { ReadableDatabase } from '../../database/database.js';
import { readOnce, tables } from '../../database/statements.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { readResourceClasses } from '../catalog.js';
import { areOwnersStorable } from './owners.js';
import { connectionOf, ORDER_OF_IDS, type Connection, type Page } from '../paging/paging.js';
import { CONSUMERS, type ConsumerRow } from './consumerRow.js';

/** Which consumers to list. All given conditions must hold. */
export interface ConsumerFilter {
  readonly projectId?: string | null;
  readonly userId?: string | null;
  /** The name of a type; null: untyped; undefined: of every type. */
  readonly consumerType?: string | null;
  /** Consumers with an allocation in the tree that this provider is in. */
  readonly inTree?: string | null;
  /** Consumers with an allocation of this class, in that tree. */
  readonly resourceClass?: string | null;
}

/** One page of the consumers that match a filter, by id. InvalidInput for an unknown class (decision D12). */
export async function listConsumers(
  database: ReadableDatabase,
  filter: ConsumerFilter,
  page: Page<number>,
): Promise<Connection<ConsumerRow>> {
  const { pool } = database;
  const classId = filter.resourceClass == null ? null : await classIdOf(database, filter.resourceClass);
  if (!(await areOwnersStorable(pool, filter)))
    return connectionOf(ORDER_OF_IDS, page, new Array<ConsumerRow>(), () => Promise.resolve(0));
  const matching = consumersOf(filter, classId);
  // the ids are found and sorted first, which indexes alone are enough for, and then the rest is read of
  // those on the page
  const ids = matching
    .select('c.id as pageId')
    .where('c.id', '>', page.after ?? -1)
    .orderBy('c.id')
    .limit(page.size + 1);
  const found = await readOnce(
    pool,
    CONSUMERS.innerJoin(ids.as('page'), 'page.pageId', 'c.id').orderBy('c.id'),
  );
  return connectionOf(ORDER_OF_IDS, page, found, async () => {
    const [{ consumers }] = await readOnce(
      pool,
      matching.select(({ fn }) => fn.countAll<number>().as('consumers')),
    );
    return consumers;
  });
}

async function classIdOf(database: ReadableDatabase, name: string): Promise<number> {
  const [found] = await readResourceClasses(database, [name]);
  if (found !== undefined) return found.id;
  throw new InvalidInput(
    ['filter', 'resourceClass'],
    `resource class ${JSON.stringify(name.slice(0, 60))} is unknown`,
  );
}

/**
 * There is no index by user alone, but one by project and user, so that consumers of a user are looked for
 * project by project. Those of a tree are found by its allocations.
 */
function consumersOf({ projectId, userId, consumerType, inTree }: ConsumerFilter, classId: number | null) {
  const project = tables.selectFrom('projects').select('id').where('external_id', '=', projectId!);
  const user = tables.selectFrom('users').select('id').where('external_id', '=', userId!);
  const type = tables.selectFrom('consumer_types').select('id').where('name', '=', consumerType!);
  const root = tables
    .selectFrom('resource_providers')
    .select(({ fn }) => fn.coalesce('root_provider_id', 'id').as('root'))
    .where('uuid', '=', inTree!);
  const ofTree = tables
    .selectFrom('allocations as a')
    .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
    .where('p.root_provider_id', '=', root)
    .$if(classId !== null, (query) => query.where('a.resource_class_id', '=', classId!))
    .select('a.consumer_id as uuid')
    .distinct();
  const projects = tables.selectFrom('consumers').select('project_id').distinct();
  const isOfUser = userId != null && projectId == null && inTree == null;

  return tables
    .selectFrom('consumers as c')
    .$if(inTree != null, (query) => query.innerJoin(ofTree.as('t'), 't.uuid', 'c.uuid'))
    .$if(isOfUser, (query) => query.innerJoin(projects.as('q'), 'q.project_id', 'c.project_id'))
    .$if(projectId != null, (query) => query.where('c.project_id', '=', project))
    .$if(userId != null, (query) => query.where('c.user_id', '=', user))
    .$if(consumerType === null, (query) => query.where('c.consumer_type_id', 'is', null))
    .$if(consumerType != null, (query) => query.where('c.consumer_type_id', '=', type))
    .$if(classId !== null && inTree == null, (query) =>
      query.where((eb) => {
        const ofClass = eb.selectFrom('allocations as a').where('a.resource_class_id', '=', classId!);
        return eb.exists(ofClass.whereRef('a.consumer_id', '=', 'c.uuid').select('a.id'));
      }),
    );
}
