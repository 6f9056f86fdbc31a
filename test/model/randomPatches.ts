import type { Inputs } from './inputs.js';
import { AGGREGATES, CLASSES, CONSUMERS, type RandomInputs } from './randomInputs.js';
import { partsOf } from './state.js';

export function drawPatch(choice: RandomInputs): Inputs['patchInventory'] {
  const { random, state } = choice;
  const resourceProvider = choice.providerThat(({ inventories }) => Object.keys(inventories).length > 0);
  const has = Object.keys(state.providers.get(resourceProvider)?.inventories ?? {});
  const resourceClass = random.pick(has.length > 0 && random.chance(95) ? has : CLASSES);
  return {
    resourceProvider,
    generation: random.chance(50) ? choice.generation(resourceProvider) : null,
    ...Object.fromEntries(Object.entries(choice.offer(resourceClass)).filter(() => random.chance(40))),
    resourceClass,
  };
}

export function drawSomeTraits(choice: RandomInputs): Inputs['addTraits'] {
  return { resourceProvider: choice.provider(), traits: choice.traits() };
}

export function drawSomeAggregates(choice: RandomInputs): Inputs['addToAggregates'] {
  return { resourceProvider: choice.provider(), aggregates: choice.aggregates() };
}

export function drawAggregateName({ random }: RandomInputs): Inputs['nameAggregate'] {
  return { aggregate: random.pick(AGGREGATES), name: random.pick(['', 'east', 'west', null]) };
}

export function drawUnset(choice: RandomInputs): Inputs['unsetAllocations'] {
  const { random, state } = choice;
  const live = [...state.consumers.keys()];
  const consumer = random.pick(live.length > 0 && random.chance(90) ? live : CONSUMERS);
  const { generation = 1, has = {} } = state.consumers.get(consumer) ?? {};
  const parts = Object.keys(has).map(partsOf);
  const own = random.some([...new Set(parts.map(({ provider }) => provider))], 60);
  const others = random.chance(20) ? [choice.provider()] : [];
  const classes = [...new Set(parts.map(({ resourceClass }) => resourceClass))];
  return {
    consumer,
    consumerGeneration: random.chance(50) ? null : random.chance(92) ? generation : generation + 1,
    resourceProviders: random.chance(60) ? [...new Set([...own, ...others])] : [],
    resourceClasses: choice.list(random.some(random.chance(90) ? classes : CLASSES, 60)),
  };
}
