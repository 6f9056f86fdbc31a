import { randomUUID } from 'node:crypto';
import type { ApiClient } from './api.js';
import type { Amount, Named } from './shapes.js';

/** Amounts by provider uuid, then class name. */
export type Takes = Readonly<Record<string, Readonly<Record<string, number | undefined>>>>;

interface Owner {
  readonly consumerType?: string | null;
  readonly projectId?: string;
  readonly userId?: string;
}

/** Returns a list of ResourceAmountInput. */
export const amounts = <Amount extends number | undefined>(classes: Readonly<Record<string, Amount>>) =>
  Object.entries(classes).map(([resourceClass, amount]) => ({ resourceClass, amount }));

/** Returns an AllocationCandidatesInput with one group. */
export const requestOf = (classes: Readonly<Record<string, number>>, group: object = {}) => ({
  groups: [{ resources: amounts(classes), ...group }],
});

/** Returns the input of new consumers for a claim. */
export const newConsumers = (count = 1) =>
  Array.from({ length: count }, () => ({ consumer: randomUUID(), projectId: 'p', userId: 'u' }));

/** Returns a ConsumerAllocationsInput. A null generation stands for a new consumer. */
export function takes(
  consumer: string,
  generation: number | null,
  byProvider: Takes,
  { consumerType: type, ...owner }: Owner = {},
) {
  return {
    consumer,
    generation,
    projectId: 'a-project',
    userId: 'a-user',
    type,
    ...owner,
    allocations: {
      providers: Object.entries(byProvider).map(([uuid, classes]) => ({
        resourceProvider: { uuid },
        resources: amounts(classes),
      })),
    },
  };
}

/** Returns a ClaimInput with one member. */
export function claimInput(request: object, consumers: readonly unknown[], placement?: string) {
  return { members: [{ name: 'member', requests: [request], consumers, placement }] };
}

/** Sends setAllocations for these consumers and returns the answer. */
export function setAllocations(api: ApiClient, ...consumers: object[]) {
  return api.mutate('setAllocations', { consumers }, 'consumers { uuid generation }');
}

/** Claims for a new consumer and returns its uuid. Throws if the claim fails. */
export async function claimed(api: ApiClient, byProvider: Takes, owner: Owner = {}): Promise<string> {
  const consumer = randomUUID();
  const answer = await setAllocations(api, takes(consumer, null, byProvider, owner));
  if (answer.__typename !== 'SetAllocationsPayload') throw new Error(JSON.stringify(answer));
  return consumer;
}

export interface Shown {
  readonly generation: number;
  readonly consumerType: string | null;
  readonly projectId: string;
  readonly userId: string;
  /** Amounts by provider name, then class name. */
  readonly has: Record<string, Record<string, number>>;
}

interface Read extends Omit<Shown, 'has' | 'consumerType'> {
  readonly type: Named | null;
  readonly allocations: (Amount & { readonly resourceProvider: Named })[];
}

/** Returns a consumer as the API shows it. */
export async function shown(api: ApiClient, uuid: string): Promise<Shown | null> {
  const data = await api.read<{ consumer: Read | null }>(
    `query ($uuid: UUID!) { consumer(uuid: $uuid) {
       generation type { name } projectId userId
       allocations { resourceProvider { name } resourceClass { name } amount }
     } }`,
    { uuid },
  );
  if (data.consumer === null) return null;
  const { allocations, type, ...consumer } = data.consumer;
  const has: Shown['has'] = {};
  for (const { resourceProvider, resourceClass, amount } of allocations) {
    (has[resourceProvider.name] ??= {})[resourceClass.name] = amount;
  }
  return { ...consumer, consumerType: type?.name ?? null, has };
}

/** Returns the global id of an object. */
export const nodeId = (type: string, key: string): string => Buffer.from(`${type}:${key}`).toString('base64');

/** Returns the generations of providers, in the order of the uuids. */
export async function generations(api: ApiClient, ...uuids: string[]): Promise<number[]> {
  const { nodes } = await api.read<{ nodes: { generation: number }[] }>(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ResourceProvider { generation } } }',
    { ids: uuids.map((uuid) => nodeId('ResourceProvider', uuid)) },
  );
  return nodes.map(({ generation }) => generation);
}

/** Runs updateResourceProvider. */
export function edit(api: ApiClient, uuid: string, edits: object, selection?: string) {
  return api.mutate('updateResourceProvider', { resourceProvider: { uuid }, ...edits }, selection);
}

/** Returns the usage of a provider by class name. */
export async function usedOf(api: ApiClient, uuid: string): Promise<Record<string, number>> {
  const { resourceProvider } = await api.read<{
    resourceProvider: { usages: { resourceClass: Named; used: number }[] };
  }>(
    'query ($uuid: UUID!) { resourceProvider(by: { uuid: $uuid }) { usages { resourceClass { name } used } } }',
    { uuid },
  );
  return Object.fromEntries(resourceProvider.usages.map((each) => [each.resourceClass.name, each.used]));
}
