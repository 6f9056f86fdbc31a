import type { InventoryRecord } from '../support/forest.js';
import type { State } from './state.js';

export interface ConsumerWrite {
  readonly consumer: string;
  /** Whether the write sends a stale generation. */
  readonly isStale: boolean;
  readonly project: string;
  readonly user: string;
  readonly type: string;
  /** By provider and class. */
  readonly allocations: Record<string, Record<string, number>>;
}

/** A write that both programs can do. With `isStale`, it sends a stale generation. */
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

/** Returns the generation to send for a provider. */
export function providerGeneration(
  { providers }: State,
  { provider, isStale }: ProviderPart<unknown>,
): number {
  const generation = providers[provider]?.generation ?? 0;
  return isStale ? generation + 1 : generation;
}

/** Returns the generation to send for a consumer; null for a new consumer. Empty consumers count (rule 88). */
export function consumerGeneration(
  { consumers, emptyConsumers }: State,
  { consumer, isStale }: ConsumerWrite,
): number | null {
  const generation = consumers[consumer]?.generation ?? emptyConsumers[consumer];
  if (!isStale) return generation ?? null;
  return generation === undefined ? 1 : null;
}
