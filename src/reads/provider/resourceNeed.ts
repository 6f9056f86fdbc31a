import { sql } from 'kysely';
import { tables } from '../../database/statements.js';
import { capacityOf, fits } from '../../domain/capacity.js';
import type { InventoryAmounts } from '../../domain/inventoryFields.js';

/**
 * One amount that a listed provider must be able to take by itself (rule 54). SQL narrows the providers down;
 * capacityOf has the last word, because the database knows the ratio in single precision only (decision D2).
 */
export interface ResourceNeed {
  readonly classId: number;
  readonly amount: number;
}

/** An inventory and what is used of it. */
export interface Supply extends InventoryAmounts {
  readonly classId: number;
  readonly used: number;
}

/** Far above the error of single precision, far below anything that would let many rows through. */
const MARGIN = 1e-6;

/** Capacity as the database works it out, times `factor` and less `less`. */
export interface Estimate {
  readonly factor: number;
  readonly less: number;
}

/** Lets every provider through that meets the need, and perhaps a few more. */
export const AT_MOST: Estimate = { factor: 1 + MARGIN, less: 0 };
/** Lets only providers through that meet the need, though not all. */
export const AT_LEAST: Estimate = { factor: 1 - MARGIN, less: 1 };

/** The ids of providers whose inventory takes the amount (decision D1), if capacities are as estimated. */
export function providersMeeting({ classId, amount }: ResourceNeed, { factor, less }: Estimate) {
  return tables
    .selectFrom('inventories as i')
    .where('i.resource_class_id', '=', classId)
    .where('i.min_unit', '<=', amount)
    .where('i.max_unit', '>=', amount)
    .where((eb) => {
      const [total, reserved] = [eb.ref('i.total'), eb.ref('i.reserved')];
      const [step, ratio] = [eb.ref('i.step_size'), eb.ref('i.allocation_ratio')];
      const used = eb
        .selectFrom('allocations as a')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('a.used'), sql.lit(0)).as('used'))
        .whereRef('a.resource_provider_id', '=', 'i.resource_provider_id')
        .where('a.resource_class_id', '=', classId);
      return eb.and([
        eb.or([eb('i.min_unit', '=', amount), sql<boolean>`MOD(${amount}, ${step}) = 0`]),
        sql<boolean>`(${total} - ${reserved}) * (${ratio} + 0e0) * ${factor} - ${less} >= ${used} + ${amount}`,
      ]);
    })
    .select('i.resource_provider_id');
}

/** Whether these inventories of a provider meet all the needs, exactly. */
export function meetsAll(needs: readonly ResourceNeed[], supplies: readonly Supply[]): boolean {
  return needs.every(({ classId, amount }) =>
    supplies.some(({ total, reserved, allocationRatio, used, ...supply }) => {
      const { minUnit, maxUnit, stepSize } = supply;
      const capacity = capacityOf(total, reserved, allocationRatio);
      return supply.classId === classId && fits(amount, used, capacity, minUnit, maxUnit, stepSize);
    }),
  );
}
