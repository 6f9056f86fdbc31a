import { capacityOf, fits } from '../../domain/capacity.js';
import { sql, type Sql } from '../../reads/sql.js';

/**
 * One amount that a listed provider must be able to take by itself (rule 54). SQL narrows the rows down; the last
 * word has the engine's arithmetic, because the database knows the ratio in single precision only (decision D2).
 */
export interface ResourceNeed {
  /** JOIN clause for the provider alias `p`: an inventory whose units take the amount (decision D1). */
  readonly join: Sql;
  /** Select list: what {@link isMet} looks at. */
  readonly columns: Sql;
  /** True of every row that meets the need, and perhaps of a few more. */
  readonly mayBeMet: Sql;
  /** True only of rows that meet the need, though not of all. */
  readonly isSurelyMet: Sql;
  isMet(row: Readonly<Record<string, unknown>>): boolean;
}

/** Far above the error of single precision, far below anything that would let many rows through. */
const MARGIN = 1e-6;

export function needOf(alias: string, classId: number, amount: number): ResourceNeed {
  const used =
    '(SELECT COALESCE(SUM(a.used), 0) FROM allocations a ' +
    'WHERE a.resource_provider_id = p.id AND a.resource_class_id = ?)';
  const capacity = `(${alias}.total - ${alias}.reserved) * (${alias}.allocation_ratio + 0e0)`;
  return {
    join: sql(
      `JOIN inventories ${alias} ON ${alias}.resource_provider_id = p.id AND ${alias}.resource_class_id = ? ` +
        `AND ? BETWEEN ${alias}.min_unit AND ${alias}.max_unit ` +
        `AND (${alias}.min_unit = ? OR MOD(?, ${alias}.step_size) = 0)`,
      classId,
      amount,
      amount,
      amount,
    ),
    columns: sql(
      `${alias}.total AS ${alias}total, ${alias}.reserved AS ${alias}reserved, ` +
        `${alias}.allocation_ratio + 0e0 AS ${alias}ratio, ${alias}.min_unit AS ${alias}min, ` +
        `${alias}.max_unit AS ${alias}max, ${alias}.step_size AS ${alias}step, ${used} AS ${alias}used`,
      classId,
    ),
    mayBeMet: sql(`${capacity} * ${1 + MARGIN} >= ${used} + ?`, classId, amount),
    isSurelyMet: sql(`${capacity} * ${1 - MARGIN} - 1 >= ${used} + ?`, classId, amount),
    isMet: (row) => {
      const value = (column: string) => Number(row[alias + column]);
      const exact = capacityOf(value('total'), value('reserved'), value('ratio'));
      return fits(amount, value('used'), exact, value('min'), value('max'), value('step'));
    },
  };
}
