import type { InventoryRecord } from '../support/forest.js';
import type { State } from './state.js';

export interface ConsumerWrite {
  readonly consumer: string;
  /** Whether the generation that is sent is not the consumer's. */
  readonly isStale: boolean;
  readonly project: string;
  readonly user: string;
  readonly type: string;
  /** By provider and class. */
  readonly allocations: Record<string, Record<string, number>>;
}

/** A write as either program can be asked to do it; `isStale`: the generation that is sent is not the provider's. */
export type Write =
  | {
      readonly kind: 'createProvider' | 'updateProvider';
      readonly provider: string;
      readonly name: string;
      readonly parent: string | null;
    }
  | { readonly kind: 'deleteProvider'; readonly provider: string }
  | ProviderWrite<'setInventories', { readonly inventories: Record<string, InventoryRecord> }>
  | ProviderWrite<'setInventory', { readonly resourceClass: string; readonly inventory: InventoryRecord }>
  | { readonly kind: 'deleteInventory'; readonly provider: string; readonly resourceClass: string }
  | ProviderWrite<'setTraits', { readonly traits: readonly string[] }>
  | ProviderWrite<'setAggregates', { readonly aggregates: readonly string[] }>
  | { readonly kind: 'setAllocations'; readonly consumers: readonly ConsumerWrite[] }
  | { readonly kind: 'deleteAllocations'; readonly consumer: string }
  | {
      readonly kind: 'reshape';
      readonly providers: readonly ProviderPart<{ readonly inventories: Record<string, InventoryRecord> }>[];
      readonly consumers: readonly ConsumerWrite[];
    }
  | { readonly kind: 'createTrait' | 'deleteTrait' | 'createClass' | 'deleteClass'; readonly name: string };

type ProviderWrite<Kind extends string, Rest> = { readonly kind: Kind } & ProviderPart<Rest>;
type ProviderPart<Rest> = { readonly provider: string; readonly isStale: boolean } & Rest;

/** The generation to send for a provider. */
export function providerGeneration(
  { providers }: State,
  { provider, isStale }: ProviderPart<unknown>,
): number {
  const generation = providers[provider]?.generation ?? 0;
  return isStale ? generation + 1 : generation;
}

/** The generation to send for a consumer, also one without allocations (rule 88); null: it is not expected to exist. */
export function consumerGeneration(
  { consumers, emptyConsumers }: State,
  { consumer, isStale }: ConsumerWrite,
): number | null {
  const generation = consumers[consumer]?.generation ?? emptyConsumers[consumer];
  if (!isStale) return generation ?? null;
  return generation === undefined ? 1 : null;
}
