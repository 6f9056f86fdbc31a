import {
  aggregate,
  SHARING,
  uuidOf,
  type Forest,
  type InventoryRecord,
  type ProviderRecord,
} from '../support/forest.js';
import { capacity } from './capacity.js';
import type { Dice } from './random.js';

export const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'SRIOV_NET_VF'];
export const TRAITS = ['CUSTOM_RED', 'CUSTOM_GREEN', 'CUSTOM_BLUE', 'CUSTOM_GOLD'];
export const AGGREGATES = ['A', 'B', 'C'].map(aggregate);

const DEEPEST = 4;
const UUIDS = Array.from({ length: 12 }, (_, index) => uuidOf('provider', `p${index}`));

/** 1 to 4 trees of at most 12 providers together, sharing ones among roots and children, some of it in use. */
export function randomForest(dice: Dice): Forest {
  const classes = dice.sample(CLASSES, dice.between(2, 4));
  const trees = dice.between(1, 4);
  const forest: Forest = { providers: [], allocations: [] };
  for (let tree = 0; tree < trees; tree++) {
    const pool = tree > 0 && dice.chance(30);
    const size = pool ? dice.between(1, 2) : dice.between(1, Math.ceil(9 / trees));
    growTree(dice, forest.providers, size, { pool, classes });
  }
  for (const provider of forest.providers) use(dice, provider, forest);
  return forest;
}

function growTree(
  dice: Dice,
  providers: ProviderRecord[],
  size: number,
  { pool, classes }: { pool: boolean; classes: string[] },
): void {
  const grown: { provider: ProviderRecord; depth: number }[] = [];
  for (let index = 0; index < size; index++) {
    const above = index === 0 ? null : dice.pick(grown.filter(({ depth }) => depth < DEEPEST));
    const name = `p${providers.length}`;
    const aggregates = dice.some(AGGREGATES, pool ? 55 : above ? 20 : 40);
    const sharing = dice.chance(pool ? 90 : above ? 12 : 5);
    const provider: ProviderRecord = {
      name,
      uuid: UUIDS[providers.length],
      parent: above?.provider.name ?? null,
      inventories: Object.fromEntries(
        dice.some(classes, above ? 55 : 65).map((one) => [one, inventory(dice)]),
      ),
      traits: [...dice.some(TRAITS, 25), ...(sharing ? [SHARING] : [])],
      aggregates,
    };
    providers.push(provider);
    grown.push({ provider, depth: (above?.depth ?? 0) + 1 });
  }
}

function inventory(dice: Dice): InventoryRecord {
  const total = dice.chance(5) ? 100 : dice.between(1, 10);
  return {
    total,
    reserved: dice.chance(15) ? dice.between(0, total) : 0,
    min_unit: dice.chance(15) ? dice.between(2, 5) : 1,
    max_unit: dice.chance(20) ? dice.between(1, 4) : 2147483647,
    step_size: dice.chance(15) ? dice.between(2, 3) : 1,
    allocation_ratio: dice.chance(25) ? dice.pick([0.7, 1.15, 1.001, 2, 16, 0.1]) : 1,
  };
}

/** Some inventories are in use by one or two consumers, now and then over their capacity (rule 34). */
function use(dice: Dice, provider: ProviderRecord, forest: Forest): void {
  for (const [resourceClass, offered] of Object.entries(provider.inventories)) {
    const room = capacity(offered);
    if (room < 1 || !dice.chance(25)) continue;
    for (let consumers = dice.between(1, 2); consumers > 0; consumers--) {
      const used = dice.chance(8) ? room + 1 : dice.between(1, Math.max(1, room >> 1));
      const consumer = uuidOf('consumer', `c${forest.allocations.length}`);
      forest.allocations.push({ consumer, provider: provider.name, resourceClass, used });
    }
  }
}
