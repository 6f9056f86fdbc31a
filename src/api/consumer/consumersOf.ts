import type { ConsumerEntity, Stored } from '../../model/entities.js';
import { readDuplicateConsumers } from '../../store/sql/consumers.js';
import { execute } from '../../store/sql/statements.js';
import { classesOf, type ConsumersOfOwners } from '../../model/listing/consumerFigures.js';
import type { SortPlace } from '../../model/listing/orderedPage.js';
import type { OwnedList } from '../paging/pageLoader.js';
import type { Bounds } from '../paging/paging.js';
import {
  allConsumers,
  isByAge,
  keysOf,
  orderOfConsumers,
  pagesByAge,
  readPlaced,
  type ConsumerOrder,
  type InList,
} from './consumerList.js';
import { readOwners, type ConsumerListSource } from './ownerLists.js';

/** A project or a user by its external id, or a type by its name. */
export interface ConsumerOwner {
  readonly id: number;
  readonly name: string;
}

export interface ConsumersOf {
  readonly owner: 'projectId' | 'userId' | 'consumerType';
  readonly orderBy: readonly ConsumerOrder[];
  /** Only consumers of the project with this external id. Null: of all projects. */
  readonly projectId: string | null;
}

const COLUMNS = { projectId: 'project_id', userId: 'user_id', consumerType: 'consumer_type_id' } as const;

type Owned = { readonly owner: ConsumerOwner; readonly node: InList<Stored<ConsumerEntity>> };

/**
 * Lists the consumers of projects, users or types: by age from the database, in other orders from
 * the consumers in memory. Pages of many owners take as many statements as the page of one owner.
 */
export function consumersOf(
  source: ConsumerListSource,
  { owner: by, orderBy, projectId }: ConsumersOf,
): OwnedList<ConsumerOwner, InList<Stored<ConsumerEntity>>, SortPlace> {
  const { database } = source;
  const column = `c.${COLUMNS[by]}` as const;

  /** Returns null if the project does not exist. */
  async function matching() {
    const consumers = allConsumers(await readDuplicateConsumers(database));
    if (projectId === null) return consumers;
    const [project] = await readOwners(database, 'projects', [projectId]);
    return project === undefined ? null : consumers.where('c.project_id', '=', project.id);
  }

  async function byAge(owners: readonly ConsumerOwner[], bounds: Bounds<SortPlace>): Promise<Owned[]> {
    const [consumers] = await Promise.all([matching(), keysOf(database, orderBy)]);
    if (consumers === null) return [];
    const queries = owners.map(({ id }) => consumers.where(column, '=', id));
    const found = await pagesByAge(database, queries, orderBy, bounds);
    return found.map(({ at, node }) => ({ owner: owners[at], node }));
  }

  async function inMemory(owners: readonly ConsumerOwner[], bounds: Bounds<SortPlace>): Promise<Owned[]> {
    const keys = await keysOf(database, orderBy);
    const ofOwners: ConsumersOfOwners = {
      owner: by,
      names: owners.map(({ name }) => name),
      condition: by === 'projectId' ? {} : { projectId },
    };
    const found = await readPlaced(source, classesOf({}, keys), (figures) =>
      figures.pages(ofOwners, keys, bounds).flatMap((page, at) => page.map((placed) => ({ ...placed, at }))),
    );
    return found.map(({ placed, node }) => ({ owner: owners[placed.at], node }));
  }

  return {
    order: orderOfConsumers(orderBy),
    read: isByAge(orderBy) ? byAge : inMemory,
    async count(owners) {
      const ids = owners.map(({ id }) => id);
      const counts = (await matching())
        ?.where(column, 'in', ids)
        .groupBy(column)
        .select((eb) => [eb.ref(column).as('id'), eb.fn.countAll<number>().as('members')]);
      const rows = counts === undefined ? [] : await execute(database.pool, counts);
      const members = new Map(rows.map((row) => [row.id, row.members]));
      return owners.map((owner) => ({ owner, members: members.get(owner.id) ?? 0 }));
    },
  };
}
