import type { Forest } from '../support/forest.js';
import { noQuotas, type ModelQuotas } from './quotas.js';

/** An inventory without its class; ratios are tenths, so that capacity is exact in whole numbers. */
export interface Offer {
  total: number;
  reserved: number;
  minUnit: number;
  maxUnit: number;
  stepSize: number;
  allocationRatio: number;
  /** The amount of the provider's counter that each allocated unit consumes. 0: none. */
  consumes: number;
}

export interface ModelProvider {
  uuid: string;
  name: string;
  generation: number;
  parent: string | null;
  /** One inventory for each class (rule 16). */
  inventories: Record<string, Offer>;
  traits: string[];
  aggregates: string[];
}

export interface ModelConsumer {
  uuid: string;
  generation: number;
  consumerType: string | null;
  projectId: string;
  userId: string;
  /** When it ends by itself. Null: it does not. */
  expiresAt: string | null;
  /** Amounts by inventory: `provider class`. */
  has: Record<string, number>;
}

/** The content of the ledger. Only custom traits and classes are listed. */
export interface State {
  providers: Map<string, ModelProvider>;
  consumers: Map<string, ModelConsumer>;
  traits: Set<string>;
  classes: Set<string>;
  /** Names and uuids that are created by their first use and never deleted (rules 78, 81). */
  aggregates: Set<string>;
  /** The names by uuid. Not every aggregate has a name. */
  aggregateNames: Map<string, string>;
  projects: Set<string>;
  users: Set<string>;
  types: Set<string>;
  quotas: ModelQuotas;
  /** The consumers that `keepOldAs` has created. Quotas do not count them. */
  kept: Set<string>;
}

export function emptyState(): State {
  const names = () => new Set<string>();
  return {
    providers: new Map(),
    consumers: new Map(),
    traits: names(),
    classes: names(),
    aggregates: names(),
    aggregateNames: new Map(),
    projects: names(),
    users: names(),
    types: names(),
    quotas: noQuotas(),
    kept: names(),
  };
}

export function inventoryKey(provider: string, resourceClass: string): string {
  return `${provider} ${resourceClass}`;
}

export function partsOf(key: string): { provider: string; resourceClass: string } {
  const [provider, resourceClass] = key.split(' ');
  return { provider, resourceClass };
}

/**
 * The class of counters. An inventory consumes that of its own provider; test/ledger/partitionSequences has counters of
 * a parent. No input states amounts of it.
 */
export const COUNTER = 'CUSTOM_COUNTER';

/** Returns the amounts of a consumer with the sums that its other amounts consume as the amounts of counters. */
export function withCounters(
  { providers }: State,
  has: Readonly<Record<string, number>>,
): Record<string, number> {
  const own = Object.entries(has).filter(([key]) => partsOf(key).resourceClass !== COUNTER);
  const all: Record<string, number> = Object.fromEntries(own);
  for (const [key, amount] of own) {
    const { provider, resourceClass } = partsOf(key);
    const consumed = amount * (providers.get(provider)?.inventories[resourceClass]?.consumes ?? 0);
    const counter = inventoryKey(provider, COUNTER);
    if (consumed > 0) all[counter] = (all[counter] ?? 0) + consumed;
  }
  return all;
}

/** Decision D2. */
export function capacityOf({ total, reserved, allocationRatio }: Offer): number {
  return Math.floor(((total - reserved) * Math.round(allocationRatio * 10)) / 10);
}

/** Decision D1. */
export function unitsAllow(amount: number, { minUnit, maxUnit, stepSize }: Offer): boolean {
  return amount >= minUnit && amount <= maxUnit && (amount === minUnit || amount % stepSize === 0);
}

/** Returns the usage of an inventory by all consumers except `without`. */
export function usedOf(state: State, key: string, without: readonly string[] = []): number {
  let used = 0;
  for (const { uuid, has } of state.consumers.values()) if (!without.includes(uuid)) used += has[key] ?? 0;
  return used;
}

/** Returns the consumers with allocations on a provider, or on one of its classes. */
export function usersOf(state: State, provider: string, resourceClass?: string): string[] {
  const isThere = (key: string): boolean =>
    resourceClass === undefined
      ? partsOf(key).provider === provider
      : key === inventoryKey(provider, resourceClass);
  return [...state.consumers.values()]
    .filter(({ has }) => Object.keys(has).some(isThere))
    .map(({ uuid }) => uuid);
}

export function childrenOf({ providers }: State, uuid: string): ModelProvider[] {
  return [...providers.values()].filter(({ parent }) => parent === uuid);
}

export function rootOf({ providers }: State, uuid: string): string {
  const { parent } = providers.get(uuid)!;
  return parent === null ? uuid : rootOf({ providers } as State, parent);
}

export function isBelow({ providers }: State, uuid: string | null, top: string): boolean {
  for (let at = uuid; at !== null; at = providers.get(at)!.parent) if (at === top) return true;
  return false;
}

/** Converts the state to the format of the naive engine, parents first. */
export function forestOf(state: State): Forest {
  const providers: Forest['providers'] = [];
  const add = (one: ModelProvider): void => {
    const inventories = Object.entries(one.inventories).map(([name, offer]) => [
      name,
      {
        total: offer.total,
        reserved: offer.reserved,
        min_unit: offer.minUnit,
        max_unit: offer.maxUnit,
        step_size: offer.stepSize,
        allocation_ratio: offer.allocationRatio,
      },
    ]);
    providers.push({
      name: one.name,
      uuid: one.uuid,
      parent: one.parent === null ? null : state.providers.get(one.parent)!.name,
      inventories: Object.fromEntries(inventories) as Forest['providers'][number]['inventories'],
      traits: one.traits,
      aggregates: one.aggregates,
      consumes: Object.fromEntries(
        Object.entries(one.inventories).flatMap(([name, { consumes: amount }]) =>
          amount === 0 ? [] : [[name, [{ provider: one.uuid, resourceClass: COUNTER, amount }]]],
        ),
      ),
    });
    childrenOf(state, one.uuid).forEach(add);
  };
  [...state.providers.values()].filter(({ parent }) => parent === null).forEach(add);
  const allocations = [...state.consumers.values()].flatMap(({ uuid, has }) =>
    Object.entries(has).map(([key, used]) => {
      const { provider, resourceClass } = partsOf(key);
      return { consumer: uuid, provider: state.providers.get(provider)!.name, resourceClass, used };
    }),
  );
  return { providers, allocations };
}
