import type { Database } from '../../database/database.js';
import { LARGEST_AMOUNT } from '../../domain/capacity.js';
import { checkExternalId } from '../../ledger/allocation/allocationInput.js';
import { builder } from '../builder.js';
import { CONSUMER_OWNERS } from '../../reads/consumer/consumerSource.js';
import { ALL, checkConsumerType, UNKNOWN } from './consumerTypeFilter.js';
import { costOfList } from '../cost.js';
import { groupBy } from '../../reads/groups.js';
import { byCodePoint } from '../../domain/codePointOrder.js';
import { allOf, sql, type Sql } from '../../reads/sql.js';
import { Usage } from '../provider/usage.js';

interface Asked {
  readonly projectId: string;
  readonly userId?: string | null;
  readonly consumerType?: string | null;
}

interface TypeUsage {
  /** Null: untyped. */
  readonly consumerType: string | null;
  readonly consumerCount: number;
  readonly usages: readonly { readonly resourceClass: string; readonly used: number }[];
}

const ConsumerTypeUsage = builder.objectRef<TypeUsage>('ConsumerTypeUsage').implement({
  description: 'How much the consumers of one type use, or those of all types together.',
  fields: (t) => ({
    consumerType: t.exposeString('consumerType', {
      nullable: true,
      description: `The type; null for consumers whose type is unknown; "${ALL}" for the group of all, if that was asked for.`,
    }),
    consumerCount: t.exposeInt('consumerCount', { description: 'How many consumers that are.' }),
    usages: t.field({
      type: [Usage],
      description:
        'How much they use together of each class that any of them uses, by the name of the class.',
      resolve: ({ usages }) => usages,
    }),
  }),
});

builder.queryField('usages', (t) =>
  t.field({
    type: [ConsumerTypeUsage],
    nullable: true,
    complexity: costOfList(3),
    description:
      'How much the consumers of a project use on all providers together, grouped by their type: by name, those of ' +
      'unknown type last. Only types that use something are listed, so nothing is an empty list. An id or type that no ' +
      'consumer can have is INVALID_INPUT.',
    args: {
      projectId: t.arg.string({ required: true, description: 'The project.' }),
      userId: t.arg.string({ description: 'Only consumers of this user; without it, of all users.' }),
      consumerType: t.arg.string({
        description:
          `Only consumers of this type. "${UNKNOWN}": only those without a type. "${ALL}": one group for all types, ` +
          'known or not. Without it: a group for each type.',
      }),
    },
    resolve: (_root, asked, { database }) => {
      checkAsked(asked);
      return readUsage(database, asked);
    },
  }),
);

function checkAsked({ projectId, userId, consumerType }: Asked): void {
  checkExternalId(projectId, ['projectId'], 'project');
  if (userId != null) checkExternalId(userId, ['userId'], 'user');
  if (consumerType != null) checkConsumerType(consumerType, ['consumerType']);
}

interface SumRow {
  readonly consumerType: string | null;
  /** Null in the row that counts the consumers of the type. */
  readonly resourceClass: string | null;
  readonly amount: number;
}

/** Counts and sums in one statement, so that they belong together (rules 109-111). */
async function readUsage({ pool }: Database, asked: Asked): Promise<TypeUsage[]> {
  const type = asked.consumerType === ALL ? `'${ALL}'` : 'consumer_types.name';
  const from =
    `consumers c ${CONSUMER_OWNERS} JOIN allocations a ON a.consumer_id = c.uuid ` +
    'JOIN resource_providers p ON p.id = a.resource_provider_id JOIN resource_classes k ON k.id = a.resource_class_id';
  const where = allOf(conditions(asked));
  const rows = await pool.query<SumRow[]>(
    `SELECT ${type} AS consumerType, k.name AS resourceClass,
            CAST(LEAST(SUM(a.used), ${LARGEST_AMOUNT}) AS SIGNED) AS amount
       FROM ${from} WHERE ${where.text} GROUP BY 1, 2
     UNION ALL
     SELECT ${type}, NULL, COUNT(DISTINCT c.uuid) FROM ${from} WHERE ${where.text} GROUP BY 1`,
    [...where.values, ...where.values],
  );
  return [...groupBy(rows, (row) => row.consumerType)]
    .map(([consumerType, group]) => ({
      consumerType,
      consumerCount: group.find(({ resourceClass }) => resourceClass === null)?.amount ?? 0,
      usages: group
        .flatMap(({ resourceClass, amount }) =>
          resourceClass === null ? [] : [{ resourceClass, used: amount }],
        )
        .sort((a, b) => byCodePoint(a.resourceClass, b.resourceClass)),
    }))
    .sort(byType);
}

function conditions({ projectId, userId, consumerType }: Asked): Sql[] {
  return [
    sql('projects.external_id = ?', projectId),
    ...(userId == null ? [] : [sql('users.external_id = ?', userId)]),
    ...(consumerType == null || consumerType === ALL
      ? []
      : consumerType === UNKNOWN
        ? [sql('c.consumer_type_id IS NULL')]
        : [sql('consumer_types.name = ?', consumerType)]),
  ];
}

function byType(a: TypeUsage, b: TypeUsage): number {
  if (a.consumerType === null || b.consumerType === null)
    return Number(a.consumerType === null) - Number(b.consumerType === null);
  return byCodePoint(a.consumerType, b.consumerType);
}
