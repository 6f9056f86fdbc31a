import type { Random } from '../oracle/random.js';
import { drawExpiry } from './holds.js';
import { strandedOf, write } from './claims.js';
import type { AllocationInput, ConsumerInput, Inputs } from './inputs.js';
import { CLASSES, CONSUMERS, PROJECTS, TYPES, USERS, type RandomInputs } from './randomInputs.js';
import { capacityOf, COUNTER, partsOf, inventoryKey, unitsAllow, usedOf, type State } from './state.js';

const AMOUNTS = [1, 2, 3, 4, 5, 6, 8];

export function drawSetAllocations(choice: RandomInputs): Inputs['setAllocations'] {
  const { random, state } = choice;
  const count = random.chance(55) ? 1 : random.chance(97) ? random.between(2, 3) : 0;
  const named = random.sample(CONSUMERS, count);
  if (count > 0 && random.chance(1)) named.push(named[0]);
  return { consumers: drawConsumers(choice, named, state) };
}

export function drawReshape(choice: RandomInputs): Inputs['reshape'] {
  const { random, state } = choice;
  const scratch = structuredClone(state);
  const providers = new Set(
    Array.from({ length: random.chance(98) ? random.between(1, 3) : 0 }, () => choice.provider()),
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
  return { inventories, allocations, dryRun: random.chance(15) };
}

/** Returns most of the consumers that a changed state strands, and sometimes others. */
export function concerned({ random }: RandomInputs, scratch: State): string[] {
  const stranded = strandedOf(scratch, []).map((violation) => violation.split(' ')[3]);
  return [...new Set([...random.some(stranded, 95), ...random.some(CONSUMERS, 12)])];
}

/** Draws complete allocations for these consumers. Most fit together into the given state. */
export function drawConsumers(choice: RandomInputs, named: readonly string[], into: State): ConsumerInput[] {
  const scratch = structuredClone(into);
  for (const consumer of named) scratch.consumers.delete(consumer);
  return named.map((consumer) => {
    const input = drawConsumer(choice, consumer, scratch);
    write(scratch, [input]);
    return input;
  });
}

function drawConsumer({ random, state }: RandomInputs, consumer: string, scratch: State): ConsumerInput {
  const stored = state.consumers.get(consumer);
  const generation = stored?.generation ?? null;
  const isKept = random.chance(70) ? stored : undefined;
  return {
    consumer,
    generation: random.chance(96) ? generation : random.pick([null, 1, (generation ?? 0) + 1]),
    type: random.chance(40) ? null : random.chance(99) ? random.pick(TYPES) : 'lower',
    projectId: isKept?.projectId ?? (random.chance(99) ? random.pick(PROJECTS) : ''),
    userId: isKept?.userId ?? random.pick(USERS),
    expiresAt: drawExpiry(random),
    allocations: stored && random.chance(12) ? restated(stored.has) : drawAllocations(random, scratch),
  };
}

function restated(has: Record<string, number>): AllocationInput[] {
  return grouped(Object.entries(has).filter(([key]) => partsOf(key).resourceClass !== COUNTER));
}

function drawAllocations(random: Random, state: State): AllocationInput[] {
  if (random.chance(8)) return [];
  const shelves = [...state.providers.values()].flatMap(({ uuid, inventories }) =>
    Object.entries(inventories).flatMap(([resourceClass, offer]) =>
      resourceClass === COUNTER ? [] : { key: inventoryKey(uuid, resourceClass), offer },
    ),
  );
  const taken = random.sample(shelves, random.between(1, 3)).flatMap(({ key, offer }): [string, number][] => {
    const room = capacityOf(offer) - usedOf(state, key);
    const fit = AMOUNTS.filter((amount) => amount <= room && unitsAllow(amount, offer));
    if (fit.length > 0 && random.chance(96)) return [[key, random.pick(fit)]];
    return random.chance(12) ? [[key, random.pick(random.chance(95) ? AMOUNTS : [0])]] : [];
  });
  const providers = [...state.providers.keys()];
  if (providers.length > 0 && random.chance(2)) {
    taken.push([inventoryKey(random.pick(providers), random.pick(CLASSES)), 1]);
  }
  if (random.chance(1)) taken.push([inventoryKey(CONSUMERS[0], 'VCPU'), 1]);
  const allocations = grouped([...new Map(taken)]);
  if (allocations.length > 0 && random.chance(1)) allocations.push(allocations[0]);
  return allocations;
}

export function grouped(amounts: readonly [string, number][]): AllocationInput[] {
  const allocations = new Map<string, AllocationInput>();
  for (const [key, amount] of amounts) {
    const { provider, resourceClass } = partsOf(key);
    const allocation = allocations.get(provider) ?? { resourceProvider: provider, resources: [] };
    allocation.resources.push({ resourceClass, amount });
    allocations.set(provider, allocation);
  }
  return [...allocations.values()];
}
