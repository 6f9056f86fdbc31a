import type { Dice } from '../oracle/random.js';
import { strandedOf, write } from './claims.js';
import type { AllocationInput, ConsumerInput, Inputs } from './inputs.js';
import { CLASSES, CONSUMERS, PROJECTS, TYPES, USERS, type Choice } from './randomInputs.js';
import { capacityOf, partsOf, shelf, unitsAllow, usedOf, type State } from './state.js';

const AMOUNTS = [1, 2, 3, 4, 5, 6, 8];

export function drawSetAllocations(choice: Choice): Inputs['setAllocations'] {
  const { dice, state } = choice;
  const count = dice.chance(55) ? 1 : dice.chance(97) ? dice.between(2, 3) : 0;
  const named = dice.sample(CONSUMERS, count);
  if (count > 0 && dice.chance(1)) named.push(named[0]);
  return { consumers: drawConsumers(choice, named, state) };
}

export function drawReshape(choice: Choice): Inputs['reshape'] {
  const { dice, state } = choice;
  const scratch = structuredClone(state);
  const providers = new Set(
    Array.from({ length: dice.chance(98) ? dice.between(1, 3) : 0 }, () => choice.provider()),
  );
  const inventories = [...providers].map((resourceProvider) => {
    const inventories = choice.offers();
    const offers = Object.fromEntries(
      inventories.map(({ resourceClass, ...offer }) => [resourceClass, offer]),
    );
    const stored = scratch.providers.get(resourceProvider);
    if (stored) stored.inventories = offers;
    return { resourceProvider, generation: choice.generation(resourceProvider), inventories };
  });
  const allocations = drawConsumers(choice, concerned(choice, scratch), scratch);
  return { inventories, allocations, dryRun: dice.chance(15) };
}

/** Those that a changed state leaves without a place, mostly all of them, and sometimes others. */
export function concerned({ dice }: Choice, scratch: State): string[] {
  const stranded = strandedOf(scratch, []).map((violation) => violation.split(' ')[3]);
  return [...new Set([...dice.some(stranded, 95), ...dice.some(CONSUMERS, 12)])];
}

/** Whole sets for these consumers, most of which fit together into the state given. */
export function drawConsumers(choice: Choice, named: readonly string[], into: State): ConsumerInput[] {
  const scratch = structuredClone(into);
  for (const consumer of named) scratch.consumers.delete(consumer);
  return named.map((consumer) => {
    const input = drawConsumer(choice, consumer, scratch);
    write(scratch, [input]);
    return input;
  });
}

function drawConsumer({ dice, state }: Choice, consumer: string, scratch: State): ConsumerInput {
  const stored = state.consumers.get(consumer);
  const generation = stored?.generation ?? null;
  const isKept = dice.chance(70) ? stored : undefined;
  return {
    consumer,
    consumerGeneration: dice.chance(96) ? generation : dice.pick([null, 1, (generation ?? 0) + 1]),
    consumerType: dice.chance(40) ? null : dice.chance(99) ? dice.pick(TYPES) : 'lower',
    projectId: isKept?.projectId ?? (dice.chance(99) ? dice.pick(PROJECTS) : ''),
    userId: isKept?.userId ?? dice.pick(USERS),
    allocations: stored && dice.chance(12) ? restated(stored.has) : drawAllocations(dice, scratch),
  };
}

function restated(has: Record<string, number>): AllocationInput[] {
  return grouped(Object.entries(has));
}

function drawAllocations(dice: Dice, state: State): AllocationInput[] {
  if (dice.chance(8)) return [];
  const shelves = [...state.providers.values()].flatMap(({ uuid, inventories }) =>
    Object.entries(inventories).map(([resourceClass, offer]) => ({ key: shelf(uuid, resourceClass), offer })),
  );
  const taken = dice.sample(shelves, dice.between(1, 3)).flatMap(({ key, offer }): [string, number][] => {
    const room = capacityOf(offer) - usedOf(state, key);
    const fit = AMOUNTS.filter((amount) => amount <= room && unitsAllow(amount, offer));
    if (fit.length > 0 && dice.chance(96)) return [[key, dice.pick(fit)]];
    return dice.chance(12) ? [[key, dice.pick(dice.chance(95) ? AMOUNTS : [0])]] : [];
  });
  const providers = [...state.providers.keys()];
  if (providers.length > 0 && dice.chance(2)) {
    taken.push([shelf(dice.pick(providers), dice.pick(CLASSES)), 1]);
  }
  if (dice.chance(1)) taken.push([shelf(CONSUMERS[0], 'VCPU'), 1]);
  const allocations = grouped([...new Map(taken)]);
  if (allocations.length > 0 && dice.chance(1)) allocations.push(allocations[0]);
  return allocations;
}

function grouped(amounts: readonly [string, number][]): AllocationInput[] {
  const allocations = new Map<string, AllocationInput>();
  for (const [key, amount] of amounts) {
    const { provider, resourceClass } = partsOf(key);
    const allocation = allocations.get(provider) ?? { resourceProvider: provider, resources: [] };
    allocation.resources.push({ resourceClass, amount });
    allocations.set(provider, allocation);
  }
  return [...allocations.values()];
}
