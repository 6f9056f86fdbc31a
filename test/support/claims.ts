import { randomUUID } from 'node:crypto';
import type { ApiClient } from './api.js';

/** Amounts by provider uuid, then class name. */
export type Takes = Readonly<Record<string, Readonly<Record<string, number | undefined>>>>;

interface Owner {
  readonly consumerType?: string | null;
  readonly projectId?: string;
  readonly userId?: string;
}

/** Returns a ConsumerAllocationsInput. A null generation stands for a new consumer. */
export function takes(
  consumer: string,
  generation: number | null,
  amounts: Takes,
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
      providers: Object.entries(amounts).map(([uuid, classes]) => ({
        resourceProvider: { uuid },
        resources: Object.entries(classes).map(([resourceClass, amount]) => ({ resourceClass, amount })),
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
export async function claimed(api: ApiClient, amounts: Takes, owner: Owner = {}): Promise<string> {
  const consumer = randomUUID();
  const answer = await setAllocations(api, takes(consumer, null, amounts, owner));
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
  readonly type: { readonly name: string } | null;
  readonly allocations: {
    readonly resourceProvider: { readonly name: string };
    readonly resourceClass: { readonly name: string };
    readonly amount: number;
  }[];
}

/** Returns a consumer as the API shows it. */
export async function shown(api: ApiClient, uuid: string): Promise<Shown | null> {
  const { data, errors } = await api.query<{ consumer: Read | null }>(
    `query ($uuid: UUID!) { consumer(uuid: $uuid) {
       generation type { name } projectId userId
       allocations { resourceProvider { name } resourceClass { name } amount }
     } }`,
    { uuid },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  if (data.consumer === null) return null;
  const { allocations, type, ...consumer } = data.consumer;
  const has: Shown['has'] = {};
  for (const { resourceProvider, resourceClass, amount } of allocations) {
    (has[resourceProvider.name] ??= {})[resourceClass.name] = amount;
  }
  return { ...consumer, consumerType: type?.name ?? null, has };
}

/** Returns the generations of providers, in the order of the uuids. */
export async function generations(api: ApiClient, ...uuids: string[]): Promise<number[]> {
  const ids = uuids.map((uuid) => Buffer.from(`ResourceProvider:${uuid}`).toString('base64'));
  const { data } = await api.query<{ nodes: { generation: number }[] }>(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ResourceProvider { generation } } }',
    { ids },
  );
  return data.nodes.map(({ generation }) => generation);
}

/** Returns the usage of a provider by class name. */
export async function usedOf(api: ApiClient, uuid: string): Promise<Record<string, number>> {
  const { data } = await api.query<{
    resourceProvider: { usages: { resourceClass: { name: string }; used: number }[] };
  }>(
    'query ($uuid: UUID!) { resourceProvider(by: { uuid: $uuid }) { usages { resourceClass { name } used } } }',
    {
      uuid,
    },
  );
  return Object.fromEntries(data.resourceProvider.usages.map((each) => [each.resourceClass.name, each.used]));
}
