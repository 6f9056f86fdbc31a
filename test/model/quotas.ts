import { expect } from '@jest/globals';
import type { ApiClient } from '../support/api.js';
import { checkDistinct, isClass, refuseIf } from './checks.js';
import type { Inputs, QuotaLimit } from './inputs.js';
import { CLASSES, PROJECTS, type RandomInputs } from './randomInputs.js';
import { partsOf, type ModelConsumer, type State } from './state.js';

/** Limits by class; the empty name stands for the number of consumers. */
type Limits = Record<string, number>;

/** The only group of the model. */
const GROUP = 'a-group';

export interface ModelQuotas {
  projects: Record<string, Limits>;
  group: { projects: string[]; limits: Limits };
  defaults: Limits;
}

export function noQuotas(): ModelQuotas {
  return { projects: {}, group: { projects: [], limits: {} }, defaults: {} };
}

const COUNT = '';

export function setQuotas(state: State, { projects, groups, defaults }: Inputs['setQuotas']): void {
  const lists = [...projects.map(({ limits }) => limits), ...groups.map(({ limits }) => limits), defaults];
  for (const limits of lists) {
    checkDistinct(limits.map(({ resourceClass }) => resourceClass ?? COUNT));
    refuseIf(
      limits.some(({ limit }) => limit !== null && limit < 0),
      'INVALID_INPUT',
    );
    const isKnown = ({ resourceClass: name }: QuotaLimit): boolean => name === null || isClass(state, name);
    refuseIf(!limits.every(isKnown), 'INVALID_INPUT');
  }
  checkDistinct(projects.map(({ projectId }) => projectId));
  const { quotas } = state;
  for (const { projectId, limits } of projects) {
    state.projects.add(projectId);
    quotas.projects[projectId] = withLimits(quotas.projects[projectId] ?? {}, limits);
  }
  for (const { projects: members, limits } of groups) {
    for (const projectId of members ?? []) state.projects.add(projectId);
    quotas.group.projects = members ?? quotas.group.projects;
    quotas.group.limits = withLimits(quotas.group.limits, limits);
  }
  quotas.defaults = withLimits(quotas.defaults, defaults);
}

function withLimits(before: Limits, changes: readonly QuotaLimit[]): Limits {
  const after = { ...before };
  for (const { resourceClass, limit } of changes)
    if (limit === null) delete after[resourceClass ?? COUNT];
    else after[resourceClass ?? COUNT] = limit;
  return after;
}

/** Removes limits of deleted classes, and the marks of consumers that have ended. */
export function pruneQuotas(state: State): void {
  const { projects, group, defaults } = state.quotas;
  for (const limits of [...Object.values(projects), group.limits, defaults])
    for (const name of Object.keys(limits)) if (name !== COUNT && !isClass(state, name)) delete limits[name];
  for (const uuid of state.kept) if (!state.consumers.has(uuid)) state.kept.delete(uuid);
}

/** Rejects a write that raises the counted usage of an owner above its limit. */
export function checkQuotas(before: State, after: State): void {
  refuseIf(exceedsQuotas(before, after), 'QUOTA_EXCEEDED');
}

function exceedsQuotas(before: State, after: State): boolean {
  return ownersOf(after).some(({ projects, limits }) =>
    Object.entries(limits).some(([name, limit]) => {
      const used = usedBy(after, projects, name);
      return used > limit && used > usedBy(before, projects, name);
    }),
  );
}

interface ModelOwner {
  readonly name: string;
  readonly projects: readonly string[];
  readonly limits: Limits;
}

function ownersOf({ projects, quotas }: State): ModelOwner[] {
  const own = [...projects].map((name) => ({
    name: `PROJECT ${name}`,
    projects: [name],
    limits: { ...quotas.defaults, ...quotas.projects[name] },
  }));
  return [...own, { name: `GROUP ${GROUP}`, ...quotas.group }];
}

function usedBy({ consumers, kept }: State, projects: readonly string[], name: string): number {
  const amountOf = ({ has }: ModelConsumer): number => {
    if (name === COUNT) return 1;
    const own = Object.entries(has).filter(([key]) => partsOf(key).resourceClass === name);
    return own.reduce((sum, [, amount]) => sum + amount, 0);
  };
  return [...consumers.values()]
    .filter((each) => projects.includes(each.projectId) && !kept.has(each.uuid))
    .filter(({ consumerType }) => consumerType !== 'MIGRATION')
    .reduce((sum, each) => sum + amountOf(each), 0);
}

/** Compares the limits of the API and their usage with the model. */
export async function compareQuotas(api: ApiClient, state: State): Promise<void> {
  const LIMITS = 'resourceClass { name } limit used';
  const { projects, quotaGroups } = await api.read<{
    projects: { nodes: { projectId: string; quotas: ListedQuota[] }[] };
    quotaGroups: { name: string; quotas: ListedQuota[] }[];
  }>(`{ projects { nodes { projectId quotas { ${LIMITS} } } } quotaGroups { name quotas { ${LIMITS} } } }`);
  const found = [
    ...projects.nodes.map(({ projectId, quotas }) => [`PROJECT ${projectId}`, quotas] as const),
    ...quotaGroups.map(({ name, quotas }) => [`GROUP ${name}`, quotas] as const),
  ].flatMap(([owner, quotas]) =>
    quotas.map(
      ({ resourceClass, limit, used }) => `${owner} ${resourceClass?.name ?? COUNT}: ${used} of ${limit}`,
    ),
  );
  const expected = ownersOf(state).flatMap(({ name, projects: members, limits }) =>
    Object.entries(limits).map(
      ([each, limit]) => `${name} ${each}: ${usedBy(state, members, each)} of ${limit}`,
    ),
  );
  expect(found.sort()).toEqual(expected.sort());
}

interface ListedQuota {
  readonly resourceClass: { readonly name: string } | null;
  readonly limit: number;
  readonly used: number;
}

export function drawQuotas({ random }: RandomInputs): Inputs['setQuotas'] {
  const limits = (): QuotaLimit[] =>
    [...CLASSES, null]
      .filter(() => random.chance(35))
      .map((resourceClass) => ({
        resourceClass: random.chance(97) ? resourceClass : 'CUSTOM_NONE',
        limit: random.chance(45) ? null : random.chance(98) ? random.between(0, 12) : -1,
      }));
  const isForProjects = random.chance(50);
  return {
    projects: isForProjects
      ? random.some(PROJECTS, 60).map((projectId) => ({ projectId, limits: limits() }))
      : [],
    groups:
      !isForProjects && random.chance(60)
        ? [{ group: GROUP, projects: random.chance(50) ? random.some(PROJECTS, 60) : null, limits: limits() }]
        : [],
    defaults: random.chance(25) ? limits() : [],
  };
}
