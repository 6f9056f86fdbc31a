import { setImmediate } from 'node:timers/promises';
import { uuidOf } from '../../model/input.js';
import { rewriteCounters } from '../ledger/allocation/rewriteCounters.js';
import type { Transaction } from '../ledger/transaction.js';
import {
  columns,
  deletionFrom,
  joinedColumns,
  read,
  select,
  type Column,
  type Queryable,
} from '../sql/statements.js';
import { BEFORE_ALL, keyOf, RowRule, type AuditKey, type AuditRule, type RuleFinding } from './rule.js';

const a = columns('allocations', 'a');
const c = columns('consumers', 'c');
const p = joinedColumns('resource_providers', 'p');
const k = joinedColumns('resource_classes', 'k');
const u = columns('placement_consumptions', 'u');

/** The stored amount of each counter and consumer, and what the consumer's allocations consume, where they differ. */
const DIFFERENT = `SELECT consumer, providerId, classId, SUM(stored) AS stored, SUM(consumed) AS consumed
  FROM (SELECT ${a.consumer_id} AS consumer, ${u.counter_provider_id} AS providerId, ${u.counter_class_id} AS classId,
               0 AS stored, ${a.used} * ${u.amount} AS consumed
          FROM placement_consumptions u STRAIGHT_JOIN allocations a
            ON ${a.resource_provider_id} = ${u.provider_id} AND ${a.resource_class_id} = ${u.class_id}
        UNION ALL
        SELECT ${a.consumer_id}, ${a.resource_provider_id}, ${a.resource_class_id}, ${a.used}, 0
          FROM (SELECT ${u.counter_provider_id} AS id, ${u.counter_class_id} AS class_id FROM placement_consumptions u
                 GROUP BY ${u.counter_provider_id}, ${u.counter_class_id}) counters
          STRAIGHT_JOIN allocations a
            ON ${a.resource_provider_id} = counters.id AND ${a.resource_class_id} = counters.class_id) amounts
 GROUP BY consumer, providerId, classId HAVING SUM(stored) <> SUM(consumed)`;

const m = {
  consumer: 'm.consumer' as Column<string>,
  providerId: 'm.providerId' as Column<number>,
  missing: 'm.missing' as Column<number>,
  surplus: 'm.surplus' as Column<number>,
};
const MISSING = { ...m, provider: p.uuid, providerName: p.name, resourceClass: k.name };

class MissingConsumption extends RowRule<typeof MISSING> {
  /** Writes the missing amounts. A surplus without any missing amount stays: it may be in use. */
  readonly repair = async (tx: Transaction, keys: readonly AuditKey[]): Promise<AuditKey[]> => {
    const lacking = (await this.among(tx, keys)).filter(({ missing }) => missing > 0);
    for (const consumer of new Set(lacking.map((row) => uuidOf(row.consumer))))
      await rewriteCounters(tx, consumer);
    return lacking.map(keyOf);
  };
}

/** Consumers whose counters differ from what they consume: another program has written them. */
export const MISSING_CONSUMPTION = new MissingConsumption({
  check: 'MISSING_CONSUMPTION',
  key: [c.id, m.providerId],
  columns: MISSING,
  from: `(SELECT consumer, providerId, MIN(classId) AS classId, CAST(SUM(GREATEST(consumed - stored, 0)) AS SIGNED) AS missing,
                 CAST(SUM(GREATEST(stored - consumed, 0)) AS SIGNED) AS surplus
            FROM (${DIFFERENT}) different GROUP BY consumer, providerId) m
         STRAIGHT_JOIN consumers c ON ${c.uuid} = m.consumer
         LEFT JOIN resource_providers p ON ${p.id} = m.providerId
         LEFT JOIN resource_classes k ON ${k.id} = m.classId`,
  where: 'TRUE',
  message: ({ consumer, missing, surplus, provider, providerName, providerId, resourceClass }) => {
    const counters = `counters of provider ${providerName ?? providerId} (${provider ?? 'deleted'})`;
    const [amount, than] = missing > 0 ? [missing, 'less'] : [surplus, 'more'];
    return `consumer ${consumer} has ${amount} ${than} of ${counters} than it consumes, such as ${resourceClass ?? '?'}`;
  },
});

const g = { providerId: 'g.provider_id' as Column<number>, counters: 'g.counters' as Column<number> };

class DanglingConsumption extends RowRule<typeof g> {
  /** Deletes what the inventories of missing providers consume. Changes no provider. */
  readonly repair = async (tx: Transaction, keys: readonly AuditKey[]): Promise<AuditKey[]> => {
    const gone = (await this.among(tx, keys)).map(keyOf);
    const { provider_id } = columns('placement_consumptions');
    const ids = gone.map(([providerId]) => providerId);
    if (ids.length > 0)
      await tx.query(`${deletionFrom('placement_consumptions')} WHERE ${provider_id} IN (?)`, [ids]);
    return gone;
  };
}

/** Consumption of missing providers: a server of version 1.0 or another program has deleted these providers. */
export const DANGLING_CONSUMPTION = new DanglingConsumption({
  check: 'UNKNOWN_REFERENCE',
  key: [g.providerId],
  columns: g,
  from: `(SELECT provider_id, COUNT(*) AS counters FROM placement_consumptions GROUP BY provider_id) g
         LEFT JOIN resource_providers p ON ${p.id} = ${g.providerId}`,
  where: `${p.id} IS NULL`,
  message: ({ providerId, counters }) =>
    `inventories of provider ${providerId} consume ${counters} counters, but the provider does not exist`,
});

const o = joinedColumns('resource_providers', 'o');
const i = joinedColumns('inventories', 'i');
const PAIRS = select(
  {
    providerId: u.provider_id,
    counterProviderId: u.counter_provider_id,
    provider: `MIN(${p.uuid})` as Column<string>,
    name: `MIN(${p.name})` as Column<string | null>,
    counterName: `MIN(${o.name})` as Column<string | null>,
    counterProvider: `MIN(${o.uuid})` as Column<string | null>,
    missing: `CAST(SUM(${i.id} IS NULL) AS SIGNED)` as Column<number>,
    resourceClass: `MIN(${k.name})` as Column<string | null>,
  },
  `FROM placement_consumptions u JOIN resource_providers p ON ${p.id} = ${u.provider_id}
     LEFT JOIN resource_providers o ON ${o.id} = ${u.counter_provider_id}
     LEFT JOIN inventories i ON ${i.resource_provider_id} = ${u.counter_provider_id}
          AND ${i.resource_class_id} = ${u.counter_class_id}
     LEFT JOIN resource_classes k ON ${k.id} = ${u.class_id}
   GROUP BY ${u.provider_id}, ${u.counter_provider_id} ORDER BY ${u.provider_id}, ${u.counter_provider_id}`,
);
const r = columns('resource_providers');
const PARENTS = select({ id: r.id, parentId: r.parent_provider_id }, 'FROM resource_providers');

/** The number of providers in one time slice. */
const SLICE = 20_000;

/**
 * Finds inventories that consume a counter without an inventory, or one of a provider that is no ancestor. Nothing can be
 * allocated from them. These have no repair, because only the owner of the device knows its counters.
 */
export const LOST_COUNTER: AuditRule = {
  check: 'LOST_COUNTER',
  count: async (reader) => (await lostCounters(reader)).length,
  async find(reader, after, limit) {
    const isAfter = ([one, two]: AuditKey): boolean =>
      after === BEFORE_ALL || one > after[0] || (one === after[0] && two > after[1]);
    return (await lostCounters(reader)).filter(({ key }) => isAfter(key)).slice(0, limit);
  },
};

async function lostCounters(reader: Queryable): Promise<RuleFinding[]> {
  const pairs = await read(reader, PAIRS, []);
  if (pairs.length === 0) return [];
  const parents = new Map<number, number | null>();
  for (const [at, { id, parentId }] of (await read(reader, PARENTS, [])).entries()) {
    parents.set(id, parentId);
    if (at % SLICE === SLICE - 1) await setImmediate();
  }
  const isBelow = (id: number, ancestor: number): boolean => {
    const seen = new Set<number>();
    for (let at: number | null = id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      if (at === ancestor) return true;
      seen.add(at);
    }
    return false;
  };
  const found: RuleFinding[] = [];
  for (const [at, pair] of pairs.entries()) {
    const { providerId, counterProviderId, provider, name, counterName, counterProvider, missing } = pair;
    if (at % SLICE === SLICE - 1) await setImmediate();
    const owner = `provider ${counterName ?? counterProviderId}`;
    const why =
      counterProvider === null
        ? `${owner}, which does not exist`
        : missing > 0
          ? `${owner}, which lacks ${missing} of the inventories`
          : isBelow(providerId, counterProviderId)
            ? null
            : `${owner}, which is not above it`;
    if (why === null) continue;
    const message = `an inventory of provider ${name ?? providerId} (${provider}) consumes counters of ${why}`;
    const { resourceClass } = pair;
    found.push({ key: [providerId, counterProviderId], message, provider, consumer: null, resourceClass });
  }
  return found;
}
