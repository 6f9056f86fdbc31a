import { sql, type InferResult } from 'kysely';
import { tables } from '../../database/statements.js';

/**
 * The consumers `c` with the names of their project, user and type: where every statement begins that gives
 * consumers. Missing owners are allowed for, which Prisma does not do.
 */
export const CONSUMERS = tables
  .selectFrom('consumers as c')
  .leftJoin('projects', 'projects.id', 'c.project_id')
  .leftJoin('users', 'users.id', 'c.user_id')
  .leftJoin('consumer_types', 'consumer_types.id', 'c.consumer_type_id')
  .select(({ fn }) => [
    'c.id',
    'c.uuid',
    'c.generation',
    'c.created_at as createdAt',
    'c.updated_at as updatedAt',
    'consumer_types.name as consumerType',
    fn.coalesce('projects.external_id', sql.lit('')).as('projectId'),
    fn.coalesce('users.external_id', sql.lit('')).as('userId'),
  ]);

export type ConsumerRow = InferResult<typeof CONSUMERS>[number];
