import { mapValues } from '../../src/model/collections.js';
import type { InventoryAmounts } from '../../src/model/provider.js';
import type { Api } from '../support/api.js';
import type { InventoryRecord } from '../support/forest.js';
import type { Amount, Named } from '../support/shapes.js';
import { recordOf } from './values.js';
import type { Reference } from '../../bench/beside/reference.js';

type Amounts = Record<string, number>;

export interface ProviderState {
  readonly name: string;
  readonly generation: number;
  readonly parent: string | null;
  readonly root: string;
  readonly inventories: Record<string, InventoryRecord>;
  readonly usages: Amounts;
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
  /** By consumer. */
  readonly allocations: Record<string, Amounts>;
}

export interface ConsumerState {
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly type: string;
  /** By provider. */
  readonly allocations: Record<string, Amounts>;
}

/** Everything that one of the two programs shows; providers and consumers by uuid. */
export interface State {
  readonly providers: Record<string, ProviderState>;
  readonly consumers: Record<string, ConsumerState>;
  /** The generations of consumers without allocations, which the reference stores but does not show (rule 88). */
  readonly emptyConsumers: Record<string, number>;
  /** By project and consumer type. */
  readonly usages: Record<string, Record<string, { readonly count: number; readonly used: Amounts }>>;
  readonly customTraits: readonly string[];
  readonly customClasses: readonly string[];
}

/** What both programs show. */
export type CommonState = Omit<State, 'emptyConsumers'>;

/** The consumers and projects to read, because neither program lists both. */
export interface Known {
  readonly consumers: readonly string[];
  readonly projects: readonly string[];
}

/** The parts of a state that are not read again. */
export interface Unchanged {
  /** Details only: the list, which is always read, has name, generation and position. */
  readonly providers: Record<string, ProviderState>;
  /** Null where there are no allocations. */
  readonly consumers: Record<string, ConsumerState | null>;
}

/** Sends five requests for each provider that is read, and one for each consumer. */
export async function stateOfReference(
  reference: Reference,
  { consumers, projects }: Known,
  unchanged: Unchanged = { providers: {}, consumers: {} },
): Promise<CommonState> {
  const { resource_providers: providers } = await reference.get<{ resource_providers: RestProvider[] }>(
    '/resource_providers',
  );
  const [details, owned, usages, traits, classes] = await Promise.all([
    Promise.all(providers.map((row) => restProvider(reference, row, unchanged.providers[row.uuid]))),
    Promise.all(consumers.map((uuid) => restConsumer(reference, uuid, unchanged.consumers[uuid]))),
    Promise.all(projects.map((project) => restUsages(reference, project))),
    reference.get<{ traits: string[] }>('/traits?name=startswith:CUSTOM_'),
    reference.get<{ resource_classes: { name: string }[] }>('/resource_classes'),
  ]);
  return {
    providers: Object.fromEntries(details),
    consumers: Object.fromEntries(owned.flat()),
    usages: Object.fromEntries(usages),
    customTraits: traits.traits.sort(),
    customClasses: custom(classes.resource_classes.map(({ name }) => name)),
  };
}

export interface RestProvider {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parent_provider_uuid: string | null;
  readonly root_provider_uuid: string;
}

async function restProvider(
  reference: Reference,
  row: RestProvider,
  known: ProviderState | undefined,
): Promise<[string, ProviderState]> {
  const { uuid, name, generation, parent_provider_uuid: parent, root_provider_uuid: root } = row;
  return [uuid, { ...(known ?? (await restDetails(reference, uuid))), name, generation, parent, root }];
}

type ProviderDetails = Omit<ProviderState, 'name' | 'generation' | 'parent' | 'root'>;

async function restDetails(reference: Reference, uuid: string): Promise<ProviderDetails> {
  const read = <T>(what: string): Promise<T> => reference.get(`/resource_providers/${uuid}/${what}`);
  const [{ inventories }, { usages }, { traits }, { aggregates }, { allocations }] = await Promise.all([
    read<{ inventories: Record<string, InventoryRecord> }>('inventories'),
    read<{ usages: Amounts }>('usages'),
    read<{ traits: string[] }>('traits'),
    read<{ aggregates: string[] }>('aggregates'),
    read<{ allocations: Record<string, { resources: Amounts }> }>('allocations'),
  ]);
  return {
    inventories,
    usages,
    traits: traits.sort(),
    aggregates: aggregates.sort(),
    allocations: mapValues(allocations, ({ resources }) => resources),
  };
}

interface RestConsumer {
  readonly allocations: Record<string, { resources: Amounts }>;
  readonly consumer_generation: number;
  readonly project_id: string;
  readonly user_id: string;
  readonly consumer_type: string;
}

async function restConsumer(
  reference: Reference,
  uuid: string,
  known: ConsumerState | null | undefined,
): Promise<[string, ConsumerState][]> {
  if (known !== undefined) return known === null ? [] : [[uuid, known]];
  const found = await reference.get<RestConsumer>(`/allocations/${uuid}`);
  if (Object.keys(found.allocations).length === 0) return [];
  const state = {
    generation: found.consumer_generation,
    project: found.project_id,
    user: found.user_id,
    type: found.consumer_type,
    allocations: mapValues(found.allocations, ({ resources }) => resources),
  };
  return [[uuid, state]];
}

async function restUsages(
  reference: Reference,
  project: string,
): Promise<[string, Record<string, { count: number; used: Amounts }>]> {
  const { usages } = await reference.get<{ usages: Record<string, Amounts> }>(
    `/usages?project_id=${project}`,
  );
  return [project, mapValues(usages, ({ consumer_count: count, ...used }) => ({ count, used }))];
}

const DOCUMENT = `query ($consumers: Int!) {
  resourceProviders(first: 100) {
    nodes {
      uuid name generation parent { uuid } root { uuid }
      inventories { resourceClass { name } total reserved minUnit maxUnit stepSize allocationRatio }
      usages { resourceClass { name } used }
      traits { name }
      aggregates { uuid }
      allocations(first: 100) { nodes { consumer { uuid } resourceClass { name } amount } }
    }
  }
  consumers(first: $consumers) {
    nodes {
      uuid generation projectId userId type { name }
      allocations { resourceProvider { uuid } resourceClass { name } amount }
    }
  }
  traits(filter: { startsWith: "CUSTOM_" }) { name }
  resourceClasses { name }
}`;
const USAGES = `query ($project: String!) {
  usages(projectId: $project) { byType { type { name } consumerCount usages { resourceClass { name } used } } }
}`;

interface WithUuid {
  readonly uuid: string;
}

interface Used {
  readonly resourceClass: Named;
  readonly used: number;
}

interface ApiProvider extends WithUuid, Named {
  readonly generation: number;
  readonly parent: WithUuid | null;
  readonly root: WithUuid;
  readonly inventories: readonly ({ readonly resourceClass: Named } & InventoryAmounts)[];
  readonly usages: readonly Used[];
  readonly traits: readonly Named[];
  readonly aggregates: readonly WithUuid[];
  readonly allocations: { readonly nodes: readonly (Amount & { readonly consumer: WithUuid })[] };
}

interface ApiConsumer extends WithUuid {
  readonly generation: number;
  readonly projectId: string;
  readonly userId: string;
  readonly type: Named | null;
  readonly allocations: readonly (Amount & { readonly resourceProvider: WithUuid })[];
}

interface ApiState {
  readonly resourceProviders: { readonly nodes: readonly ApiProvider[] };
  readonly consumers: { readonly nodes: readonly ApiConsumer[] };
  readonly traits: readonly Named[];
  readonly resourceClasses: readonly Named[];
}

interface ApiUsages {
  readonly usages: {
    readonly byType: readonly {
      readonly type: Named | null;
      readonly consumerCount: number;
      readonly usages: readonly Used[];
    }[];
  };
}

export async function stateOfApi(api: Api, { consumers, projects }: Known): Promise<State> {
  const [state, ...usages] = await Promise.all([
    api.read<ApiState>(DOCUMENT, { consumers: consumers.length + 1 }),
    ...projects.map((project) => api.read<ApiUsages>(USAGES, { project })),
  ]);
  const all = state.consumers.nodes;
  const [some, none] = [true, false].map((has) => all.filter((each) => each.allocations.length > 0 === has));
  return {
    providers: Object.fromEntries(
      state.resourceProviders.nodes.map((node) => [node.uuid, apiProvider(node)]),
    ),
    consumers: Object.fromEntries(some.map((node) => [node.uuid, apiConsumer(node)])),
    emptyConsumers: Object.fromEntries(none.map(({ uuid, generation }) => [uuid, generation])),
    usages: Object.fromEntries(projects.map((project, at) => [project, apiUsages(usages[at])])),
    customTraits: state.traits.map(({ name }) => name).sort(),
    customClasses: custom(state.resourceClasses.map(({ name }) => name)),
  };
}

function apiProvider(node: ApiProvider): ProviderState {
  return {
    name: node.name,
    generation: node.generation,
    parent: node.parent?.uuid ?? null,
    root: node.root.uuid,
    inventories: Object.fromEntries(
      node.inventories.map(({ resourceClass, ...amounts }) => [resourceClass.name, recordOf(amounts)]),
    ),
    usages: amounts(node.usages),
    traits: node.traits.map(({ name }) => name).sort(),
    aggregates: node.aggregates.map(({ uuid }) => uuid).sort(),
    allocations: grouped(node.allocations.nodes, ({ consumer }) => consumer.uuid),
  };
}

function apiConsumer(node: ApiConsumer): ConsumerState {
  return {
    generation: node.generation,
    project: node.projectId,
    user: node.userId,
    type: node.type?.name ?? 'unknown',
    allocations: grouped(node.allocations, ({ resourceProvider }) => resourceProvider.uuid),
  };
}

function apiUsages({ usages }: ApiUsages): Record<string, { count: number; used: Amounts }> {
  return Object.fromEntries(
    usages.byType.map((each) => [
      each.type?.name ?? 'unknown',
      { count: each.consumerCount, used: amounts(each.usages) },
    ]),
  );
}

function amounts(rows: readonly Used[]): Amounts {
  return Object.fromEntries(rows.map(({ resourceClass, used }) => [resourceClass.name, used]));
}

function grouped<Row extends Amount>(
  rows: readonly Row[],
  key: (row: Row) => string,
): Record<string, Amounts> {
  const groups: Record<string, Amounts> = {};
  for (const row of rows) (groups[key(row)] ??= {})[row.resourceClass.name] = row.amount;
  return groups;
}

function custom(names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith('CUSTOM_')).sort();
}
