import {
  aggregate,
  SHARING,
  uuidOf,
  type Forest,
  type InventoryRecord,
  type ProviderRecord,
} from '../support/forest.js';
import { capacity } from './capacity.js';
import type { Random } from './random.js';

export const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'SRIOV_NET_VF'];
export const TRAITS = ['CUSTOM_RED', 'CUSTOM_GREEN', 'CUSTOM_BLUE', 'CUSTOM_GOLD'];
export const AGGREGATES = ['A', 'B', 'C'].map(aggregate);

const DEEPEST = 4;
const UUIDS = Array.from({ length: 12 }, (_, index) => uuidOf('provider', `p${index}`));

/**
 * Returns 1 to 4 trees of at most 12 providers together. Roots and children may be sharing. Some
 * inventories are in use.
 *
 * @param counters how many of a hundred forests have inventories that consume counters
 */
export function randomForest(random: Random, { counters = 40 } = {}): Forest {
  const classes = random.sample(CLASSES, random.between(2, 4));
  const trees = random.between(1, 4);
  const forest: Forest = { providers: [], allocations: [] };
  for (let tree = 0; tree < trees; tree++) {
    const pool = tree > 0 && random.chance(30);
    const size = pool ? random.between(1, 2) : random.between(1, Math.ceil(9 / trees));
    growTree(random, forest.providers, size, { pool, classes });
  }
  if (counters > 0 && random.chance(counters)) addCounters(random, forest.providers);
  for (const provider of forest.providers) use(random, provider, forest);
  return forest;
}

const COUNTERS = ['CUSTOM_SLICE', 'CUSTOM_ENGINE'];

/** Adds counters to some providers, which inventories of these providers and their descendants consume. */
export function addCounters(random: Random, providers: ProviderRecord[]): void {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  const upwards = (provider: ProviderRecord): ProviderRecord[] => {
    const parent = provider.parent === null ? undefined : byName.get(provider.parent);
    return parent === undefined ? [provider] : [provider, ...upwards(parent)];
  };
  for (const provider of random.some(providers, 60))
    for (const name of random.some(COUNTERS, 60))
      provider.inventories[name] = {
        ...inventory(random),
        total: random.between(1, 6),
        reserved: random.chance(10) ? 1 : 0,
        min_unit: 1,
        max_unit: 2147483647,
        step_size: 1,
      };
  for (const provider of providers) {
    const reachable = upwards(provider).flatMap((owner) =>
      COUNTERS.filter((name) => name in owner.inventories).map((resourceClass) => ({ owner, resourceClass })),
    );
    for (const partition of Object.keys(provider.inventories)) {
      if (COUNTERS.includes(partition) || !random.chance(70)) continue;
      const consumed = random.some(reachable, 50).map(({ owner, resourceClass }) => ({
        provider: owner.uuid,
        resourceClass,
        amount: random.between(1, 3),
      }));
      if (consumed.length > 0) (provider.consumes ??= {})[partition] = consumed;
    }
  }
}

function growTree(
  random: Random,
  providers: ProviderRecord[],
  size: number,
  { pool, classes }: { pool: boolean; classes: string[] },
): void {
  const grown: { provider: ProviderRecord; depth: number }[] = [];
  for (let index = 0; index < size; index++) {
    const above = index === 0 ? null : random.pick(grown.filter(({ depth }) => depth < DEEPEST));
    const name = `p${providers.length}`;
    const aggregates = random.some(AGGREGATES, pool ? 55 : above ? 20 : 40);
    const sharing = random.chance(pool ? 90 : above ? 12 : 5);
    const provider: ProviderRecord = {
      name,
      uuid: UUIDS[providers.length],
      parent: above?.provider.name ?? null,
      inventories: Object.fromEntries(
        random.some(classes, above ? 55 : 65).map((one) => [one, inventory(random)]),
      ),
      traits: [...random.some(TRAITS, 25), ...(sharing ? [SHARING] : [])],
      aggregates,
    };
    providers.push(provider);
    grown.push({ provider, depth: (above?.depth ?? 0) + 1 });
  }
}

function inventory(random: Random): InventoryRecord {
  const total = random.chance(5) ? 100 : random.between(1, 10);
  return {
    total,
    reserved: random.chance(15) ? random.between(0, total) : 0,
    min_unit: random.chance(15) ? random.between(2, 5) : 1,
    max_unit: random.chance(20) ? random.between(1, 4) : 2147483647,
    step_size: random.chance(15) ? random.between(2, 3) : 1,
    allocation_ratio: random.chance(25) ? random.pick([0.7, 1.15, 1.001, 2, 16, 0.1]) : 1,
  };
}

/**
 * Adds usage of some inventories by one or two consumers, sometimes over the capacity (rule 34).
 */
function use(random: Random, provider: ProviderRecord, forest: Forest): void {
  for (const [resourceClass, offered] of Object.entries(provider.inventories)) {
    const room = capacity(offered);
    if (room < 1 || !random.chance(25)) continue;
    for (let consumers = random.between(1, 2); consumers > 0; consumers--) {
      const used = random.chance(8) ? room + 1 : random.between(1, Math.max(1, room >> 1));
      const consumer = uuidOf('consumer', `c${forest.allocations.length}`);
      forest.allocations.push({ consumer, provider: provider.name, resourceClass, used });
    }
  }
}
