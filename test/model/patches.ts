import { checkDistinct, isClass, providerOf, refuseIf, Refused } from './checks.js';
import type { Inputs } from './inputs.js';
import { childrenOf, COUNTER, partsOf, usersOf, withCounters, type State } from './state.js';

export function nameAggregate(state: State, { aggregate, name }: Inputs['nameAggregate']): void {
  refuseIf(name === '', 'INVALID_INPUT');
  refuseIf(!state.aggregates.has(aggregate), 'NOT_FOUND', { entity: 'AGGREGATE', key: aggregate });
  const isTaken = [...state.aggregateNames].some(([uuid, other]) => uuid !== aggregate && other === name);
  refuseIf(isTaken, 'DUPLICATE_NAME', { name: name! });
  if (name === null) state.aggregateNames.delete(aggregate);
  else state.aggregateNames.set(aggregate, name);
}

export function updateAggregateMembers(state: State, input: Inputs['updateAggregateMembers']): void {
  const { aggregate, add, remove } = input;
  refuseIf(add.length + remove.length === 0, 'INVALID_INPUT');
  checkDistinct([...add, ...remove]);
  const isUnknown = add.length === 0 && !state.aggregates.has(aggregate);
  refuseIf(isUnknown, 'NOT_FOUND', { entity: 'AGGREGATE', key: aggregate });
  for (const each of [...add, ...remove]) {
    const provider = providerOf(state, each);
    const others = provider.aggregates.filter((one) => one !== aggregate);
    provider.aggregates = add.includes(each) ? [...others, aggregate] : others;
  }
  if (add.length > 0) state.aggregates.add(aggregate);
}

export function deleteAggregates(state: State, { aggregates }: Inputs['deleteAggregates']): void {
  refuseIf(aggregates.length === 0, 'INVALID_INPUT');
  for (const key of aggregates)
    refuseIf(!state.aggregates.has(key), 'NOT_FOUND', { entity: 'AGGREGATE', key });
  const providers = [...state.providers.values()];
  for (const uuid of aggregates) {
    const isUsed = providers.some((each) => each.aggregates.includes(uuid));
    refuseIf(isUsed, 'AGGREGATE_IN_USE', { aggregateUuid: uuid });
  }
  for (const uuid of aggregates) {
    state.aggregates.delete(uuid);
    state.aggregateNames.delete(uuid);
  }
}

export function deleteResourceProviders(state: State, input: Inputs['deleteResourceProviders']): void {
  const { resourceProviders, recursive } = input;
  refuseIf(resourceProviders.length === 0, 'INVALID_INPUT');
  checkDistinct(resourceProviders);
  const deleted = new Set<string>();
  const add = (uuid: string): void => {
    if (deleted.has(uuid)) return;
    deleted.add(uuid);
    const children = recursive ? childrenOf(state, uuid) : [];
    for (const child of children.sort((a, b) => (a.name < b.name ? -1 : 1))) add(child.uuid);
  };
  for (const uuid of resourceProviders) providerOf(state, uuid);
  for (const uuid of resourceProviders) add(uuid);
  for (const uuid of deleted) {
    const stays = childrenOf(state, uuid).some((child) => !deleted.has(child.uuid));
    refuseIf(stays, 'PROVIDER_HAS_CHILDREN', { resourceProviderUuid: uuid });
  }
  for (const uuid of deleted)
    refuseIf(usersOf(state, uuid).length > 0, 'PROVIDER_IN_USE', { resourceProviderUuid: uuid });
  for (const uuid of deleted) state.providers.delete(uuid);
}

export function unsetAllocations(state: State, input: Inputs['unsetAllocations']): void {
  const { consumer: uuid, generation, resourceProviders, resourceClasses } = input;
  refuseIf(resourceProviders.length + resourceClasses.length === 0, 'INVALID_INPUT');
  checkDistinct(resourceProviders);
  checkDistinct(resourceClasses);
  refuseIf(!resourceClasses.every((name) => isClass(state, name)), 'INVALID_INPUT');
  for (const each of resourceProviders) providerOf(state, each);
  const consumer = state.consumers.get(uuid);
  if (!consumer) throw new Refused('NOT_FOUND', { entity: 'CONSUMER', key: uuid });
  const isOther = generation !== null && generation !== consumer.generation;
  refuseIf(isOther, 'CONSUMER_GENERATION_CONFLICT', { consumerUuid: uuid });
  const selected = Object.keys(consumer.has).filter((key) => {
    const { provider, resourceClass } = partsOf(key);
    return (
      (resourceProviders.length === 0 || resourceProviders.includes(provider)) &&
      (resourceClasses.length === 0 || resourceClasses.includes(resourceClass))
    );
  });
  const isCounter = (key: string): boolean => partsOf(key).resourceClass === COUNTER;
  refuseIf(selected.length > 0 && selected.every(isCounter), 'INVALID_INPUT');
  for (const key of selected) delete consumer.has[key];
  consumer.has = withCounters(state, consumer.has);
  if (Object.keys(consumer.has).length === 0) state.consumers.delete(uuid);
}
