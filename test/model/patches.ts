import {
  checkDistinct,
  checkOffers,
  checkTraits,
  isClass,
  judgeGeneration,
  providerOf,
  refuseIf,
  Refused,
} from './checks.js';
import type { Inputs } from './inputs.js';
import { partsOf, type State } from './state.js';

/** The rules of the mutations that change a part of what there is and leave the rest. */

const FITTING = { total: 2147483647, reserved: 0, minUnit: 1, maxUnit: 1, stepSize: 1, allocationRatio: 1 };

export function patchInventory(
  state: State,
  { resourceProvider: uuid, generation, resourceClass: key, ...patch }: Inputs['patchInventory'],
): void {
  checkOffers(state, [{ resourceClass: key, ...FITTING, ...patch }]);
  const provider = providerOf(state, uuid);
  refuseIf(!(key in provider.inventories), 'NOT_FOUND', { entity: 'INVENTORY', key });
  if (generation !== null) judgeGeneration(provider, generation);
  const offer = Object.assign(provider.inventories[key], patch);
  refuseIf(offer.reserved > offer.total, 'INVALID_INPUT');
}

export function addTraits(state: State, { resourceProvider, traits }: Inputs['addTraits']): void {
  checkTraits(state, traits);
  const provider = providerOf(state, resourceProvider);
  provider.traits = [...new Set([...provider.traits, ...traits])];
}

export function removeTraits(state: State, { resourceProvider, traits }: Inputs['removeTraits']): void {
  checkTraits(state, traits);
  const provider = providerOf(state, resourceProvider);
  provider.traits = provider.traits.filter((name) => !traits.includes(name));
}

export function addToAggregates(state: State, input: Inputs['addToAggregates']): void {
  const { resourceProvider, aggregates } = input;
  checkDistinct(aggregates);
  const provider = providerOf(state, resourceProvider);
  provider.aggregates = [...new Set([...provider.aggregates, ...aggregates])];
  for (const aggregate of aggregates) state.aggregates.add(aggregate);
}

export function removeFromAggregates(state: State, input: Inputs['removeFromAggregates']): void {
  const { resourceProvider, aggregates } = input;
  checkDistinct(aggregates);
  const provider = providerOf(state, resourceProvider);
  provider.aggregates = provider.aggregates.filter((uuid) => !aggregates.includes(uuid));
}

export function nameAggregate(state: State, { aggregate, name }: Inputs['nameAggregate']): void {
  refuseIf(name === '', 'INVALID_INPUT');
  refuseIf(!state.aggregates.has(aggregate), 'NOT_FOUND', { entity: 'AGGREGATE', key: aggregate });
  const isTaken = [...state.aggregateNames].some(([uuid, other]) => uuid !== aggregate && other === name);
  refuseIf(isTaken, 'DUPLICATE_NAME', { name: name! });
  if (name === null) state.aggregateNames.delete(aggregate);
  else state.aggregateNames.set(aggregate, name);
}

export function unsetAllocations(state: State, input: Inputs['unsetAllocations']): void {
  const { consumer: uuid, consumerGeneration, resourceProviders, resourceClasses } = input;
  refuseIf(resourceProviders.length + resourceClasses.length === 0, 'INVALID_INPUT');
  checkDistinct(resourceProviders);
  checkDistinct(resourceClasses);
  refuseIf(!resourceClasses.every((name) => isClass(state, name)), 'INVALID_INPUT');
  for (const each of resourceProviders) providerOf(state, each);
  const consumer = state.consumers.get(uuid);
  if (!consumer) throw new Refused('NOT_FOUND', { entity: 'CONSUMER', key: uuid });
  const isOther = consumerGeneration !== null && consumerGeneration !== consumer.generation;
  refuseIf(isOther, 'CONSUMER_GENERATION_CONFLICT', { consumerUuid: uuid });
  for (const key of Object.keys(consumer.has)) {
    const { provider, resourceClass } = partsOf(key);
    const isNamed =
      (resourceProviders.length === 0 || resourceProviders.includes(provider)) &&
      (resourceClasses.length === 0 || resourceClasses.includes(resourceClass));
    if (isNamed) delete consumer.has[key];
  }
  if (Object.keys(consumer.has).length === 0) state.consumers.delete(uuid);
}
