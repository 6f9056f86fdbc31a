import { capacityOf, LARGEST_AMOUNT, shortestDecimal } from '../../domain/capacity.js';
import type { AuditFinding, AuditKey, AuditRule } from './rule.js';
import { DanglingRows, RowRule, type WrongRows } from './rows.js';
import { BROKEN_TREES } from './trees.js';
import { bumpConsumers, deleteConsumers, findConsumers } from '../allocation/consumerRows.js';
import type { Transaction } from '../transaction.js';

/** A row's provider: `provider` and `providerName` are null where it does not exist. */
interface ProviderPart {
  readonly providerId: number;
  readonly provider: string | null;
  readonly providerName: string | null;
}

/** A row's resource class: the name is null where it does not exist. */
interface ClassPart {
  readonly classId: number;
  readonly resourceClass: string | null;
}

const PROVIDER = 'p.uuid AS provider, p.name AS providerName';
const CLASS = 'k.name AS resourceClass';

function providerText({ providerId, provider, providerName }: ProviderPart): string {
  return provider === null ? `provider ${providerId}` : `provider ${providerName ?? ''} (${provider})`;
}

function amountText(amount: number, { classId, resourceClass }: ClassPart): string {
  return resourceClass === null ? `${amount} of resource class ${classId}` : `${amount} ${resourceClass}`;
}

/** Of several things, those that are missing, as a sentence. */
function missingText(things: readonly (readonly [name: string, found: unknown])[]): string {
  const missing = things.flatMap(([name, found]) => (found === null ? [`the ${name}`] : []));
  return `${missing.join(' and ')} ${missing.length > 1 ? 'do' : 'does'} not exist`;
}

interface UseRow extends ProviderPart, ClassPart {
  readonly used: number;
  /** Null, as the two below: the provider has no inventory of the class. */
  readonly total: number | null;
  readonly reserved: number;
  readonly ratio: number;
}

function capacityOfRow({ total, reserved, ratio }: UseRow): number {
  return total === null ? 0 : capacityOf(total, reserved, shortestDecimal(ratio));
}

/**
 * More in use than there is capacity (rules 20, 28); where there is no inventory the capacity is 0 (decision D15). The database
 * knows ratios in single precision only, so it sifts and the engine's arithmetic judges (decision D2).
 */
const OVER_CAPACITY = new RowRule<UseRow>({
  check: 'OVER_CAPACITY',
  key: ['u.providerId', 'u.classId'],
  columns: `u.providerId, u.classId, u.used, ${PROVIDER}, ${CLASS}, i.total, i.reserved, i.allocation_ratio + 0e0 AS ratio`,
  from: `(SELECT resource_provider_id AS providerId, resource_class_id AS classId,
                 CAST(LEAST(SUM(used), ${LARGEST_AMOUNT}) AS SIGNED) AS used
            FROM allocations GROUP BY resource_provider_id, resource_class_id) u
         STRAIGHT_JOIN resource_providers p ON p.id = u.providerId STRAIGHT_JOIN resource_classes k ON k.id = u.classId
         LEFT JOIN inventories i ON i.resource_provider_id = u.providerId AND i.resource_class_id = u.classId`,
  where: `u.used > COALESCE((i.total - i.reserved) * (i.allocation_ratio + 0e0)
                            * IF(i.allocation_ratio = FLOOR(i.allocation_ratio), 1, 1 - 1e-6), 0)`,
  isWrong: (row) => row.used > capacityOfRow(row),
  finding: (row) => ({
    message:
      `${amountText(row.used, row)} of ${providerText(row)} are in use; ` +
      (row.total === null ? 'it has no inventory of that' : `its capacity is ${capacityOfRow(row)}`),
    provider: row.provider,
    consumer: null,
    resourceClass: row.resourceClass,
  }),
});

interface AllocationRow extends ProviderPart, ClassPart {
  readonly consumer: string;
  readonly used: number;
}

function takes(row: AllocationRow): string {
  return `consumer ${row.consumer} takes ${amountText(row.used, row)} of ${providerText(row)}`;
}

/** Amounts that could not be claimed like this any more, because minUnit, maxUnit or stepSize say otherwise (decision D1). */
const UNIT_VIOLATION = new RowRule<
  AllocationRow & { readonly minUnit: number; readonly maxUnit: number; readonly stepSize: number }
>({
  check: 'UNIT_VIOLATION',
  key: ['a.id'],
  columns: `a.resource_provider_id AS providerId, a.resource_class_id AS classId, a.consumer_id AS consumer, a.used,
            ${PROVIDER}, ${CLASS}, i.min_unit AS minUnit, i.max_unit AS maxUnit, i.step_size AS stepSize`,
  from: `inventories i
         STRAIGHT_JOIN allocations a
           ON a.resource_provider_id = i.resource_provider_id AND a.resource_class_id = i.resource_class_id
         STRAIGHT_JOIN resource_providers p ON p.id = a.resource_provider_id
         STRAIGHT_JOIN resource_classes k ON k.id = a.resource_class_id`,
  where: `a.used NOT BETWEEN i.min_unit AND i.max_unit
          OR (a.used <> i.min_unit AND COALESCE(MOD(a.used, i.step_size), 1) <> 0)`,
  finding: (row) => ({
    message: `${takes(row)}, where minUnit is ${row.minUnit}, maxUnit ${row.maxUnit} and stepSize ${row.stepSize}`,
    provider: row.provider,
    consumer: row.consumer,
    resourceClass: row.resourceClass,
  }),
});

/** Allocations of, by or from something that does not exist. Mending them moves consumers that stay one generation further. */
const DANGLING_ALLOCATION = new DanglingRows<
  AllocationRow & { readonly consumerId: number | null; readonly consumerGeneration: number }
>(
  {
    check: 'DANGLING_ALLOCATION',
    key: ['a.id'],
    columns: `a.resource_provider_id AS providerId, a.resource_class_id AS classId, a.consumer_id AS consumer, a.used,
              ${PROVIDER}, ${CLASS}, c.id AS consumerId, c.generation AS consumerGeneration`,
    from: `allocations a LEFT JOIN resource_providers p ON p.id = a.resource_provider_id
           LEFT JOIN consumers c ON c.uuid = a.consumer_id LEFT JOIN resource_classes k ON k.id = a.resource_class_id`,
    where: 'p.id IS NULL OR c.id IS NULL OR k.id IS NULL',
    finding: (row) => ({
      message: `${takes(row)}, but ${missingText([
        ['provider', row.provider],
        ['consumer', row.consumerId],
        ['resource class', row.resourceClass],
      ])}`,
      provider: row.provider,
      consumer: row.consumer,
      resourceClass: row.resourceClass,
    }),
  },
  'allocations',
  ['id'],
  (tx, rows, now) => {
    const consumers = new Map(
      rows.flatMap(({ consumerId: id, consumerGeneration: generation }) =>
        id === null ? [] : [[id, { id, generation }]],
      ),
    );
    bumpConsumers(tx, [...consumers.values()], now);
  },
);

interface ConsumerRow {
  readonly consumer: string;
}

class EmptyConsumers extends RowRule<ConsumerRow> {
  /** A consumer without allocations does not exist (rule 82). */
  readonly mend = async (tx: Transaction, keys: readonly AuditKey[]): Promise<AuditKey[]> => {
    const seen = await this.among(tx, keys);
    const consumers = await findConsumers(
      tx,
      seen.map(({ consumer }) => consumer),
    );
    // once more, because what is judged must not be older than the generations
    const empty = (await this.among(tx, keys)).filter(({ consumer }) => consumers.has(consumer));
    deleteConsumers(
      tx,
      empty.map(({ consumer }) => consumers.get(consumer)!),
    );
    return empty.map(({ key1, key2 }): AuditKey => [key1, key2]);
  };
}

const EMPTY_CONSUMER = new EmptyConsumers({
  check: 'EMPTY_CONSUMER',
  key: ['c.id'],
  columns: 'c.uuid AS consumer',
  from: 'consumers c LEFT JOIN allocations a ON a.consumer_id = c.uuid',
  where: 'a.id IS NULL',
  finding: ({ consumer }) => ({
    message: `consumer ${consumer} has no allocations`,
    provider: null,
    consumer,
    resourceClass: null,
  }),
});

const INVENTORIES = new DanglingRows<ProviderPart & ClassPart & { readonly total: number }>(
  {
    check: 'UNKNOWN_REFERENCE',
    key: ['i.id'],
    columns: `i.resource_provider_id AS providerId, i.resource_class_id AS classId, i.total, ${PROVIDER}, ${CLASS}`,
    from: `inventories i LEFT JOIN resource_providers p ON p.id = i.resource_provider_id
           LEFT JOIN resource_classes k ON k.id = i.resource_class_id`,
    where: 'p.id IS NULL OR k.id IS NULL',
    finding: (row) => ({
      message: `${providerText(row)} has an inventory of ${amountText(row.total, row)}, but ${missingText([
        ['provider', row.provider],
        ['resource class', row.resourceClass],
      ])}`,
      provider: row.provider,
      consumer: null,
      resourceClass: row.resourceClass,
    }),
  },
  'inventories',
  ['id'],
);

type LinkRow = ProviderPart & { readonly otherId: number; readonly other: string | null };

/** Traits or aggregates of providers. */
function links(table: string, column: string, target: string, name: string, what: string): AuditRule {
  const wrong: WrongRows<LinkRow> = {
    check: 'UNKNOWN_REFERENCE',
    key: ['m.resource_provider_id', `m.${column}`],
    columns: `m.resource_provider_id AS providerId, m.${column} AS otherId, o.${name} AS other, ${PROVIDER}`,
    from: `${table} m LEFT JOIN resource_providers p ON p.id = m.resource_provider_id
           LEFT JOIN ${target} o ON o.id = m.${column}`,
    where: 'p.id IS NULL OR o.id IS NULL',
    finding: (row): Omit<AuditFinding, 'key'> => ({
      message: `${providerText(row)} has the ${what} ${row.other ?? row.otherId}, but ${missingText([
        ['provider', row.provider],
        [what, row.other],
      ])}`,
      provider: row.provider,
      consumer: null,
      resourceClass: null,
    }),
  };
  return new DanglingRows(wrong, table, ['resource_provider_id', column]);
}

const TRAITS = links('resource_provider_traits', 'trait_id', 'traits', 'name', 'trait');
const AGGREGATES = links(
  'resource_provider_aggregates',
  'aggregate_id',
  'placement_aggregates',
  'uuid',
  'aggregate',
);

interface OwnedRow extends ConsumerRow {
  readonly project: number | null;
  readonly user: number | null;
  readonly type: number | null;
}

/** Whose a consumer is cannot be made up, so these are not mended. */
const OWNERS = new RowRule<OwnedRow>({
  check: 'UNKNOWN_REFERENCE',
  key: ['c.id'],
  columns: `c.uuid AS consumer, q.id AS project, u.id AS user, IF(c.consumer_type_id IS NULL, 0, t.id) AS type`,
  from: `consumers c LEFT JOIN projects q ON q.id = c.project_id LEFT JOIN users u ON u.id = c.user_id
         LEFT JOIN consumer_types t ON t.id = c.consumer_type_id`,
  where: 'q.id IS NULL OR u.id IS NULL OR (t.id IS NULL AND c.consumer_type_id IS NOT NULL)',
  finding: ({ consumer, project, user, type }) => ({
    message: `consumer ${consumer} has an owner of whom nothing is known: ${missingText([
      ['project', project],
      ['user', user],
      ['consumer type', type],
    ])}`,
    provider: null,
    consumer,
    resourceClass: null,
  }),
});

/** Every rule, in the order of findings: the rules of a check are neighbours. */
export const AUDIT_RULES: readonly AuditRule[] = [
  OVER_CAPACITY,
  UNIT_VIOLATION,
  DANGLING_ALLOCATION,
  EMPTY_CONSUMER,
  BROKEN_TREES,
  INVENTORIES,
  TRAITS,
  AGGREGATES,
  OWNERS,
];
