import type * as api from '../generated/client/operations.js';
import { tableOf } from './output.js';
import type { Table } from './layout.js';

type Node = api.TreeUsageFragment;
type Inventory = Node['inventories'][number];
type Consumer = Pick<api.ConsumerFieldsFragment, 'uuid' | 'allocations'>;

/** A partition, which consumes counters. */
interface Partition {
  readonly node: Node;
  readonly inventory: Inventory;
  readonly state: 'used' | 'free' | 'blocked';
}

/** Returns whether an inventory is a partition or a slice, which the tables of devices show. */
export function isOfDevices({ inventories }: Node, inventory: Inventory): boolean {
  return (
    inventory.consumes.length > 0 || slicesIn(inventories).some(({ slices }) => slices.includes(inventory))
  );
}

/** Returns the counters of one unit whose names differ only in a final number, by this number. */
function slicesIn(inventories: readonly Inventory[]) {
  const rows = new Map<string, { readonly number: number; readonly inventory: Inventory }[]>();
  for (const inventory of inventories) {
    const [, prefix, digits] = /^(.*?\D)(\d{1,9})$/.exec(inventory.resourceClass.name) ?? [];
    if (prefix === undefined || !inventory.isCounter || inventory.allowedUsage !== 1) continue;
    rows.set(prefix, [...(rows.get(prefix) ?? []), { number: Number(digits), inventory }]);
  }
  return Array.from(rows)
    .filter(([, slices]) => slices.length > 1)
    .map(([prefix, slices]) => {
      slices.sort((one, other) => one.number - other.number);
      const name = `${prefix}${slices[0].number}-${slices.at(-1)!.number}`;
      return { name, slices: slices.map(({ inventory }) => inventory) };
    });
}

/** Returns the tables of the devices of a tree that have partitions; none without such devices. */
export function deviceTables(nodes: readonly Node[], consumers: readonly Consumer[]): Table[] {
  const partitions = partitionsIn(nodes);
  const devices = nodes
    .filter(({ inventories }) => inventories.some(({ isCounter }) => isCounter))
    .map((device) => {
      const all = partitions.filter(({ inventory }) => counterOf(inventory, device.uuid) !== undefined);
      const used = all.filter(({ inventory }) => inventory.used > 0);
      const marked = used.map((each, at) => ({ ...each, mark: String.fromCharCode(MARKS + (at % LETTERS)) }));
      return { device, all, marked };
    });
  const drawings = devices.flatMap(({ device, marked }) =>
    slicesIn(device.inventories).map(({ name, slices }) => ({
      device: device.name,
      slices: name,
      use: slices.map((slice) => markOf(device.uuid, slice, marked)).join(''),
    })),
  );
  const marks = devices.flatMap(({ device, marked }) =>
    marked.map(({ mark, node, inventory }) => ({
      device: device.name,
      mark,
      partition: node === device ? inventory.resourceClass.name : node.name,
      consumer: consumers
        .filter((each) => isFrom(each, node, inventory))
        .map(({ uuid }) => uuid)
        .join(', '),
    })),
  );
  const counts = devices.flatMap(({ device, all }) => countsOf(device.name, all));
  return [drawings, marks, counts].filter(({ length }) => length > 0).map((rows) => tableOf<object>(rows));
}

/** The code of the first mark, `a`, and the number of marks. */
const [MARKS, LETTERS] = [97, 26];

/** Returns the mark of the partition that uses a slice, or `.` (free), `-` (reserved), `?` (unknown), `*` (several). */
function markOf(
  device: string,
  slice: Inventory,
  marked: readonly (Partition & { readonly mark: string })[],
): string {
  const users = marked.filter(({ inventory }) => counterOf(inventory, device, slice.resourceClass.name));
  if (users.length > 0) return users.length === 1 ? users[0].mark : '*';
  if (slice.used > 0) return '?';
  return slice.available > 0 ? '.' : '-';
}

const isFrom = ({ allocations }: Consumer, node: Node, { resourceClass }: Inventory): boolean =>
  allocations.some(
    (each) => each.resourceProvider?.uuid === node.uuid && each.resourceClass.name === resourceClass.name,
  );

function countsOf(device: string, partitions: readonly Partition[]) {
  const classes = new Set(partitions.map(({ inventory }) => inventory.resourceClass.name));
  return Array.from(classes, (name) => {
    const all = partitions.filter(({ inventory }) => inventory.resourceClass.name === name);
    const countOf = (state: Partition['state']): number => all.filter((each) => each.state === state).length;
    return {
      device,
      class: name,
      used: countOf('used'),
      allocatable: countOf('free'),
      blocked: countOf('blocked'),
    };
  });
}

/** Returns what an inventory consumes of a provider, or of a counter of it. */
const counterOf = ({ consumes }: Inventory, provider: string, resourceClass?: string) =>
  consumes.find(
    (each) =>
      each.resourceProvider?.uuid === provider &&
      (resourceClass === undefined || each.resourceClass.name === resourceClass),
  );

function partitionsIn(nodes: readonly Node[]): Partition[] {
  const keyOf = (provider: string | undefined, { resourceClass }: Pick<Inventory, 'resourceClass'>): string =>
    `${provider} ${resourceClass.name}`;
  const all = nodes.flatMap((node) => node.inventories.map((inventory) => ({ node, inventory })));
  // another program may have allocated partitions without their counters
  const implied = new Map<string, number>();
  for (const { inventory } of all)
    for (const each of inventory.consumes) {
      const key = keyOf(each.resourceProvider?.uuid, each);
      implied.set(key, (implied.get(key) ?? 0) + inventory.used * each.amount);
    }
  const free = new Map(
    all.map(({ node, inventory }) => {
      const key = keyOf(node.uuid, inventory);
      const { available, used } = inventory;
      return [key, available - Math.max(0, (implied.get(key) ?? 0) - used)] as const;
    }),
  );
  return all
    .filter(({ inventory }) => inventory.consumes.length > 0)
    .map(({ node, inventory }) => {
      const fits =
        inventory.available > 0 &&
        inventory.consumes.every(
          (each) => (free.get(keyOf(each.resourceProvider?.uuid, each)) ?? 0) >= each.amount,
        );
      return { node, inventory, state: fits ? 'free' : inventory.used > 0 ? 'used' : 'blocked' };
    });
}
