import DataLoader from 'dataloader';
import type { Database } from '../../database/database.js';
import { LARGEST_AMOUNT } from '../../domain/capacity.js';
import { groupBy } from '../groups.js';
import { byCodePoint } from '../../domain/codePointOrder.js';

export interface ProjectUsage {
  readonly project: number;
  readonly resourceClass: string;
  readonly used: number;
}

/** What the consumers of projects use, by the project's id: one statement for all that are asked for. */
export function usagesOfProjects({ pool }: Database): DataLoader<number, readonly ProjectUsage[]> {
  return new DataLoader(async (ids) => {
    const rows = await pool.query<ProjectUsage[]>(
      `SELECT c.project_id AS project, k.name AS resourceClass,
              CAST(LEAST(SUM(a.used), ${LARGEST_AMOUNT}) AS SIGNED) AS used
         FROM consumers c JOIN allocations a ON a.consumer_id = c.uuid
         JOIN resource_providers p ON p.id = a.resource_provider_id
         JOIN resource_classes k ON k.id = a.resource_class_id
        WHERE c.project_id IN (?) GROUP BY c.project_id, k.name`,
      [ids],
    );
    const byProject = groupBy(rows, ({ project }) => project);
    return ids.map((id) =>
      (byProject.get(id) ?? []).sort((a, b) => byCodePoint(a.resourceClass, b.resourceClass)),
    );
  });
}
