import DataLoader from 'dataloader';
import type { ReadableDatabase } from '../../database/database.js';
import { list, read, statement, tables } from '../../database/statements.js';
import { byCodePoint } from '../../domain/codePointOrder.js';
import { groupBy } from '../groups.js';
import { sumOf } from '../sums.js';

export interface OwnerUsage {
  /** The id of the project or user. */
  readonly owner: number;
  readonly resourceClass: string;
  readonly used: number;
}

const usagesBy = (owner: 'project_id' | 'user_id') =>
  statement(
    tables
      .selectFrom('consumers as c')
      .innerJoin('allocations as a', 'a.consumer_id', 'c.uuid')
      .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
      .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
      .where(`c.${owner}`, 'in', list<number>())
      .groupBy([`c.${owner}`, 'k.name'])
      .select((eb) => [
        eb.ref(`c.${owner}`).as('owner'),
        'k.name as resourceClass',
        sumOf(eb.ref('a.used')).as('used'),
      ]),
  );

const USAGES = { project_id: usagesBy('project_id'), user_id: usagesBy('user_id') };

/** What the consumers of projects, or of users, use, by the owner's id: one statement for all that are asked for. */
export function usagesOfOwners(
  { pool }: ReadableDatabase,
  owner: keyof typeof USAGES,
): DataLoader<number, readonly OwnerUsage[]> {
  return new DataLoader(async (ids) => {
    const byOwner = groupBy(await read(pool, USAGES[owner], [ids]), (usage) => usage.owner);
    return ids.map((id) =>
      (byOwner.get(id) ?? []).sort((a, b) => byCodePoint(a.resourceClass, b.resourceClass)),
    );
  });
}
