import { sql } from 'kysely';
import { SHARING_TRAIT } from '../../model/provider.js';
import { tables } from './statements.js';

/**
 * The consumers with allocations in several trees, and the roots of two of these. Sharing providers do not count, nor
 * those without a stored root. No claim places a consumer in this way (rule 153).
 */
export const ON_SEVERAL_TREES = tables
  .selectFrom('allocations as a')
  .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
  .where((eb) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom('resource_provider_traits as s')
          .innerJoin('traits as t', 't.id', 's.trait_id')
          .where('t.name', '=', sql.lit(SHARING_TRAIT))
          .whereRef('s.resource_provider_id', '=', 'p.id')
          .select('s.trait_id'),
      ),
    ),
  )
  .select(['a.consumer_id as uuid'])
  .select(({ fn }) => [
    fn.min<number>('p.root_provider_id').as('firstRoot'),
    fn.max<number>('p.root_provider_id').as('lastRoot'),
  ])
  .groupBy('a.consumer_id')
  .having(sql<boolean>`firstRoot <> lastRoot`);
