import DataLoader from 'dataloader';
import type { Database } from '../../database/database.js';

/**
 * How many consumers a project has, by its id: one statement, on an index alone, for all that are asked for.
 */
export function consumerCountsOfProjects({ prisma }: Database): DataLoader<number, number> {
  return new DataLoader(async (ids) => {
    const rows = await prisma.consumer.groupBy({
      by: 'projectId',
      where: { projectId: { in: [...ids] } },
      _count: true,
    });
    const byId = new Map(rows.map(({ projectId, _count }) => [projectId, _count]));
    return ids.map((id) => byId.get(id) ?? 0);
  });
}

/** The same of consumer types. */
export function consumerCountsOfTypes({ prisma }: Database): DataLoader<number, number> {
  return new DataLoader(async (ids) => {
    const rows = await prisma.consumer.groupBy({
      by: 'typeId',
      where: { typeId: { in: [...ids] } },
      _count: true,
    });
    const byId = new Map(rows.map(({ typeId, _count }) => [typeId, _count]));
    return ids.map((id) => byId.get(id) ?? 0);
  });
}
