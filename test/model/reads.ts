import { Random } from '../oracle/random.js';
import { naiveAnswer } from '../oracle/naive.js';
import { candidateKeys } from '../support/answers.js';
import type { Api } from '../support/api.js';
import type { Named } from '../support/shapes.js';
import type { Database } from '../../src/store/database/database.js';
import { SHARING_TRAIT } from '../../src/model/provider.js';
import { expectSame } from './keepAlive.js';
import { STANDARD_CLASSES } from './checks.js';
import type { Read } from './commands.js';
import { CONSUMERS, PROJECTS, USERS } from './randomInputs.js';
import {
  ALLOCATION_REQUEST,
  candidateOf,
  drawRequest,
  inputOf,
  type AllocationRequestAnswer,
} from './requests.js';
import {
  capacityOf,
  forestOf,
  partsOf,
  rootOf,
  unitsAllow,
  usedOf,
  type ModelConsumer,
  type Offer,
  type State,
} from './state.js';
import {
  CONSUMER,
  consumerView,
  expectedView,
  PROVIDER,
  viewOf,
  type ConsumerAnswer,
  type ProviderAnswer,
} from './views.js';

/** Sends the read for a seed, and compares its answer with the model. */
export async function compareRead(api: Api, state: State, kind: Read, seed: number): Promise<void> {
  await READS[kind](api, state, new Random(seed));
}

const READS: Readonly<Record<Read, (api: Api, state: State, random: Random) => Promise<void>>> = {
  WHOLE: compareWhole,
  CANDIDATES: compareCandidates,
  TREE: compareTreeConsumers,
  USAGES: compareUsages,
};

/** Compares every provider and every consumer. */
async function compareWhole(api: Api, state: State): Promise<void> {
  const consumers = CONSUMERS.map((uuid, n) => `c${n}: consumer(uuid: "${uuid}") { ${CONSUMER} }`);
  const { resourceProviders, traits, resourceClasses, ...byAlias } = await api.read<
    Record<string, ConsumerAnswer | null> & {
      resourceProviders: { nodes: ProviderAnswer[] };
      traits: Named[];
      resourceClasses: Named[];
    }
  >(
    `{ resourceProviders(first: 100) { nodes { ${PROVIDER} } } traits(filter: { startsWith: "CUSTOM_" }) { name }
       resourceClasses { name } ${consumers.join(' ')} }`,
  );
  const byName = [...state.providers.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  expectSame(
    resourceProviders.nodes.map(viewOf),
    byName.map(({ uuid }) => expectedView(state, uuid)),
  );
  expectSame(
    CONSUMERS.map((_, n) => viewOf(byAlias[`c${n}`])),
    CONSUMERS.map((uuid) => state.consumers.get(uuid) ?? null),
  );
  expectSame(traits.map(({ name }) => name).sort(), [...state.traits].sort());
  const classes = resourceClasses.flatMap(({ name }) => (name.startsWith('CUSTOM_') ? [name] : []));
  expectSame(classes.sort(), [...state.classes].sort());
}

interface CandidatesAnswer {
  readonly allocationCandidates: { readonly allocationRequests: readonly AllocationRequestAnswer[] } | null;
}

async function compareCandidates(api: Api, state: State, random: Random): Promise<void> {
  const request = drawRequest(random, state);
  const { allocationCandidates } = await api.read<CandidatesAnswer>(
    `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) {
       allocationRequests { ${ALLOCATION_REQUEST} } } }`,
    { request: inputOf(request) },
  );
  const given = allocationCandidates!.allocationRequests.map(candidateOf);
  const { candidates } = naiveAnswer(forestOf(state), request);
  expectSame(candidateKeys(given), candidateKeys(candidates));
}

async function compareTreeConsumers(api: Api, state: State, random: Random): Promise<void> {
  if (state.providers.size === 0) return;
  const { uuid } = random.pick([...state.providers.values()]);
  const { resourceProvider } = await api.read<{
    resourceProvider: { treeConsumers: { nodes: ConsumerAnswer[] } };
  }>(
    `query ($uuid: UUID!) { resourceProvider(by: { uuid: $uuid }) {
       treeConsumers(first: 100) { nodes { ${CONSUMER} } } } }`,
    { uuid },
  );
  const root = rootOf(state, uuid);
  const isOnTree = ({ has }: ModelConsumer): boolean =>
    Object.keys(has).some((key) => rootOf(state, partsOf(key).provider) === root);
  const expected = [...state.consumers.values()].filter(isOnTree);
  const byUuid = <T extends { uuid: string }>(list: readonly T[]): T[] =>
    [...list].sort((one, other) => (one.uuid < other.uuid ? -1 : 1));
  expectSame(byUuid(resourceProvider.treeConsumers.nodes).map(consumerView), byUuid(expected));
}

/** Compares the usages of a project or of a user of it (rules 109, 110, 111). */
async function compareUsages(api: Api, state: State, random: Random): Promise<void> {
  const projectId = random.pick(PROJECTS);
  const userId = random.chance(50) ? random.pick(USERS) : null;
  interface Group {
    consumerCount: number;
    usages: { resourceClass: Named; used: number }[];
  }
  const { usages } = await api.read<{ usages: Group & { byType: (Group & { type: Named | null })[] } }>(
    `query ($projectId: String!, $userId: String) { usages(projectId: $projectId, userId: $userId) {
       consumerCount usages { resourceClass { name } used }
       byType { type { name } consumerCount usages { resourceClass { name } used } } } }`,
    { projectId, userId },
  );
  const linesOf = (name: string, group: Group): string[] => [
    `${name}: ${group.consumerCount}`,
    ...group.usages.map(({ resourceClass, used }) => `${name} ${resourceClass.name}: ${used}`),
  ];
  const lines = [
    ...linesOf('all', usages),
    ...usages.byType.flatMap((group) => linesOf(group.type?.name ?? 'none', group)),
  ];
  const counts = new Map<string, number>([['all', 0]]);
  const count = (key: string, amount: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + amount);
  };
  for (const consumer of state.consumers.values()) {
    if (consumer.projectId !== projectId || consumer.userId !== (userId ?? consumer.userId)) continue;
    for (const name of ['all', consumer.consumerType ?? 'none']) {
      count(name, 1);
      for (const [key, amount] of Object.entries(consumer.has)) {
        count(`${name} ${partsOf(key).resourceClass}`, amount);
      }
    }
  }
  expectSame(lines.sort(), [...counts].map(([key, amount]) => `${key}: ${amount}`).sort());
  await compareOrders(api, state, random.pick(STANDARD_CLASSES));
}

/**
 * Compares the order of consumers, projects and users by usage of a class. Age or id decides ties.
 */
async function compareOrders(api: Api, state: State, resourceClass: string): Promise<void> {
  const order = `used: { direction: DESC, resourceClass: "${resourceClass}" }`;
  const { consumers, projects, users } = await api.read<{
    consumers: { nodes: { uuid: string }[] };
    projects: { nodes: { projectId: string; consumerCount: number }[] };
    users: { nodes: { userId: string; consumerCount: number }[] };
  }>(
    `{ consumers(orderBy: { ${order} }) { nodes { uuid } }
       projects(orderBy: { ${order} }) { nodes { projectId consumerCount } }
       users(orderBy: [{ consumerCount: DESC }, { ${order} }]) { nodes { userId consumerCount } } }`,
  );
  const all = [...state.consumers.values()];
  const used = (of: readonly ModelConsumer[]): number =>
    of
      .flatMap(({ has }) => Object.entries(has))
      .reduce((sum, [key, amount]) => sum + (partsOf(key).resourceClass === resourceClass ? amount : 0), 0);
  const figures = (names: ReadonlySet<string>, nameOf: (one: ModelConsumer) => string) =>
    [...names].map((name) => {
      const of = all.filter((one) => nameOf(one) === name);
      return { name, count: of.length, used: used(of) };
    });
  const byUse = consumers.nodes.map(({ uuid }) => used([state.consumers.get(uuid)!]));
  expectSame(
    byUse,
    all.map((one) => used([one])).sort((one, other) => other - one),
  );
  expectSame(new Set(consumers.nodes.map(({ uuid }) => uuid)).size, all.length);
  expectSame(
    projects.nodes,
    figures(state.projects, ({ projectId }) => projectId)
      .sort((one, other) => other.used - one.used || (one.name < other.name ? -1 : 1))
      .map(({ name, count }) => ({ projectId: name, consumerCount: count })),
  );
  expectSame(
    users.nodes,
    figures(state.users, ({ userId }) => userId)
      .sort((a, b) => b.count - a.count || b.used - a.used || (a.name < b.name ? -1 : 1))
      .map(({ name, count }) => ({ userId: name, consumerCount: count })),
  );
}

/**
 * The audit finds only the inconsistencies that the API allows: usage above a reduced capacity, amounts
 * that changed units no longer allow, and consumers in several trees.
 */
export async function compareAudit(api: Api, state: State): Promise<void> {
  const { audit } = await api.read<{ audit: { nodes: AuditNode[]; totalCount: number } }>(
    `{ audit(first: 1000) { totalCount nodes { check resourceProviderUuid resourceClassName consumerUuid } } }`,
  );
  const offerAt = (key: string): Offer => {
    const { provider, resourceClass } = partsOf(key);
    return state.providers.get(provider)!.inventories[resourceClass];
  };
  const expected: string[] = [];
  const keys = new Set<string>();
  for (const { uuid, has } of state.consumers.values()) {
    for (const [key, amount] of Object.entries(has)) {
      keys.add(key);
      if (!unitsAllow(amount, offerAt(key))) expected.push(`UNIT_VIOLATION ${key} ${uuid}`);
    }
    const own = Object.keys(has)
      .map((key) => partsOf(key).provider)
      .filter((provider) => !state.providers.get(provider)!.traits.includes(SHARING_TRAIT));
    if (new Set(own.map((provider) => rootOf(state, provider))).size > 1)
      expected.push(`SEVERAL_TREES null null ${uuid}`);
  }
  for (const key of keys) {
    const { total, reserved } = offerAt(key);
    const allowed = reserved === total ? total : capacityOf(offerAt(key));
    if (usedOf(state, key) > allowed) expected.push(`OVER_CAPACITY ${key} null`);
  }
  const given = audit.nodes.map(
    (each) =>
      `${each.check} ${each.resourceProviderUuid} ${each.resourceClassName} ${each.consumerUuid ?? 'null'}`,
  );
  expectSame(given.sort(), expected.sort());
  expectSame(audit.totalCount, expected.length);
}

interface AuditNode {
  readonly check: string;
  readonly resourceProviderUuid: string;
  readonly resourceClassName: string;
  readonly consumerUuid: string | null;
}

const PLAIN_TABLES = [
  'allocations',
  'placement_holds',
  'consumers',
  'projects',
  'users',
  'consumer_types',
  'inventories',
  'resource_provider_traits',
  'resource_provider_aggregates',
  'placement_aggregates',
  'placement_aggregate_names',
  'resource_providers',
];
const CUSTOM = "WHERE name LIKE 'CUSTOM\\\\_%'";

/** The statements that empty the database but for the standard catalog. */
export const EMPTIED = [
  ...['quotas', 'quota_groups', 'quota_group_projects'].map((table) => `DELETE FROM placement_${table}`),
  'UPDATE placement_quota_state SET version = version + 1',
  // before the new version, the server may still count the usage of the limits
  ...[
    ...['quota_usages', 'kept_consumers'],
    ...['consumer_requests', 'requests', 'workload_members', 'workloads', 'ownerships', 'consumptions'],
  ].map((table) => `DELETE FROM placement_${table}`),
  ...PLAIN_TABLES.map((table) => `DELETE FROM ${table}`),
  `DELETE FROM traits ${CUSTOM}`,
  `DELETE FROM resource_classes ${CUSTOM}`,
];

/** Compares the number of rows of every table. This finds rows that nothing refers to. */
export async function compareRows({ pool }: Database, state: State): Promise<void> {
  const count = (table: string, which = ''): string =>
    `(SELECT CAST(COUNT(*) AS SIGNED) FROM ${table} ${which}) AS ${table}`;
  const counts = [
    ...[...PLAIN_TABLES, 'placement_consumptions'].map((table) => count(table)),
    ...['traits', 'resource_classes'].map((table) => count(table, CUSTOM)),
  ];
  const [rows] = await pool.query<Record<string, number>[]>(`SELECT ${counts.join(', ')}`);
  const providers = [...state.providers.values()];
  const consumers = [...state.consumers.values()];
  const sum = <T>(list: readonly T[], size: (one: T) => number): number =>
    list.reduce((total, one) => total + size(one), 0);
  expectSame(
    { ...rows },
    {
      allocations: sum(consumers, ({ has }) => Object.keys(has).length),
      consumers: consumers.length,
      placement_holds: consumers.filter(({ expiresAt }) => expiresAt !== null).length,
      projects: state.projects.size,
      users: state.users.size,
      consumer_types: state.types.size,
      inventories: sum(providers, ({ inventories }) => Object.keys(inventories).length),
      placement_consumptions: sum(
        providers,
        ({ inventories }) => Object.values(inventories).filter(({ consumes }) => consumes > 0).length,
      ),
      resource_provider_traits: sum(providers, ({ traits }) => traits.length),
      resource_provider_aggregates: sum(providers, ({ aggregates }) => aggregates.length),
      placement_aggregates: state.aggregates.size,
      placement_aggregate_names: state.aggregateNames.size,
      resource_providers: providers.length,
      traits: state.traits.size,
      resource_classes: state.classes.size,
    },
  );
}
