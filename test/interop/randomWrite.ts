import { capacity } from '../oracle/capacity.js';
import type { Random } from '../oracle/random.js';
import { aggregate, uuidOf, SHARING, type InventoryRecord } from '../support/forest.js';
import type { Known, ProviderState, State } from './state.js';
import type { ConsumerWrite, Write } from './write.js';

const PROVIDERS = Array.from({ length: 6 }, (_, at) => uuidOf('provider', `p${at}`));
/** With fewer providers, most writes create one. */
const FEWEST = 4;
const NAMES = PROVIDERS.map((_, at) => `p${at}`);
const CLASSES = ['VCPU', 'MEMORY_MB', 'CUSTOM_GOLD'];
const CUSTOM_CLASSES = ['CUSTOM_GOLD', 'CUSTOM_IRON'];
const CUSTOM_TRAITS = ['CUSTOM_RED', 'CUSTOM_BLUE'];
const TRAITS = ['HW_CPU_X86_AVX', 'STORAGE_DISK_SSD', SHARING, ...CUSTOM_TRAITS];
const AGGREGATES = ['A', 'B', 'C'].map(aggregate);
const TYPES = ['INSTANCE', 'MIGRATION'];

/** The consumers and projects that random writes may name. */
export const KNOWN: Known = {
  consumers: Array.from({ length: 6 }, (_, at) => uuidOf('consumer', `c${at}`)),
  projects: ['red', 'blue'],
};

const KINDS: readonly Write['kind'][] = [
  ...Array<Write['kind']>(4).fill('createProvider'),
  ...Array<Write['kind']>(2).fill('updateProvider'),
  ...Array<Write['kind']>(5).fill('setInventories'),
  ...Array<Write['kind']>(3).fill('setInventory'),
  ...Array<Write['kind']>(14).fill('setAllocations'),
  ...Array<Write['kind']>(4).fill('reshape'),
  ...(['deleteProvider', 'deleteInventory', 'deleteAllocations'] as const),
  ...(['setTraits', 'setTraits', 'setAggregates', 'setAggregates'] as const),
  ...(['createTrait', 'createTrait', 'deleteTrait', 'createClass', 'createClass', 'deleteClass'] as const),
];

/** Returns a write that probably succeeds in this state; about one in four fails. */
export function randomWrite(random: Random, state: State): Write {
  const present = Object.keys(state.providers);
  const provider = present.length > 0 && random.chance(95) ? random.pick(present) : random.pick(PROVIDERS);
  const isStale = random.chance(7);
  const kind = present.length < FEWEST && random.chance(60) ? 'createProvider' : random.pick(KINDS);
  switch (kind) {
    case 'createProvider': {
      const free = PROVIDERS.filter((uuid) => !present.includes(uuid));
      const at = PROVIDERS.indexOf(random.pick(free.length > 0 && random.chance(85) ? free : PROVIDERS));
      const name = random.chance(90) ? NAMES[at] : random.pick(NAMES);
      return { kind, provider: PROVIDERS[at], name, parent: random.chance(60) ? provider : null };
    }
    case 'updateProvider': {
      const name = random.chance(60) ? (state.providers[provider]?.name ?? 'p0') : random.pick(NAMES);
      const old = state.providers[provider]?.parent ?? null;
      const parent = random.pick([old, old, null, random.pick(PROVIDERS)]);
      return { kind, provider, name, parent };
    }
    case 'setInventories':
      return { kind, provider, isStale, inventories: inventories(random) };
    case 'setInventory':
      return { kind, provider, isStale, resourceClass: random.pick(CLASSES), inventory: inventory(random) };
    case 'deleteInventory':
      return { kind, provider, resourceClass: random.pick(CLASSES) };
    case 'setTraits':
      return { kind, provider, isStale, traits: random.some(TRAITS, 35) };
    case 'setAggregates':
      return { kind, provider, isStale, aggregates: random.some(AGGREGATES, 40) };
    case 'setAllocations': {
      const consumers = random.sample(KNOWN.consumers, random.pick([1, 1, 1, 2, 3]));
      return { kind, consumers: consumers.map((consumer) => consumerWrite(random, state, consumer)) };
    }
    case 'deleteAllocations':
      return { kind, consumer: random.pick(KNOWN.consumers) };
    case 'reshape':
      return random.chance(60) ? pivot(random, state, provider) : anyReshape(random, state, provider);
    case 'createTrait':
    case 'deleteTrait':
      return { kind, name: random.pick(random.chance(90) ? CUSTOM_TRAITS : TRAITS) };
    case 'createClass':
    case 'deleteClass':
      return { kind, name: random.pick(random.chance(90) ? CUSTOM_CLASSES : CLASSES) };
    case 'deleteProvider':
      return { kind, provider };
  }
}

function inventories(random: Random): Record<string, InventoryRecord> {
  return Object.fromEntries(random.some(CLASSES, 60).map((name) => [name, inventory(random)]));
}

function inventory(random: Random): InventoryRecord {
  const total = random.chance(10) ? 100 : random.between(2, 12);
  return {
    total,
    reserved: random.chance(20) ? random.between(0, total - 1) : 0,
    min_unit: random.chance(10) ? 2 : 1,
    max_unit: random.chance(15) ? random.between(1, 4) : 2147483647,
    step_size: random.chance(15) ? 2 : 1,
    allocation_ratio: random.pick([1, 1, 1, 1.5, 2, 16, 0.7, 1.15]),
  };
}

function consumerWrite(random: Random, state: State, consumer: string): ConsumerWrite {
  const old = state.consumers[consumer]?.allocations;
  return {
    consumer,
    isStale: random.chance(5),
    project: random.pick(KNOWN.projects),
    user: random.pick(['anna', 'otto']),
    type: random.pick(TYPES),
    allocations: old !== undefined && random.chance(15) ? old : newAllocations(random, state),
  };
}

function newAllocations(random: Random, state: State): ConsumerWrite['allocations'] {
  const offers = (provider: ProviderState): boolean => Object.keys(provider.inventories).length > 0;
  const offering = Object.entries(state.providers).filter(([, provider]) => offers(provider));
  const allocations = random
    .sample(offering, random.pick([0, 1, 1, 1, 2]))
    .map(([uuid, provider]): [string, Record<string, number>] => {
      const some = random.sample(Object.keys(provider.inventories), random.pick([1, 1, 2]));
      if (random.chance(3)) some.push(random.pick(CLASSES));
      return [uuid, Object.fromEntries(some.map((name) => [name, amount(random, provider, name)]))];
    });
  if (random.chance(2)) allocations.push([random.pick(PROVIDERS), { VCPU: 1 }]);
  return Object.fromEntries(allocations);
}

/** Sometimes returns the whole free amount. */
function amount(random: Random, { inventories, usages }: ProviderState, name: string): number {
  const likely = random.pick([1, 1, 1, 2, 2, 2, 3, 4, 8]);
  if (inventories[name] === undefined || random.chance(80)) return likely;
  const free = capacity(inventories[name]) - usages[name];
  return free > 0 ? free : likely;
}

/** Moves one class with its allocations from one provider to another: the use case of a reshape. */
function pivot(random: Random, state: State, from: string): Write {
  const to = random.pick(Object.keys(state.providers).filter((uuid) => uuid !== from));
  const moved = random.pick(Object.keys(state.providers[from]?.inventories ?? {}));
  if (to === undefined || moved === undefined) return anyReshape(random, state, from);
  const { [moved]: record, ...left } = state.providers[from].inventories;
  const goes = ([, { allocations }]: [string, State['consumers'][string]]): boolean =>
    allocations[from]?.[moved] !== undefined;
  const users = Object.entries(state.consumers).filter(goes);
  return {
    kind: 'reshape',
    providers: [
      { provider: from, isStale: false, inventories: left },
      { provider: to, isStale: false, inventories: { ...state.providers[to].inventories, [moved]: record } },
    ],
    consumers: users.map(([consumer, { project, user, type, allocations }]) => {
      const { [moved]: amount, ...kept } = allocations[from];
      const rest = Object.fromEntries(Object.entries(allocations).filter(([uuid]) => uuid !== from));
      const there = { ...rest[to], [moved]: amount };
      const here = Object.keys(kept).length > 0 ? { [from]: kept } : {};
      return {
        consumer,
        isStale: false,
        project,
        user,
        type,
        allocations: { ...rest, ...here, [to]: there },
      };
    }),
  };
}

function anyReshape(random: Random, state: State, provider: string): Write {
  const others = random.sample(Object.keys(state.providers), 1);
  const consumers = random.sample(KNOWN.consumers, random.between(0, 2));
  return {
    kind: 'reshape',
    providers: [...new Set([provider, ...others])].map((uuid) => ({
      provider: uuid,
      isStale: random.chance(7),
      inventories: inventories(random),
    })),
    consumers: consumers.map((consumer) => consumerWrite(random, state, consumer)),
  };
}
