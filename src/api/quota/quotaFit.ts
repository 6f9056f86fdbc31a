import { checkExternalId } from '../../model/input.js';
import type { ConsumerAllocationsInput, ProviderAllocationInput } from '../../model/input.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { HeldConsumer } from '../../store/sql/consumers.js';
import type { Queryable } from '../../store/sql/statements.js';
import { readDefinitions } from '../../store/quotas/definitions.js';
import { firstSpellings, projectsNamed } from '../../store/quotas/projectNames.js';
import { groupsOfProjects, quotasOfProjects, readQuotas, type Quota } from '../../store/quotas/quotaList.js';
import { objectType } from '../builder.js';
import type { Context } from '../context.js';
import { Quota as QuotaRef } from './quotas.js';

/** Amounts by class. The empty name stands for the number of consumers. */
type Amounts = ReadonlyMap<string, number>;

const COUNT = '';

interface LimitFit {
  readonly quota: Quota;
  /** The amount that a write would add to the usage. For a limit of a group, the sum over its projects. */
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
    asked: t.expose('asked', {
      type: 'SafeInt',
      description: 'The usage that the request adds; for a group, the sum of its projects.',
    }),
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
    projectId: t.exposeString('projectId', { description: 'The id of the project, as in the input.' }),
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
  { database: { pool } }: Pick<Context, 'database'>,
  projectId: string,
  asked: Amounts,
): Promise<QuotaFit> {
  checkExternalId(projectId, ['projectId'], 'project');
  const id = (await projectsNamed(pool, [projectId])).get(projectId)?.id ?? null;
  const group = id === null ? undefined : (await groupsOfProjects(pool, [id])).get(id);
  const groupId = group?.id ?? null;
  const [fit] = await fitsOf(pool, [{ projectId, id, groupId, asked }], new Map([[groupId, asked]]));
  return fit;
}

/** A project and the usage that a request adds to it. */
interface AskingProject {
  /** The name as the input spells it. */
  readonly projectId: string;
  /** Null: the project does not exist yet, so it has only defaults. */
  readonly id: number | null;
  /** Null: it is in no group. */
  readonly groupId: number | null;
  readonly asked: Amounts;
}

/** Ids begin with 1. */
const NEW_PROJECT = 0;

/** @param askedOfGroups the usage that the request adds to the projects of each group, by its id */
async function fitsOf(
  pool: Queryable,
  projects: readonly AskingProject[],
  askedOfGroups: ReadonlyMap<number | null, Amounts>,
): Promise<QuotaFit[]> {
  const owners = projects.map(({ id, projectId }) => ({ id: id ?? NEW_PROJECT, externalId: projectId }));
  const groupIds = [...new Set(projects.flatMap(({ groupId }) => groupId ?? []))];
  const [own, ofGroups] = await Promise.all([
    quotasOfProjects(pool, owners),
    groupIds.length === 0 ? [] : readQuotas(pool, { kind: 'GROUP', ids: groupIds }),
  ]);
  const fitsWith = (quotas: readonly Quota[], asked: Amounts): LimitFit[] =>
    quotas
      .map((quota) => ({
        quota,
        asked: asked.get(quota.resourceClass ?? COUNT) ?? 0,
        left: Math.max(0, quota.maxUsed - (quota.used ?? 0)),
      }))
      .filter((each) => each.asked > 0);
  return projects.map(({ projectId, id, groupId, asked }) => {
    const ofGroup = ofGroups.filter(({ ownerId }) => ownerId === groupId);
    const limits = [
      ...fitsWith(own.get(id ?? NEW_PROJECT) ?? [], asked),
      ...fitsWith(ofGroup, askedOfGroups.get(groupId) ?? new Map()),
    ];
    return { projectId, limits };
  });
}

type PlannedConsumer = Pick<ConsumerAllocationsInput, 'consumer' | 'projectId' | 'type'>;

/**
 * Compares a workload with the limits of its projects, and the limits of groups with the sums of their projects. The
 * present usage of its consumers counts as released. Consumers that `keepOldAs` has created do not count.
 *
 * @param amounts the amounts of each consumer, in the order of the consumers
 */
export async function fitsOfWorkload(
  { database: { pool } }: Pick<Context, 'database'>,
  consumers: readonly PlannedConsumer[],
  amounts: readonly Amounts[],
  held: ReadonlyMap<string, HeldConsumer>,
): Promise<QuotaFit[]> {
  const present = [...held.values()];
  const names = consumers.map(({ projectId }) => projectId);
  const [definitions, stored] = await Promise.all([
    readDefinitions(pool),
    projectsNamed(pool, [...names, ...present.map(({ projectId }) => projectId)]),
  ]);
  const fresh = await firstSpellings(
    pool,
    names.filter((name) => !stored.has(name)),
  );
  /** Returns the id of a project, or one spelling of a project that does not exist yet. */
  const keyOf = (name: string): number | string => stored.get(name)?.id ?? fresh.get(name) ?? name;
  const groupOf = (key: number | string): number | null =>
    (typeof key === 'number' ? definitions.groupOf(key)?.id : null) ?? null;

  const ofProjects = new Map<number | string, Map<string, number>>();
  const ofGroups = new Map<number | null, Map<string, number>>();
  const add = (projectId: string, used: Amounts, sign: 1 | -1): void => {
    const key = keyOf(projectId);
    addTo(ofProjects, key, used, sign);
    addTo(ofGroups, groupOf(key), used, sign);
  };
  const isCounted = (type: string | null | undefined): boolean =>
    type == null || !definitions.ignoredTypes.has(type);
  consumers.forEach(({ consumer, projectId, type }, at) => {
    const before = held.get(consumer);
    if (before?.isKept) return;
    if (before && isCounted(before.consumerType)) add(before.projectId, sumsOf(before.allocations), -1);
    if (isCounted(type ?? before?.consumerType)) add(projectId, amounts[at], 1);
  });
  const spelled = new Map(names.toReversed().map((name) => [keyOf(name), name]));
  const asking = Array.from(new Set(names.map(keyOf)), (key): AskingProject => {
    const id = typeof key === 'number' ? key : null;
    const asked = ofProjects.get(key) ?? new Map<string, number>();
    return { projectId: spelled.get(key)!, id, groupId: groupOf(key), asked };
  });
  return fitsOf(pool, asking, ofGroups);
}

function addTo<Key>(sums: Map<Key, Map<string, number>>, key: Key, amounts: Amounts, sign: 1 | -1): void {
  const own = sums.get(key) ?? new Map<string, number>();
  sums.set(key, own);
  for (const [name, amount] of amounts) own.set(name, (own.get(name) ?? 0) + sign * amount);
}

/** Returns the amounts of the allocations of one consumer. */
export function sumsOf(allocations: readonly ProviderAllocationInput[]): Amounts {
  const sums = new Map([[COUNT, 1]]);
  for (const { resourceClass, amount } of allocations.flatMap(({ resources }) => resources))
    sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return sums;
}
