import DataLoader from 'dataloader';
import type { ReadableDatabase } from '../../database/database.js';
import { list, read, statement, tables } from '../../database/statements.js';
import { byCodePoint } from '../../domain/codePointOrder.js';
import { groupBy } from '../groups.js';
import { checkCursor } from '../paging/cursors.js';
import { connectionOf, orderOfNames, type Connection, type Page } from '../paging/paging.js';
import { sumOf } from '../sums.js';

export interface Project {
  readonly id: number;
  readonly externalId: string;
}

export const ORDER_OF_PROJECTS = orderOfNames(({ externalId }: Project) => externalId);

/** One page of all projects, or of the one that is given. */
export async function listProjects(
  database: ReadableDatabase,
  only: string | null,
  page: Page<string>,
): Promise<Connection<Project>> {
  await checkCursor(database, 'projects', page);
  const { prisma } = database;
  const one = only !== null && { equals: only };
  const found = await prisma.project.findMany({
    where: { externalId: { gt: page.after ?? '', ...one } },
    select: { id: true, externalId: true },
    orderBy: { externalId: 'asc' },
    take: page.size + 1,
  });
  return connectionOf(ORDER_OF_PROJECTS, page, found, () =>
    prisma.project.count({ where: { externalId: { gt: '', ...one } } }),
  );
}

export interface ProjectUsage {
  readonly project: number;
  readonly resourceClass: string;
  readonly used: number;
}

const USAGES = statement(
  tables
    .selectFrom('consumers as c')
    .innerJoin('allocations as a', 'a.consumer_id', 'c.uuid')
    .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
    .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
    .where('c.project_id', 'in', list<number>())
    .groupBy(['c.project_id', 'k.name'])
    .select((eb) => [
      'c.project_id as project',
      'k.name as resourceClass',
      sumOf(eb.ref('a.used')).as('used'),
    ]),
);

/** What the consumers of projects use, by the project's id: one statement for all that are asked for. */
export function usagesOfProjects({ pool }: ReadableDatabase): DataLoader<number, readonly ProjectUsage[]> {
  return new DataLoader(async (ids) => {
    const byProject = groupBy(await read(pool, USAGES, [ids]), ({ project }) => project);
    return ids.map((id) =>
      (byProject.get(id) ?? []).sort((a, b) => byCodePoint(a.resourceClass, b.resourceClass)),
    );
  });
}
