import { createHash } from 'node:crypto';

/** The trait that makes a provider sharing (rule 73). */
export const SHARING = 'MISC_SHARES_VIA_AGGREGATE';

/** One inventory, with the column names of the `inventories` table, as the conformance files spell them. */
export interface InventoryRecord {
  total: number;
  reserved: number;
  min_unit: number;
  max_unit: number;
  step_size: number;
  allocation_ratio: number;
}

/** `parent` is the name of a provider that precedes its children in `Forest.providers`. */
export interface ProviderRecord {
  name: string;
  uuid: string;
  parent: string | null;
  inventories: Record<string, InventoryRecord>;
  traits: string[];
  aggregates: string[];
  /** By class: the counters that each allocated unit consumes. `provider` is a uuid. */
  consumes?: Record<string, { provider: string; resourceClass: string; amount: number }[]>;
}

/** `consumer` is a uuid, `provider` a name. */
interface AllocationRecord {
  consumer: string;
  provider: string;
  resourceClass: string;
  used: number;
}

/** A small fleet as plain data: the format of the conformance files. */
export interface Forest {
  providers: ProviderRecord[];
  allocations: AllocationRecord[];
}

/** Returns a stable uuid for a name, so that failures have the same text in every run. */
export function uuidOf(kind: string, name: string): string {
  const hex = createHash('sha1').update(`${kind}:${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the uuid of the aggregate that a picture names by a letter. */
export function aggregate(letter: string): string {
  return uuidOf('aggregate', letter);
}

/**
 * Draws a forest: one provider a line, children indented below their parent.
 *
 *     SS1        DISK_GB:1000   @A sharing
 *     CN1        MEMORY_MB:512  @A @B
 *       NUMA1_1  VCPU:8(used=2,max=4)  +HW_NUMA_ROOT
 *
 * `CLASS:total` is an inventory; in brackets, without spaces: used, reserved, min, max, step, ratio.
 * `@A` is an aggregate, `+T` a trait, `sharing` the sharing trait.
 */
export function forest(picture: string): Forest {
  const drawn: Forest = { providers: [], allocations: [] };
  const open: { indent: number; name: string }[] = [];
  for (const line of picture.split('\n').filter((text) => text.trim() !== '')) {
    const indent = line.length - line.trimStart().length;
    const [name, ...marks] = line.trim().split(/\s+/);
    while (open.length > 0 && open[open.length - 1].indent >= indent) open.pop();
    const parent = open.length > 0 ? open[open.length - 1].name : null;
    open.push({ indent, name });
    const provider: ProviderRecord = {
      name,
      uuid: uuidOf('provider', name),
      parent,
      inventories: {},
      traits: [],
      aggregates: [],
    };
    for (const mark of marks) draw(mark, provider, drawn);
    drawn.providers.push(provider);
  }
  return drawn;
}

function draw(mark: string, provider: ProviderRecord, drawn: Forest): void {
  if (mark === 'sharing') provider.traits.push(SHARING);
  else if (mark.startsWith('+')) provider.traits.push(mark.slice(1));
  else if (mark.startsWith('@')) provider.aggregates.push(aggregate(mark.slice(1)));
  else {
    const parts = /^([A-Z0-9_]+):(\d+)(?:\((.*)\))?$/.exec(mark);
    if (!parts) throw new Error(`a picture of ${provider.name} cannot say "${mark}"`);
    const [, resourceClass, total, details] = parts;
    const { used, ...inventory } = inventoryOf(Number(total), details ?? '');
    provider.inventories[resourceClass] = inventory;
    if (used > 0) {
      const consumer = uuidOf('consumer', `${provider.name} ${resourceClass}`);
      drawn.allocations.push({ consumer, provider: provider.name, resourceClass, used });
    }
  }
}

function inventoryOf(total: number, details: string): InventoryRecord & { used: number } {
  const said = new Map(
    details
      .split(',')
      .filter(Boolean)
      .map((detail) => {
        const [key, value] = detail.split('=');
        return [key, Number(value)];
      }),
  );
  const take = (key: string, otherwise: number): number => {
    const value = said.get(key) ?? otherwise;
    said.delete(key);
    return value;
  };
  const inventory = {
    total,
    used: take('used', 0),
    reserved: take('reserved', 0),
    min_unit: take('min', 1),
    max_unit: take('max', 2147483647),
    step_size: take('step', 1),
    allocation_ratio: take('ratio', 1),
  };
  if (said.size > 0) throw new Error(`unknown detail of an inventory: ${[...said.keys()].join(', ')}`);
  return inventory;
}
