import {
  checkConsumers,
  checkDistinct,
  checkOffers,
  judgeConsumer,
  judgeGeneration,
  providerOf,
  refuseIf,
  Refused,
  type Violation,
} from './checks.js';
import type { ConsumerInput, Inputs, InventoryInput } from './inputs.js';
import { checkQuotas } from './quotas.js';
import {
  capacityOf,
  COUNTER,
  partsOf,
  inventoryKey,
  unitsAllow,
  usedOf,
  withCounters,
  type ModelConsumer,
  type Offer,
  type State,
} from './state.js';

const CODES = ['NO_INVENTORY', 'UNIT_VIOLATION', 'CAPACITY_EXCEEDED'];

/**
 * Replaces the whole sets of all consumers or of none (rules 82, 85 to 88, 90, 91). It judges the
 * amounts with the old allocations of these consumers gone (rules 95 to 97, 106).
 */
export function setAllocations(state: State, { consumers }: Inputs['setAllocations']): void {
  refuseIf(consumers.length === 0, 'INVALID_INPUT');
  checkConsumers(state, consumers);
  findProviders(state, consumers);
  for (const input of consumers) judgeConsumer(state, input);
  const before = structuredClone(state);
  write(state, consumers);
  const violations = violationsOf(before, state, consumers);
  const first = CODES.find((code) => violations.some((violation) => violation.startsWith(code)));
  if (first) throw new Refused(first);
  checkQuotas(before, state);
}

export function deleteConsumer({ consumers }: State, { consumer }: Inputs['deleteConsumer']): void {
  refuseIf(!consumers.delete(consumer), 'NOT_FOUND', { entity: 'CONSUMER', key: consumer });
}

/**
 * Replaces inventories and allocations in one step (rules 182, 184, 186 to 190). Nothing else of a
 * provider changes (rule 193).
 */
export function reshape(state: State, { inventories, allocations }: Inputs['reshape']): void {
  refuseIf(inventories.length === 0, 'INVALID_INPUT');
  checkDistinct(inventories.map(({ resourceProvider }) => resourceProvider));
  for (const each of inventories) checkOffers(state, each.inventories);
  checkConsumers(state, allocations);
  for (const { resourceProvider } of inventories) providerOf(state, resourceProvider);
  findProviders(state, allocations);
  for (const each of inventories) judgeGeneration(providerOf(state, each.resourceProvider), each.generation);
  for (const input of allocations) judgeConsumer(state, input);
  const before = structuredClone(state);
  for (const each of inventories) {
    state.providers.get(each.resourceProvider)!.inventories = offersOf(each.inventories);
  }
  write(state, allocations);
  judgeFinal(before, state, allocations);
}

/** Rules 184, 185, 188, 189: reports all violations of the final state together. */
export function judgeFinal(before: State, after: State, named: readonly ConsumerInput[]): void {
  const uuids = named.map(({ consumer }) => consumer);
  const violations = [
    ...rewriteCounters(before, after, uuids),
    ...strandedOf(after, uuids),
    ...violationsOf(before, after, named),
  ];
  if (violations.length > 0)
    throw new Refused('RESHAPE_REFUSED', { violations: [...new Set(violations)].sort() });
}

/**
 * Writes the counters of the other consumers of inventories whose consumption changes, and returns the violations of
 * these counters.
 */
function rewriteCounters(before: State, after: State, named: readonly string[]): Violation[] {
  const others = [...after.consumers.values()].filter(
    ({ uuid, has }) =>
      !named.includes(uuid) && Object.keys(has).some((key) => changesConsumption(before, after, key)),
  );
  for (const each of others) each.has = withCounters(after, each.has);
  return violationsOf(
    before,
    after,
    others.map(({ uuid }) => ({ consumer: uuid })),
  ).filter((violation) => violation.split(' ')[2] === COUNTER);
}

/** Returns whether an inventory exists in both states and consumes another amount. */
function changesConsumption(before: State, after: State, key: string): boolean {
  const { provider, resourceClass } = partsOf(key);
  const [one, other] = [before, after].map(
    ({ providers }) => providers.get(provider)?.inventories[resourceClass],
  );
  return one !== undefined && other !== undefined && one.consumes !== other.consumes;
}

/** Rejects a change of what an inventory in use consumes, outside of a reshape. */
export function checkConsumption(before: State, after: State): void {
  const used = new Set([...before.consumers.values()].flatMap(({ has }) => Object.keys(has)));
  refuseIf(
    [...used].some((key) => changesConsumption(before, after, key)),
    'CONSUMPTION_IN_USE',
  );
}

/** Returns the allocations of other consumers whose provider or inventory no longer exists. */
export function strandedOf({ consumers, providers }: State, named: readonly string[]): Violation[] {
  return [...consumers.values()]
    .filter(({ uuid }) => !named.includes(uuid))
    .flatMap(({ uuid, has }) =>
      Object.keys(has).flatMap((key) => {
        const { provider, resourceClass } = partsOf(key);
        const left = providers.get(provider);
        if (!left) return [`PROVIDER_IN_USE ${provider} null ${uuid}`];
        return left.inventories[resourceClass] ? [] : [`INVENTORY_IN_USE ${key} ${uuid}`];
      }),
    );
}

/** Rules 97 to 100, decisions D1, D2, D15. */
export function violationsOf(
  before: State,
  after: State,
  named: readonly Pick<ConsumerInput, 'consumer'>[],
): Violation[] {
  return named.flatMap(({ consumer }) =>
    Object.entries(after.consumers.get(consumer)?.has ?? {}).flatMap(([key, amount]) => {
      const { provider, resourceClass } = partsOf(key);
      const offer: Offer | undefined = after.providers.get(provider)?.inventories[resourceClass];
      if (!offer) return [`NO_INVENTORY ${key} ${consumer}`];
      const used = usedOf(after, key);
      const isOver = used > capacityOf(offer) && used > usedOf(before, key);
      return [
        ...(unitsAllow(amount, offer) ? [] : [`UNIT_VIOLATION ${key} ${consumer}`]),
        ...(isOver ? [`CAPACITY_EXCEEDED ${key} ${consumer}`] : []),
      ];
    }),
  );
}

function findProviders(state: State, consumers: readonly ConsumerInput[]): void {
  for (const { allocations } of consumers) {
    for (const { resourceProvider } of allocations) providerOf(state, resourceProvider);
  }
}

/** Writes the new allocations of consumers. The generations are set afterwards. */
export function write(state: State, inputs: readonly ConsumerInput[]): void {
  for (const input of inputs) {
    if (input.allocations.length === 0) {
      state.consumers.delete(input.consumer);
      continue;
    }
    const next = wanted(state, input);
    state.consumers.set(next.uuid, next);
    state.projects.add(next.projectId);
    state.users.add(next.userId);
    if (next.consumerType !== null) state.types.add(next.consumerType);
  }
}

/** Returns whether an input differs from the stored consumer. */
export function changes(state: State, input: ConsumerInput): boolean {
  const stored = state.consumers.get(input.consumer);
  if (input.allocations.length === 0) return stored !== undefined;
  return stored === undefined || fingerprint(stored) !== fingerprint(wanted(state, input));
}

function wanted(state: State, input: ConsumerInput): ModelConsumer {
  const stored = state.consumers.get(input.consumer);
  const stated = input.allocations.flatMap(({ resourceProvider, resources }) =>
    resources.map(({ resourceClass, amount }) => [inventoryKey(resourceProvider, resourceClass), amount]),
  );
  const has = Object.fromEntries(stated) as Record<string, number>;
  return {
    uuid: input.consumer,
    generation: stored?.generation ?? 0,
    consumerType: input.type ?? stored?.consumerType ?? null,
    projectId: input.projectId,
    userId: input.userId,
    expiresAt: input.expiresAt ?? stored?.expiresAt ?? null,
    has: withCounters(state, has),
  };
}

export function fingerprint({ has, ...consumer }: ModelConsumer): string {
  return JSON.stringify({ ...consumer, has: Object.entries(has).sort() });
}

export function offersOf(inputs: readonly InventoryInput[]): Record<string, Offer> {
  return Object.fromEntries(inputs.map(({ resourceClass, ...offer }) => [resourceClass, offer]));
}
