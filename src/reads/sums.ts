import { sql, type Expression, type RawBuilder } from 'kysely';
import { LARGEST_AMOUNT } from '../domain/capacity.js';

/** A sum of amounts that saturates (decision D2); of none at all 0. */
export function sumOf(amounts: Expression<number>): RawBuilder<number> {
  return sql`CAST(LEAST(COALESCE(SUM(${amounts}), 0), ${sql.lit(LARGEST_AMOUNT)}) AS SIGNED)`;
}
