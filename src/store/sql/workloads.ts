import { sql } from 'kysely';
import { groupBy } from '../../model/collections.js';
import type { ConsumerReader } from './consumers.js';
import { parts, readRequests, readTexts } from './rememberedRequests.js';
import { dateOf, execute, tables } from './statements.js';

/** A named workload. It exists while one of its consumers is in its project. */
export interface WorkloadEntity {
  readonly id: number;
  readonly name: string;
  /** The id of the project, as set by clients. */
  readonly projectId: string;
  readonly generation: number;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

/** A member of a named workload with its consumers, at least one. */
export interface WorkloadMemberEntity {
  readonly name: string;
  readonly placement: string;
  /** The texts of the alternative requests, the preferred one first. */
  readonly texts: readonly string[];
  /** The uuids, by age. */
  readonly consumers: readonly string[];
}

/** The members `m` of the workloads `w` with their consumers `c`. */
const MEMBERS = tables
  .selectFrom('placement_workloads as w')
  .innerJoin('placement_workload_members as m', 'm.workload_id', 'w.id')
  .innerJoin('placement_consumer_requests as r', 'r.member_id', 'm.id')
  .innerJoin('consumers as c', (join) =>
    join.onRef('c.id', '=', 'r.consumer_id').onRef('c.project_id', '=', 'w.project_id'),
  );

const WORKLOADS = tables
  .selectFrom('placement_workloads as w')
  .innerJoin('projects as p', 'p.id', 'w.project_id')
  .select([
    'w.id',
    'w.name',
    'p.external_id as projectId',
    'w.generation',
    'w.created_at as createdAt',
    'w.updated_at as updatedAt',
  ])
  .where('w.id', 'in', MEMBERS.select('w.id'));

/** Conditions on workloads, and a part of their list by id. */
export interface WorkloadFilter {
  /** Null: all projects. */
  readonly projectId: string | null;
  readonly name?: string;
  readonly after?: number | null;
  readonly before?: number | null;
  readonly backwards?: boolean;
  readonly limit?: number;
}

function matching({ projectId, name, after, before }: WorkloadFilter) {
  let found = WORKLOADS;
  if (projectId !== null)
    found = found
      .where('p.external_id', '=', projectId)
      // the collation may ignore case and trailing blanks
      .where(
        sql<boolean>`CAST(CONVERT(p.external_id USING utf8mb4) AS BINARY) = CAST(${projectId} AS BINARY)`,
      );
  if (name !== undefined) found = found.where('w.name', '=', name);
  if (after != null) found = found.where('w.id', '>', after);
  return before == null ? found : found.where('w.id', '<', before);
}

export async function readWorkloads(
  { pool }: Pick<ConsumerReader, 'pool'>,
  filter: WorkloadFilter,
): Promise<WorkloadEntity[]> {
  const query = matching(filter).orderBy('w.id', filter.backwards === true ? 'desc' : 'asc');
  const rows = await execute(pool, filter.limit === undefined ? query : query.limit(filter.limit));
  return rows.map((row) => ({
    ...row,
    createdAt: dateOf(row.createdAt),
    updatedAt: dateOf(row.updatedAt),
  }));
}

export async function countWorkloads(
  { pool }: Pick<ConsumerReader, 'pool'>,
  filter: WorkloadFilter,
): Promise<number> {
  const all = matching({ projectId: filter.projectId }).clearSelect();
  const [{ count }] = await execute(pool, all.select(sql<number>`COUNT(*)`.as('count')));
  return Number(count);
}

/** Reads the workloads of consumers, by uuid. Consumers of no workload are absent. */
export async function workloadsOf(
  { pool, spellings }: ConsumerReader,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, WorkloadEntity>> {
  const links: { readonly uuid: string; readonly id: number }[] = [];
  for (const some of parts(spellings.consumers.textsOf(uuids)))
    links.push(...(await execute(pool, MEMBERS.select(['c.uuid', 'w.id']).where('c.uuid', 'in', some))));
  const rows: Awaited<ReturnType<typeof readRows>> = [];
  for (const some of parts([...new Set(links.map(({ id }) => id))]))
    rows.push(...(await readRows(pool, some)));
  const byId = new Map(
    rows.map((row) => [
      row.id,
      { ...row, createdAt: dateOf(row.createdAt), updatedAt: dateOf(row.updatedAt) },
    ]),
  );
  return new Map(
    links.flatMap(({ uuid, id }): [string, WorkloadEntity][] => {
      const workload = byId.get(id);
      return workload === undefined ? [] : [[spellings.consumers.uuidOf(uuid), workload]];
    }),
  );
}

/** Reads the topology rules of workloads as JSON, by id. @throws MemoryExceeded */
export function readTopologies(
  pool: ConsumerReader['pool'],
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const workloads = tables.selectFrom('placement_workloads').select(['id', 'topology as text']);
  return readTexts('The rules of these workloads', ids, (some) =>
    execute(pool, workloads.where('id', 'in', some)),
  );
}

function readRows(pool: ConsumerReader['pool'], ids: readonly number[]) {
  return execute(pool, WORKLOADS.where('w.id', 'in', ids));
}

/** Reads the members of workloads in their order, by the id of the workload. */
export async function readWorkloadMembers(
  { pool, spellings }: ConsumerReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly WorkloadMemberEntity[]>> {
  if (ids.length === 0) return new Map();
  const query = MEMBERS.select([
    'w.id as workloadId',
    'm.id as memberId',
    'm.name',
    'm.placement',
    'm.request_ids as requestIds',
    'c.uuid',
  ])
    .where('w.id', 'in', ids)
    .orderBy('m.position')
    .orderBy('m.id')
    .orderBy('c.id');
  const rows = await execute(pool, query);
  const idsOf = (text: string): number[] => text.split(',').map(Number);
  const bodies = await readRequests(
    pool,
    rows.flatMap(({ requestIds }) => idsOf(requestIds)),
  );
  return new Map(
    Array.from(
      groupBy(rows, ({ workloadId }) => workloadId),
      ([id, ofWorkload]) => [
        id,
        Array.from(groupBy(ofWorkload, ({ memberId }) => memberId).values(), (own) => ({
          name: own[0].name,
          placement: own[0].placement,
          texts: idsOf(own[0].requestIds).flatMap((request) => bodies.get(request) ?? []),
          consumers: [...new Set(own.map(({ uuid }) => spellings.consumers.uuidOf(uuid)))],
        })),
      ],
    ),
  );
}
