import { beforeAll, expect, test } from '@jest/globals';
import { mapValues } from '../../src/model/collections.js';
import { ProviderRelations } from '../oracle/providerRelations.js';
import { Random } from '../oracle/random.js';
import { CLASSES, randomForest, TRAITS } from '../oracle/randomForest.js';
import { uuidOf, type Forest } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { rulesApplied, Tally } from './differences.js';
import { CONSUMERS, loadConsumers, TYPES, USERS, withFewConsumers } from './fleetConsumers.js';
import {
  comesToUnknown,
  filterInput,
  filterQuery,
  namesUnknown,
  passes,
  randomFilter,
  UNKNOWN_NAME,
  type ProviderFilter,
} from './providerFilter.js';
import { ReferenceRelations } from './referenceRelations.js';
import { READS, SEED } from './settings.js';
import { useSharedDatabase } from './sharedDatabase.js';
import { stateOfApi, stateOfReference, type RestProvider } from './state.js';

/** The number of questions about one fleet. */
const TOGETHER = 40;
const NOBODY = uuidOf('unknown provider', 'nobody');

const shared = useSharedDatabase();
beforeAll(async () => {
  // Not by the forests: the reference cannot list traits of which only some have a date.
  for (const name of TRAITS) await shared.api.mutate('createTrait', { name });
});

const tally = new Tally();

interface Row {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parent: { readonly uuid: string } | null;
  readonly root: { readonly uuid: string };
}

/** Returns the matching providers of this server; null if it rejects the filter. */
async function listed(filter: ProviderFilter): Promise<Row[] | null> {
  const { data, errors } = await shared.api.query<{ resourceProviders: { nodes: Row[] } | null }>(
    `query ($filter: ResourceProviderFilter) {
      resourceProviders(first: 100, filter: $filter) { nodes { uuid name generation parent { uuid } root { uuid } } }
    }`,
    { filter: filterInput(filter) },
  );
  if (errors) expect(errors.map(({ extensions }) => extensions.code)).toEqual(['INVALID_INPUT']);
  return data.resourceProviders?.nodes ?? null;
}

/** Returns the matching providers of the reference, in the same order and form. */
async function listedByReference(filter: ProviderFilter): Promise<Row[] | null> {
  const { status, body } = await shared.reference.send('GET', `/resource_providers?${filterQuery(filter)}`);
  if (status === 400) return null;
  expect(status).toBe(200);
  const { resource_providers: rows } = body as { resource_providers: RestProvider[] };
  return rows
    .map(({ parent_provider_uuid: parent, root_provider_uuid: root, uuid, name, generation }) => ({
      ...{ uuid, name, generation },
      parent: parent === null ? null : { uuid: parent },
      root: { uuid: root },
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function compareList(forest: Forest, filter: ProviderFilter): Promise<void> {
  const [ours, theirs] = await Promise.all([listed(filter), listedByReference(filter)]);
  if (namesUnknown(filter)) {
    const isNoticed = comesToUnknown(forest, filter);
    expect({ filter, ours, theirs }).toEqual({ filter, ours: null, theirs: isNoticed ? null : [] });
    return tally.compared(isNoticed ? [] : ['D12']);
  }
  const uuids = (world: ProviderRelations): string[] =>
    world.providers
      .filter((provider) => passes(world, filter, provider))
      .map(({ uuid }) => uuid)
      .sort();
  const context = { filter, forest };
  expect({ context, ours: ours?.map(({ uuid }) => uuid).sort() }).toEqual({
    context,
    ours: uuids(new ProviderRelations(forest)),
  });
  const rules = rulesApplied(['D1', 'D2'] as const, (some) => uuids(new ReferenceRelations(forest, some)));
  if (rules.length === 0) expect({ context, rows: ours }).toEqual({ context, rows: theirs });
  expect({ context, theirs: theirs?.map(({ uuid }) => uuid).sort() }).toEqual({
    context,
    theirs: uuids(new ReferenceRelations(forest, new Set(['D1', 'D2'] as const))),
  });
  tally.compared(rules);
}

interface UsageAnswer {
  readonly consumerCount: number;
  readonly usages: readonly { readonly resourceClass: { readonly name: string }; readonly used: number }[];
}

/** Rules 109 and 110. */
async function compareUsages(random: Random): Promise<void> {
  const asked = {
    project_id: random.pick([...CONSUMERS.projects, 'nobody']),
    ...(random.chance(50) && { user_id: random.pick([...USERS, 'nobody']) }),
    ...(random.chance(60) && { consumer_type: random.pick([...TYPES, 'all', 'unknown', 'NOBODY']) }),
  };
  const [theirs, ours] = await Promise.all([
    shared.reference.get<{ usages: Record<string, Record<string, number>> }>(
      `/usages?${new URLSearchParams(asked).toString()}`,
    ),
    shared.api.query<{
      usages: UsageAnswer & { byType: (UsageAnswer & { type: { name: string } | null })[] };
    }>(
      `query ($project: String!, $user: String) {
        usages(projectId: $project, userId: $user) {
          consumerCount usages { resourceClass { name } used }
          byType { type { name } consumerCount usages { resourceClass { name } used } }
        }
      }`,
      { project: asked.project_id, user: asked.user_id },
    ),
  ]);
  const { byType, ...all } = ours.data.usages;
  const wanted = asked.consumer_type;
  const named = byType
    .map(({ type, ...each }) => ({ type: type?.name ?? 'unknown', ...each }))
    .filter(({ type }) => wanted === undefined || type === wanted);
  const groups = wanted !== 'all' ? named : all.consumerCount === 0 ? [] : [{ type: 'all', ...all }];
  const rows = groups.map(({ type, consumerCount, usages }) => [
    type,
    {
      consumer_count: consumerCount,
      ...Object.fromEntries(usages.map(({ resourceClass, used }) => [resourceClass.name, used])),
    },
  ]);
  expect({ asked, usages: Object.fromEntries(rows) as object }).toEqual({ asked, usages: theirs.usages });
  tally.compared();
}

/** Rule 69: either a prefix or names, and perhaps whether any provider has the trait. */
async function compareTraits(random: Random, forest: Forest, all: readonly string[]): Promise<void> {
  const associated = random.pick([undefined, undefined, true, false]);
  const names = random.chance(40)
    ? [...random.sample(all, 2), ...random.some(TRAITS, 50), UNKNOWN_NAME]
    : null;
  const prefix = names === null ? prefixOf(random, random.pick(random.chance(60) ? all : TRAITS)) : null;
  const query = new URLSearchParams(
    names ? { name: `in:${names.join(',')}` } : { name: `startswith:${prefix}` },
  );
  if (associated !== undefined) query.append('associated', String(associated));
  const [theirs, ours] = await Promise.all([
    shared.reference.get<{ traits: string[] }>(`/traits?${query.toString()}`),
    shared.api.query<{ traits: { name: string }[] }>(
      'query ($filter: TraitFilter) { traits(filter: $filter) { name } }',
      { filter: { ...(names ? { nameIn: names } : { startsWith: prefix }), associated } },
    ),
  ]);
  const owned = new Set(forest.providers.flatMap(({ traits }) => traits));
  const expected = (isMatch: (name: string) => boolean): string[] =>
    all
      .filter((name) => isMatch(name) && (associated === undefined || owned.has(name) === associated))
      .sort();
  const pattern = new RegExp(`^${(prefix ?? '').replaceAll('_', '.')}`);
  const here = expected((name) => names?.includes(name) ?? name.startsWith(prefix!));
  const there = expected((name) => names?.includes(name) ?? pattern.test(name));
  const asked = query.toString();
  expect({ asked, traits: ours.data.traits.map(({ name }) => name).sort() }).toEqual({ asked, traits: here });
  expect({ asked, traits: theirs.traits.sort() }).toEqual({ asked, traits: there });
  tally.compared(here.length === there.length ? [] : ['rule 69']);
}

/** Returns the beginning of a name, sometimes with one wrong character. */
function prefixOf(random: Random, name: string): string {
  const prefix = name.slice(0, random.between(1, name.length));
  const at = random.between(0, prefix.length - 1);
  return random.chance(30) ? `${prefix.slice(0, at)}_${prefix.slice(at + 1)}` : prefix;
}

/** Expects both programs or neither to find an object by its name or uuid. */
async function compareLookups(random: Random, forest: Forest): Promise<void> {
  const asked = {
    trait: random.pick([...TRAITS, UNKNOWN_NAME]),
    resourceClass: random.pick([...CLASSES, UNKNOWN_NAME]),
    provider: random.pick([NOBODY, ...forest.providers.map(({ uuid }) => uuid)]),
    consumer: random.pick([NOBODY, ...CONSUMERS.consumers]),
  };
  const paths = {
    trait: `/traits/${asked.trait}`,
    resourceClass: `/resource_classes/${asked.resourceClass}`,
    provider: `/resource_providers/${asked.provider}`,
  };
  const [{ data }, consumer, ...statuses] = await Promise.all([
    shared.api.query<Record<string, object | null>>(
      `query ($trait: String!, $resourceClass: String!, $provider: UUID!, $consumer: UUID!) {
        trait(name: $trait) { name }
        resourceClass(name: $resourceClass) { name }
        provider: resourceProvider(by: { uuid: $provider }) { uuid }
        consumer(uuid: $consumer) { uuid }
      }`,
      asked,
    ),
    shared.reference.get<{ allocations: object }>(`/allocations/${asked.consumer}`),
    ...Object.values(paths).map((path) => shared.reference.send('GET', path)),
  ]);
  const theirs = statuses.map(({ status }) => status !== 404);
  const ours = Object.keys(paths).map((what) => data[what] !== null);
  const isConsumer = Object.keys(consumer.allocations).length > 0;
  expect({ asked, found: [...ours, data.consumer !== null] }).toEqual({
    asked,
    found: [...theirs, isConsumer],
  });
  tally.compared();
}

/** The whole catalog: names of traits and classes. */
async function compareCatalog(): Promise<string[]> {
  const [{ data }, { traits }, { resource_classes: classes }] = await Promise.all([
    shared.api.query<{ traits: { name: string }[]; resourceClasses: { name: string }[] }>(
      '{ traits { name } resourceClasses { name } }',
    ),
    shared.reference.get<{ traits: string[] }>('/traits'),
    shared.reference.get<{ resource_classes: { name: string }[] }>('/resource_classes'),
  ]);
  const ours = mapValues({ ...data }, (rows) => rows.map(({ name }) => name).sort());
  expect(ours).toEqual({ traits: traits.sort(), resourceClasses: classes.map(({ name }) => name).sort() });
  tally.compared();
  return traits;
}

test(
  `${READS} random questions about what is stored are answered alike, but for known rules (seed ${SEED})`,
  async () => {
    const random = new Random(SEED);
    for (let asked = 0; asked < READS; asked += TOGETHER) {
      const forest = withFewConsumers(random, randomForest(random, { counters: 0 }));
      await loadForest(shared.database, forest, TRAITS);
      await loadConsumers(shared.database, random, forest);
      const { emptyConsumers, ...state } = await stateOfApi(shared.api, CONSUMERS);
      expect(state).toEqual(await stateOfReference(shared.reference, CONSUMERS));
      expect(emptyConsumers).toEqual({});
      tally.compared();
      const all = await compareCatalog();
      const ask = (): Promise<void> => {
        const kind = random.between(1, 100);
        if (kind <= 70) return compareList(forest, randomFilter(random, forest));
        if (kind <= 82) return compareUsages(random);
        return kind <= 94 ? compareTraits(random, forest, all) : compareLookups(random, forest);
      };
      await Promise.all(Array.from({ length: TOGETHER }, ask));
    }
    tally.tell('questions about what is stored');
    expect(shared.api.logged).toEqual([]);
  },
  60_000 + READS * 500,
);
