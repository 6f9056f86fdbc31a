import type { Amount, Named } from '../support/shapes.js';
import {
  capacityOf,
  childrenOf,
  COUNTER,
  partsOf,
  rootOf,
  inventoryKey,
  usedOf,
  usersOf,
  type State,
} from './state.js';

/** Selects everything that the API shows of a provider and its position in the tree. */
export const PROVIDER = `
  uuid name generation isSharing
  parent { uuid } root { uuid } children { name }
  inventories {
    resourceClass { name } total reserved minUnit maxUnit stepSize allocationRatio capacity used available isCounter
    consumes { resourceProvider { uuid } resourceClass { name } amount }
  }
  usages { resourceClass { name } used }
  traits { name } aggregates { uuid }
  claims: allocations(first: 100) { nodes { consumer { uuid } resourceClass { name } amount } }`;

export const CONSUMER = `
  uuid generation type { name } projectId userId expiresAt
  allocations { resourceProvider { uuid } resourceClass { name } amount }`;

interface WithUuid {
  readonly uuid: string;
}

interface Used {
  readonly resourceClass: Named;
  readonly used: number;
}

/** The API's answer to {@link PROVIDER}. */
export interface ProviderAnswer extends WithUuid, Named {
  readonly generation: number;
  readonly isSharing: boolean;
  readonly parent: WithUuid | null;
  readonly root: WithUuid;
  readonly children: readonly Named[];
  readonly inventories: readonly (Used & {
    readonly isCounter: boolean;
    readonly consumes: readonly (Amount & { readonly resourceProvider: WithUuid })[];
  })[];
  readonly usages: readonly Used[];
  readonly traits: readonly Named[];
  readonly aggregates: readonly WithUuid[];
  readonly claims: { readonly nodes: readonly (Amount & { readonly consumer: WithUuid })[] };
}

/** The API's answer to {@link CONSUMER}. */
export interface ConsumerAnswer extends WithUuid {
  readonly generation: number;
  readonly type: Named | null;
  readonly projectId: string;
  readonly userId: string;
  readonly expiresAt: string | null;
  readonly allocations: readonly (Amount & { readonly resourceProvider: WithUuid })[];
}

export type NodeAnswer = ProviderAnswer | ConsumerAnswer;

/** Returns an answer with sorted lists. Children keep their order, because they come by name. */
export function viewOf(answer: NodeAnswer | null): unknown {
  if (answer === null) return null;
  if (!('inventories' in answer)) return consumerView(answer);
  const { parent, root, children, inventories, usages, traits, aggregates, claims, ...own } = answer;
  return {
    ...own,
    parent: parent?.uuid ?? null,
    root: root.uuid,
    children: children.map(({ name }) => name),
    inventories: byClass(
      inventories.map(({ resourceClass: { name: resourceClass }, consumes, ...each }) => ({
        resourceClass,
        ...each,
        consumes: consumes.map(
          ({ resourceProvider, resourceClass: { name }, amount }) =>
            `${amount} ${inventoryKey(resourceProvider.uuid, name)}`,
        ),
      })),
    ),
    usages: byClass(
      usages.map(({ resourceClass: { name: resourceClass }, used }) => ({ resourceClass, used })),
    ),
    traits: traits.map(({ name }) => name).sort(),
    aggregates: aggregates.map(({ uuid }) => uuid).sort(),
    claims: claims.nodes
      .map(({ consumer, resourceClass, amount }) => `${consumer.uuid} ${resourceClass.name} ${amount}`)
      .sort(),
  };
}

export function consumerView({ allocations, type, ...own }: ConsumerAnswer): unknown {
  const has = allocations.map(({ resourceProvider, resourceClass, amount }) => [
    inventoryKey(resourceProvider.uuid, resourceClass.name),
    amount,
  ]);
  return { ...own, consumerType: type?.name ?? null, has: Object.fromEntries(has) as unknown };
}

/** Returns the same view of the model. */
export function expectedView(state: State, uuid: string): unknown {
  const provider = state.providers.get(uuid);
  if (!provider) return state.consumers.get(uuid) ?? null;
  const { inventories, traits, aggregates, ...own } = provider;
  const used = (name: string): number => usedOf(state, inventoryKey(uuid, name));
  return {
    ...own,
    isSharing: traits.includes('MISC_SHARES_VIA_AGGREGATE'),
    root: rootOf(state, uuid),
    children: childrenOf(state, uuid)
      .map(({ name }) => name)
      .sort(),
    inventories: byClass(
      Object.entries(inventories).map(([resourceClass, offer]) => ({
        resourceClass,
        ...offer,
        consumes: offer.consumes > 0 ? [`${offer.consumes} ${inventoryKey(uuid, COUNTER)}`] : [],
        isCounter:
          resourceClass === COUNTER && Object.values(inventories).some(({ consumes }) => consumes > 0),
        capacity: capacityOf(offer),
        used: used(resourceClass),
        available: capacityOf(offer) - used(resourceClass),
      })),
    ),
    usages: byClass(
      Object.keys(inventories).map((resourceClass) => ({ resourceClass, used: used(resourceClass) })),
    ),
    traits: [...traits].sort(),
    aggregates: [...aggregates].sort(),
    claims: usersOf(state, uuid)
      .flatMap((consumer) =>
        Object.entries(state.consumers.get(consumer)!.has).flatMap(([key, amount]) => {
          const { provider: on, resourceClass } = partsOf(key);
          return on === uuid ? [`${consumer} ${resourceClass} ${amount}`] : [];
        }),
      )
      .sort(),
  };
}

function byClass<T extends { readonly resourceClass: string }>(list: readonly T[]): T[] {
  return [...list].sort((one, other) => (one.resourceClass < other.resourceClass ? -1 : 1));
}

/** Returns texts of all providers and consumers by uuid, to compare two states. */
export function viewsOf(state: State): Map<string, string> {
  const uuids = [...state.providers.keys(), ...state.consumers.keys()];
  return new Map(uuids.map((uuid) => [uuid, JSON.stringify(expectedView(state, uuid))]));
}
