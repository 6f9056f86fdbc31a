import type { Connection } from 'mariadb';
import {
  arrayStatement,
  columns,
  joinedColumns,
  list,
  read,
  select,
  statement,
  tables,
  type Reader,
} from '../../database/statements.js';
import { streamRows } from '../streamRows.js';
import { ConsumerTable, type AllocationRecord, type ConsumerRecord } from './consumerTable.js';

const ALL_CONSUMERS = arrayStatement(tables.selectFrom('consumers'), [
  'id',
  'uuid',
  'project_id',
  'user_id',
  'consumer_type_id',
]);
const ALL_ALLOCATIONS = arrayStatement(tables.selectFrom('allocations'), [
  'consumer_id',
  'resource_provider_id',
  'resource_class_id',
  'used',
]);

const ON_PROVIDERS = statement(
  tables
    .selectFrom('allocations as a')
    .innerJoin('consumers as c', 'c.uuid', 'a.consumer_id')
    .where('a.resource_provider_id', 'in', list<number>())
    .select('c.id')
    .distinct(),
);

const c = columns('consumers', 'c');
const a = joinedColumns('allocations', 'a');
/** A row for each allocation, and one for a consumer without any. The index is named: see {@link loadChanges}. */
const SOME = select(
  {
    id: c.id,
    projectId: c.project_id,
    userId: c.user_id,
    typeId: c.consumer_type_id,
    providerId: a.resource_provider_id,
    classId: a.resource_class_id,
    used: a.used,
  },
  `FROM consumers c LEFT JOIN allocations a FORCE INDEX (allocations_consumer_id_idx) ON ${a.consumer_id} = ${c.uuid}
   WHERE ${c.id} IN (?)`,
);

/** Ids that a condition lists at most. */
const MOST_LISTED = 1000;

/**
 * Reads all consumers and allocations. They are joined here, because a join in the database would depend on its table statistics, which
 * are far off after a bulk load.
 */
export async function readAllConsumers(connection: Connection): Promise<ConsumerTable> {
  const table = new ConsumerTable();
  const ids = new Map<string, number>();
  await streamRows(connection, ALL_CONSUMERS, ([id, uuid, projectId, userId, typeId]) => {
    ids.set(uuid, id);
    table.add({ id, projectId, userId, typeId });
  });
  await streamRows(connection, ALL_ALLOCATIONS, ([uuid, providerId, classId, used]) => {
    const id = ids.get(uuid);
    if (id !== undefined) table.allocate(id, { providerId, classId, used });
  });
  return table;
}

/** A consumer as it is in the database. */
export interface ConsumerWithAllocations extends ConsumerRecord {
  readonly allocations: readonly AllocationRecord[];
}

/** Those of these consumers that there are. */
export async function readConsumers(
  reader: Reader,
  ids: readonly number[],
): Promise<ConsumerWithAllocations[]> {
  const found = new Map<number, ConsumerRecord & { allocations: AllocationRecord[] }>();
  for (const some of parts(ids))
    for (const { providerId, classId, used, ...consumer } of await read(reader, SOME, [some])) {
      const known = found.get(consumer.id) ?? { ...consumer, allocations: [] };
      found.set(consumer.id, known);
      if (providerId !== null && classId !== null && used !== null)
        known.allocations.push({ providerId, classId, used });
    }
  return [...found.values()];
}

/** The ids of the consumers that have something of one of these providers. */
export async function readConsumersOn(reader: Reader, providerIds: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const some of parts(providerIds))
    found.push(...(await read(reader, ON_PROVIDERS, [some])).map(({ id }) => id));
  return found;
}

function parts(ids: readonly number[]): number[][] {
  const count = Math.ceil(ids.length / MOST_LISTED);
  return Array.from({ length: count }, (_, at) => ids.slice(at * MOST_LISTED, (at + 1) * MOST_LISTED));
}
