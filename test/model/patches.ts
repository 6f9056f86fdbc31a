import { checkDistinct, isClass, providerOf, refuseIf, Refused } from './checks.js';
import type { Inputs } from './inputs.js';
import { partsOf, type State } from './state.js';

export function nameAggregate(state: State, { aggregate, name }: Inputs['nameAggregate']): void {
  refuseIf(name === '', 'INVALID_INPUT');
  refuseIf(!state.aggregates.has(aggregate), 'NOT_FOUND', { entity: 'AGGREGATE', key: aggregate });
  const isTaken = [...state.aggregateNames].some(([uuid, other]) => uuid !== aggregate && other === name);
  refuseIf(isTaken, 'DUPLICATE_NAME', { name: name! });
  if (name === null) state.aggregateNames.delete(aggregate);
  else state.aggregateNames.set(aggregate, name);
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
  for (const key of Object.keys(consumer.has)) {
    const { provider, resourceClass } = partsOf(key);
    const isNamed =
      (resourceProviders.length === 0 || resourceProviders.includes(provider)) &&
      (resourceClasses.length === 0 || resourceClasses.includes(resourceClass));
    if (isNamed) delete consumer.has[key];
  }
  if (Object.keys(consumer.has).length === 0) state.consumers.delete(uuid);
}
