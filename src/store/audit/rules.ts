import { allowedUsageOf, shortestDecimal, uuidOf } from '../../model/input.js';
import { ON_SEVERAL_TREES } from '../sql/severalTrees.js';
import {
  columns,
  deletionFrom,
  joinedColumns,
  statement,
  type Column,
  type RowOf,
} from '../sql/statements.js';
import { DanglingRows, keyOf, RowRule, type AuditKey, type AuditRule } from './rule.js';
import { UUID_SPELLING } from './spellings.js';
import { BROKEN_TREES } from './trees.js';
import { kindSet } from '../../model/recordedChanges.js';
import { DANGLING_CONSUMPTION, LOST_COUNTER, MISSING_CONSUMPTION } from './consumption.js';
import { QUOTA_USAGES } from './quotas.js';
import { bumpConsumers, deleteConsumers } from '../ledger/allocation/consumerRows.js';
import type { Versioned } from '../ledger/provider/providerRows.js';
import { exactRatio, usedSum } from '../ledger/allocation/allocationRows.js';
import type { LinkTable } from '../ledger/provider/links.js';
import type { Transaction } from '../ledger/transaction.js';

const p = joinedColumns('resource_providers', 'p');
const k = joinedColumns('resource_classes', 'k');
const i = columns('inventories', 'i');
const a = columns('allocations', 'a');
const c = columns('consumers', 'c');

/** The provider and the name of the resource class of a row. Null if they do not exist. */
const PROVIDER = { provider: p.uuid, providerName: p.name };
const NAMED = { ...PROVIDER, resourceClass: k.name };
type NamedRow = RowOf<typeof NAMED> & { readonly providerId: number; readonly classId: number };

function providerText(row: Pick<NamedRow, 'providerId' | 'provider' | 'providerName'>): string {
  const { providerId, provider, providerName } = row;
  return provider === null ? `provider ${providerId}` : `provider ${providerName ?? ''} (${provider})`;
}

function amountText(amount: number, { classId, resourceClass }: NamedRow): string {
  return resourceClass === null ? `${amount} of resource class ${classId}` : `${amount} ${resourceClass}`;
}

/** Returns a clause that names the missing objects: those that are null, by their names. */
function missingText(objects: Readonly<Record<string, unknown>>): string {
  const missing = Object.entries(objects).flatMap(([name, found]) => (found === null ? [`the ${name}`] : []));
  return `${missing.join(' and ')} ${missing.length > 1 ? 'do' : 'does'} not exist`;
}

const u = {
  providerId: 'u.providerId' as Column<number>,
  classId: 'u.classId' as Column<number>,
  used: 'u.used' as Column<number>,
};
const j = joinedColumns('inventories', 'i');
const USAGE = {
  ...u,
  ...NAMED,
  /** Null, like the next two, if the provider has no inventory of the class. */
  total: j.total,
  reserved: j.reserved,
  ratio: exactRatio(j.allocation_ratio),
};

function allowedUsageOfRow({ total, reserved, ratio }: RowOf<typeof USAGE>): number {
  return total === null ? 0 : allowedUsageOf(total, reserved ?? 0, shortestDecimal(ratio ?? 0));
}

function offerText(row: RowOf<typeof USAGE>): string {
  if (row.total === null) return 'it has no inventory of that';
  const allowed = allowedUsageOfRow(row);
  return row.total === row.reserved ? `its total is ${allowed}, all reserved` : `its capacity is ${allowed}`;
}

/**
 * Usage above capacity (rules 20, 28; decision D23). Without an inventory the capacity is 0 (decision D15). The
 * database stores ratios only in single precision. So it preselects, and exact decimal arithmetic
 * decides (decision D2).
 */
const OVER_CAPACITY = new RowRule({
  check: 'OVER_CAPACITY',
  key: [u.providerId, u.classId],
  columns: USAGE,
  from: `(SELECT ${a.resource_provider_id} AS providerId, ${a.resource_class_id} AS classId, ${usedSum(a.used)} AS used
            FROM allocations a GROUP BY ${a.resource_provider_id}, ${a.resource_class_id}) u
         STRAIGHT_JOIN resource_providers p ON ${p.id} = u.providerId
         STRAIGHT_JOIN resource_classes k ON ${k.id} = u.classId
         LEFT JOIN inventories i
           ON ${i.resource_provider_id} = u.providerId AND ${i.resource_class_id} = u.classId`,
  where: `u.used > COALESCE((${i.total} - ${i.reserved}) * (${exactRatio(i.allocation_ratio)})
                            * IF(${i.allocation_ratio} = FLOOR(${i.allocation_ratio}), 1, 1 - 1e-6), 0)`,
  isWrong: (row) => row.used > allowedUsageOfRow(row),
  message: (row) => `${amountText(row.used, row)} of ${providerText(row)} are in use; ${offerText(row)}`,
});

const ALLOCATION = {
  providerId: a.resource_provider_id,
  classId: a.resource_class_id,
  consumer: a.consumer_id,
  used: a.used,
  ...NAMED,
};

function takes(row: RowOf<typeof ALLOCATION>): string {
  return `consumer ${row.consumer} takes ${amountText(row.used, row)} of ${providerText(row)}`;
}

/** Amounts that violate minUnit, maxUnit or stepSize (decision D1). */
const UNIT_VIOLATION = new RowRule({
  check: 'UNIT_VIOLATION',
  key: [a.id],
  columns: { ...ALLOCATION, minUnit: i.min_unit, maxUnit: i.max_unit, stepSize: i.step_size },
  from: `inventories i
         STRAIGHT_JOIN allocations a ON ${a.resource_provider_id} = ${i.resource_provider_id}
           AND ${a.resource_class_id} = ${i.resource_class_id}
         STRAIGHT_JOIN resource_providers p ON ${p.id} = ${a.resource_provider_id}
         STRAIGHT_JOIN resource_classes k ON ${k.id} = ${a.resource_class_id}`,
  where: `${a.used} NOT BETWEEN ${i.min_unit} AND ${i.max_unit}
          OR (${a.used} <> ${i.min_unit} AND COALESCE(MOD(${a.used}, ${i.step_size}), 1) <> 0)`,
  message: (row) =>
    `${takes(row)}, where minUnit is ${row.minUnit}, maxUnit ${row.maxUnit} and stepSize ${row.stepSize}`,
});

const d = joinedColumns('consumers', 'c');

/** Allocations with a dangling reference. The repair bumps consumers that stay. */
const DANGLING_ALLOCATION = new DanglingRows(
  {
    check: 'DANGLING_ALLOCATION',
    key: [a.id],
    columns: { ...ALLOCATION, consumerId: d.id, consumerGeneration: d.generation },
    from: `allocations a LEFT JOIN resource_providers p ON ${p.id} = ${a.resource_provider_id}
           LEFT JOIN consumers c ON ${d.uuid} = ${a.consumer_id}
           LEFT JOIN resource_classes k ON ${k.id} = ${a.resource_class_id}`,
    where: `${p.id} IS NULL OR ${d.id} IS NULL OR ${k.id} IS NULL`,
    message: (row) => {
      const { provider, consumerId: consumer, resourceClass } = row;
      return `${takes(row)}, but ${missingText({ provider, consumer, 'resource class': resourceClass })}`;
    },
  },
  'allocations',
  kindSet('USAGE'),
  (tx, rows) => {
    const consumers = new Map<number, Versioned>();
    for (const { consumerId: id, consumerGeneration: generation } of rows)
      if (id !== null && generation !== null) consumers.set(id, { id, generation });
    bumpConsumers(tx, [...consumers.values()]);
  },
);

const CONSUMER = { consumer: c.uuid };

const VERSIONED = { ...CONSUMER, generation: c.generation, projectId: c.project_id };

class EmptyConsumers extends RowRule<typeof VERSIONED> {
  /** Deletes consumers without allocations, because they must not exist (rule 82). */
  readonly repair = async (tx: Transaction, keys: readonly AuditKey[]): Promise<AuditKey[]> => {
    const empty = await this.among(tx, keys);
    const rows = empty.map(({ key1: id, consumer, ...row }) => ({ ...row, id, uuid: uuidOf(consumer) }));
    deleteConsumers(tx, rows);
    return empty.map(keyOf);
  };
}

const EMPTY_CONSUMER = new EmptyConsumers({
  check: 'EMPTY_CONSUMER',
  key: [c.id],
  columns: VERSIONED,
  from: `consumers c LEFT JOIN allocations a ON ${a.consumer_id} = ${c.uuid}`,
  where: `${a.id} IS NULL`,
  message: ({ consumer }) => `consumer ${consumer} has no allocations`,
});

const INVENTORIES = new DanglingRows(
  {
    check: 'UNKNOWN_REFERENCE',
    key: [i.id],
    columns: { providerId: i.resource_provider_id, classId: i.resource_class_id, total: i.total, ...NAMED },
    from: `inventories i LEFT JOIN resource_providers p ON ${p.id} = ${i.resource_provider_id}
           LEFT JOIN resource_classes k ON ${k.id} = ${i.resource_class_id}`,
    where: `${p.id} IS NULL OR ${k.id} IS NULL`,
    message: (row) => {
      const missing = missingText({ provider: row.provider, 'resource class': row.resourceClass });
      return `${providerText(row)} has an inventory of ${amountText(row.total, row)}, but ${missing}`;
    },
  },
  'inventories',
  kindSet('INVENTORY'),
);

/** Traits or aggregates of providers: `column` of `table` refers to `target`, whose rows have `name`. */
function links(
  table: LinkTable,
  column: Column<number>,
  target: 'traits' | 'placement_aggregates',
  name: 'name' | 'uuid',
): AuditRule {
  const what = target === 'traits' ? 'trait' : 'aggregate';
  const { resource_provider_id: providerId } = columns(table);
  const m = { providerId: `m.${providerId}` as Column<number>, otherId: `m.${column}` as Column<number> };
  const o = { id: `o.${columns(target).id}`, name: `o.${name}` as Column<string | null> };
  return new DanglingRows(
    {
      check: 'UNKNOWN_REFERENCE',
      key: [m.providerId, m.otherId],
      columns: { ...m, other: o.name, ...PROVIDER },
      from: `${table} m LEFT JOIN resource_providers p ON ${p.id} = ${m.providerId}
             LEFT JOIN ${target} o ON ${o.id} = ${m.otherId}`,
      where: `${p.id} IS NULL OR ${o.id} IS NULL`,
      message: (row) => {
        const missing = missingText({ provider: row.provider, [what]: row.other });
        return `${providerText(row)} has the ${what} ${row.other ?? row.otherId}, but ${missing}`;
      },
    },
    table,
    kindSet(target === 'traits' ? 'TRAITS' : 'AGGREGATES'),
  );
}

const { trait_id } = columns('resource_provider_traits');
const { aggregate_id } = columns('resource_provider_aggregates');

const q = joinedColumns('projects', 'q');
const w = joinedColumns('users', 'w');
const t = joinedColumns('consumer_types', 't');

/** Consumers with a dangling owner or type. These have no repair, because the owner is unknown. */
const OWNERS = new RowRule({
  check: 'UNKNOWN_REFERENCE',
  key: [c.id],
  columns: {
    ...CONSUMER,
    project: q.id,
    user: w.id,
    type: `IF(${c.consumer_type_id} IS NULL, 0, ${t.id})` as Column<number | null>,
  },
  from: `consumers c LEFT JOIN projects q ON ${q.id} = ${c.project_id} LEFT JOIN users w ON ${w.id} = ${c.user_id}
         LEFT JOIN consumer_types t ON ${t.id} = ${c.consumer_type_id}`,
  where: `${q.id} IS NULL OR ${w.id} IS NULL OR (${t.id} IS NULL AND ${c.consumer_type_id} IS NOT NULL)`,
  message: ({ consumer, project, user, type }) =>
    `consumer ${consumer} has a dangling reference: ${missingText({ project, user, 'consumer type': type })}`,
});

const g = {
  providerId: 'g.provider_id' as Column<number>,
  parts: 'g.parts' as Column<number>,
  owner: 'g.owner' as Column<string>,
};

class DanglingOwnerships extends RowRule<typeof g> {
  /** Deletes the owners of missing providers. Changes no provider. */
  readonly repair = async (tx: Transaction, keys: readonly AuditKey[]): Promise<AuditKey[]> => {
    const gone = (await this.among(tx, keys)).map(keyOf);
    const ids = gone.map(([providerId]) => providerId);
    const { provider_id } = columns('placement_ownerships');
    if (ids.length > 0)
      await tx.query(`${deletionFrom('placement_ownerships')} WHERE ${provider_id} IN (?)`, [ids]);
    return gone;
  };
}

/** Owners of missing providers: a server of version 1.0 or another program has deleted these providers. */
const OWNERSHIPS = new DanglingOwnerships({
  check: 'UNKNOWN_REFERENCE',
  key: [g.providerId],
  columns: g,
  from: `(SELECT provider_id, COUNT(*) AS parts, MIN(owner) AS owner FROM placement_ownerships
           GROUP BY provider_id) g LEFT JOIN resource_providers p ON ${p.id} = ${g.providerId}`,
  where: `${p.id} IS NULL`,
  message: ({ providerId, parts, owner }) =>
    `${owner} owns ${parts} parts of provider ${providerId}, but the provider does not exist`,
});

const m = {
  consumer: 'm.uuid' as Column<string>,
  firstRoot: 'm.firstRoot' as Column<number>,
  lastRoot: 'm.lastRoot' as Column<number>,
};
const o = joinedColumns('resource_providers', 'o');

/** Consumers in several trees. These have no repair, because only an operator knows where a consumer runs. */
const SEVERAL_TREES = new RowRule({
  check: 'SEVERAL_TREES',
  key: [c.id],
  columns: { ...m, first: p.uuid, firstName: p.name, last: o.uuid, lastName: o.name },
  from: `(${statement(ON_SEVERAL_TREES).text}) m STRAIGHT_JOIN consumers c ON ${c.uuid} = ${m.consumer}
         LEFT JOIN resource_providers p ON ${p.id} = ${m.firstRoot}
         LEFT JOIN resource_providers o ON ${o.id} = ${m.lastRoot}`,
  where: 'TRUE',
  message: (row) => {
    const first = { providerId: row.firstRoot, provider: row.first, providerName: row.firstName };
    const last = { providerId: row.lastRoot, provider: row.last, providerName: row.lastName };
    return (
      `consumer ${row.consumer} has allocations in several trees, ` +
      `such as those of ${providerText(first)} and ${providerText(last)}`
    );
  },
});

const remembered = columns('placement_consumer_requests', 'remembered');

class LostRequests extends RowRule<{ readonly id: Column<number> }> {
  /** Deletes the rows: another program has deleted the consumer, or an older server. */
  readonly repair = async (tx: Transaction, keys: readonly AuditKey[]): Promise<AuditKey[]> => {
    const lost = await this.among(tx, keys);
    const ids = lost.map(({ key1 }) => key1);
    const { consumer_id: id } = columns('placement_consumer_requests');
    if (ids.length > 0)
      tx.send(`${deletionFrom('placement_consumer_requests')} WHERE ${id} IN (?) ORDER BY ${id}`, [ids]);
    return lost.map(keyOf);
  };
}

const LOST_REQUEST = new LostRequests({
  check: 'LOST_REQUEST',
  key: [remembered.consumer_id],
  columns: { id: remembered.consumer_id },
  from: `placement_consumer_requests remembered LEFT JOIN consumers c ON ${c.id} = ${remembered.consumer_id}`,
  where: `${c.id} IS NULL`,
  message: ({ id }) => `a request is remembered for the consumer with the id ${id}, which does not exist`,
});

/** Every rule, in the order of findings: the rules of a check are neighbours. */
export const AUDIT_RULES: readonly AuditRule[] = [
  OVER_CAPACITY,
  UNIT_VIOLATION,
  DANGLING_ALLOCATION,
  EMPTY_CONSUMER,
  BROKEN_TREES,
  INVENTORIES,
  links('resource_provider_traits', trait_id, 'traits', 'name'),
  links('resource_provider_aggregates', aggregate_id, 'placement_aggregates', 'uuid'),
  OWNERS,
  OWNERSHIPS,
  DANGLING_CONSUMPTION,
  UUID_SPELLING,
  SEVERAL_TREES,
  LOST_COUNTER,
  MISSING_CONSUMPTION,
  ...QUOTA_USAGES,
  LOST_REQUEST,
];
