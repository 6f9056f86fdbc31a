import { checkExternalId } from '../../model/input.js';
import type { ConsumerAllocationsInput, ProviderAllocationInput } from '../../model/input.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { HeldConsumer } from '../../store/sql/consumers.js';
import { readDefinitions } from '../../store/quotas/definitions.js';
import { groupsOfProjects, quotasOfProjects, readQuotas, type Quota } from '../../store/quotas/quotaList.js';
import { objectType } from '../builder.js';
import { readOwners } from '../consumer/ownerLists.js';
import type { Context } from '../context.js';
import { Quota as QuotaRef } from './quotas.js';

/** Amounts by class. The empty name stands for the number of consumers. */
type Amounts = ReadonlyMap<string, number>;

const COUNT = '';

interface LimitFit {
  readonly quota: Quota;
  /** The amount that a write would add to the usage. */
  readonly asked: number;
  readonly left: number;
}

/** Whether the limits of a project and of its group allow further usage. */
export interface QuotaFit {
  readonly projectId: string;
  readonly limits: readonly LimitFit[];
}

const LimitFitRef = objectType<LimitFit>('QuotaLimitFit', {
  description: 'A limit that concerns a request, and the usage that the request adds.',
  fields: (t) => ({
    quota: t.expose('quota', { type: QuotaRef, description: 'The limit of the project or of its group.' }),
    asked: t.expose('asked', { type: 'SafeInt', description: 'The usage that the request adds.' }),
    left: t.expose('left', { type: 'SafeInt', description: 'The limit less the usage, at least 0.' }),
    fits: t.boolean({
      description: 'Whether the limit allows the request.',
      resolve: ({ asked, left }) => asked <= left,
    }),
  }),
});

export const QuotaFitRef = objectType<QuotaFit>('QuotaFit', {
  description:
    'Whether quotas allow a request, however it fits the fleet. Counters, which depend on the partition that serves it, are ' +
    'compared only for the plan of a workload.',
  fields: (t) => ({
    projectId: t.exposeString('projectId', { description: 'The id of the project.' }),
    fits: t.boolean({
      description: 'False: a claim would fail with QUOTA_EXCEEDED.',
      resolve: ({ limits }) => limits.every(({ asked, left }) => asked <= left),
    }),
    count: t.int({
      nullable: true,
      description: 'How many times the request fits. Null if no limit concerns it.',
      resolve: (fit) => countOf(fit),
    }),
    limits: t.expose('limits', {
      type: [LimitFitRef],
      description: 'The limits that concern the request: those of the project, then those of its group.',
    }),
  }),
});

const LARGEST_COUNT = 2 ** 31 - 1;

/** Returns how many times a request fits the limits. Null: none concerns it. */
export function countOf({ limits }: QuotaFit): number | null {
  const counts = limits.map(({ asked, left }) => Math.floor(left / asked));
  return counts.length === 0 ? null : Math.min(LARGEST_COUNT, ...counts);
}

/** Returns the amounts that one consumer of a request uses. */
export function amountsOf({ groups }: Pick<CandidatesRequest, 'groups'>): Amounts {
  const sums = new Map([[COUNT, 1]]);
  for (const { resourceClass, amount } of groups.flatMap(({ resources }) => resources))
    sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return sums;
}

/** Compares further usage with the limits of a project and of its group. A negative amount concerns no limit. */
export async function fitOf(
  { database }: Pick<Context, 'database'>,
  projectId: string,
  asked: Amounts,
): Promise<QuotaFit> {
  checkExternalId(projectId, ['projectId'], 'project');
  const [owner = { id: 0, externalId: projectId }] = await readOwners(database, 'projects', [projectId]);
  const [own, groups] = await Promise.all([
    quotasOfProjects(database.pool, [owner]),
    groupsOfProjects(database.pool, [owner.id]),
  ]);
  const ids = Array.from(groups.values(), ({ id }) => id);
  const ofGroup = ids.length === 0 ? [] : await readQuotas(database.pool, { kind: 'GROUP', ids });
  const limits = [...(own.get(owner.id) ?? []), ...ofGroup].map((quota): LimitFit => {
    const left = Math.max(0, quota.maxUsed - (quota.used ?? 0));
    return { quota, asked: asked.get(quota.resourceClass ?? COUNT) ?? 0, left };
  });
  return { projectId, limits: limits.filter((each) => each.asked > 0) };
}

type PlannedConsumer = Pick<ConsumerAllocationsInput, 'consumer' | 'projectId' | 'type'>;

/**
 * Compares a workload with the limits of its projects. The present usage of its consumers counts as released.
 * Consumers that `keepOldAs` has created do not count.
 *
 * @param amounts the amounts of each consumer, in the order of the consumers
 */
export async function fitsOfWorkload(
  context: Pick<Context, 'database'>,
  consumers: readonly PlannedConsumer[],
  amounts: readonly Amounts[],
  held: ReadonlyMap<string, HeldConsumer>,
): Promise<QuotaFit[]> {
  const { ignoredTypes } = await readDefinitions(context.database.pool);
  const isCounted = (type: string | null | undefined): boolean => type == null || !ignoredTypes.has(type);
  const asked = new Map<string, Map<string, number>>(
    consumers.map(({ projectId }) => [projectId, new Map()]),
  );
  const add = (projectId: string, of: Amounts, sign: 1 | -1): void => {
    const sums = asked.get(projectId);
    for (const [name, amount] of of) sums?.set(name, (sums.get(name) ?? 0) + sign * amount);
  };
  consumers.forEach(({ consumer, projectId, type }, at) => {
    const before = held.get(consumer);
    if (before?.isKept) return;
    if (before && isCounted(before.consumerType)) add(before.projectId, sumsOf(before.allocations), -1);
    if (isCounted(type ?? before?.consumerType)) add(projectId, amounts[at], 1);
  });
  return Promise.all(Array.from(asked, ([projectId, sums]) => fitOf(context, projectId, sums)));
}

/** Returns the amounts of the allocations of one consumer. */
export function sumsOf(allocations: readonly ProviderAllocationInput[]): Amounts {
  const sums = new Map([[COUNT, 1]]);
  for (const { resourceClass, amount } of allocations.flatMap(({ resources }) => resources))
    sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return sums;
}
