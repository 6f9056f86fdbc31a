// Gives each host NUMA nodes: VCPU and MEMORY_MB move from the root to one child for each node, SRIOV_NET_VF to a network
// function below each of those. Allocations move along.
//
//   placement-graphql migrate-inventory --plan examples/plans/numa-nodes.mjs --node host-00001 --dry-run
//
// Roots without VCPU, so also those that are done and storage, are left alone. A consumer goes to one node with its
// processors, memory and network functions as far as they fit there together; all else that it has stays where it is.
import { randomUUID } from 'node:crypto';
import { asInput, asItIs, capacityOf, cut, inventoryOf, pack, restocked, rewritten } from './building.mjs';

/** How many NUMA nodes a host has. */
const NODES = 2;

/** What moves to the nodes themselves, and what to a network function below each. */
const ON_NODE = ['VCPU', 'MEMORY_MB'];
const ON_FUNCTION = ['SRIOV_NET_VF'];
const MOVED = [...ON_NODE, ...ON_FUNCTION];

export default function plan({ tree, consumers }) {
  if (!inventoryOf(tree, 'VCPU')) return null;

  const parts = new Map(
    MOVED.flatMap((name) => {
      const inventory = inventoryOf(tree, name);
      return inventory ? [[name, cut(inventory, NODES)]] : [];
    }),
  );
  const stock = (classes, node) => classes.flatMap((name) => parts.get(name)?.[node] ?? []);
  const nodes = Array.from({ length: NODES }, (_, node) => {
    const functions = stock(ON_FUNCTION, node);
    const pf = { uuid: randomUUID(), name: `${tree.name}_numa${node}_pf`, inventories: functions };
    return {
      uuid: randomUUID(),
      name: `${tree.name}_numa${node}`,
      inventories: stock(ON_NODE, node),
      traits: ['HW_NUMA_ROOT'],
      children: functions.length > 0 ? [pf] : [],
    };
  });
  const placeOf = (name, node) => (ON_NODE.includes(name) ? nodes[node] : nodes[node].children[0]).uuid;

  const isMoved = ({ resourceProvider, resourceClass }) =>
    resourceProvider.uuid === tree.uuid && parts.has(resourceClass.name);
  const moved = consumers.filter(({ allocations }) => allocations.some(isMoved));
  const needs = moved.map(({ uuid, allocations }) => ({
    key: uuid,
    amounts: Object.fromEntries(
      allocations.filter(isMoved).map(({ resourceClass, amount }) => [resourceClass.name, amount]),
    ),
  }));
  const bins = nodes.map((_, node) =>
    Object.fromEntries(
      stock(MOVED, node).map((inventory) => [inventory.resourceClass, capacityOf(inventory)]),
    ),
  );
  const packed = pack(needs, bins);

  const others = tree.inventories.filter(({ resourceClass }) => !parts.has(resourceClass.name)).map(asInput);
  return {
    root: { ...restocked(tree, others), children: [...tree.children.map(asItIs), ...nodes] },
    allocations: moved.map((consumer) =>
      rewritten(consumer, (allocation) => {
        if (!isMoved(allocation)) return undefined;
        const { name } = allocation.resourceClass;
        const shares = packed.get(consumer.uuid)[name];
        return shares.map(([node, amount]) => ({
          resourceProvider: placeOf(name, node),
          resourceClass: name,
          amount,
        }));
      }),
    ),
  };
}
