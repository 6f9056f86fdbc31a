// Moves the VGPU inventory of each host to child providers, one for each physical GPU, and the allocations with it.
//
//   placement-graphql migrate-inventory --plan examples/plans/vgpu-to-physical-gpus.mjs --dry-run
//
// Hosts whose root has no VGPU inventory, so also those that are done, are left alone. Consumers get their VGPUs from one
// physical GPU as far as they fit; all else that they have, such as disk on shared storage, stays where it is.
import { randomUUID } from 'node:crypto';
import { asInput, asItIs, capacityOf, cut, inventoryOf, pack, restocked, rewritten } from './building.mjs';

/** How many virtual GPUs a physical one gives. */
const VGPUS_PER_GPU = 16;

export default function plan({ tree, consumers }) {
  const vgpu = inventoryOf(tree, 'VGPU');
  if (!vgpu) return null;

  const gpus = cut(vgpu, Math.ceil(vgpu.total / VGPUS_PER_GPU)).map((inventory, index) => ({
    uuid: randomUUID(),
    name: `${tree.name}_pgpu${index}`,
    inventories: [inventory],
  }));
  const others = tree.inventories.filter((inventory) => inventory !== vgpu).map(asInput);

  const isMoved = ({ resourceProvider, resourceClass }) =>
    resourceProvider.uuid === tree.uuid && resourceClass.name === 'VGPU';
  const moved = consumers.filter(({ allocations }) => allocations.some(isMoved));
  const needs = moved.map(({ uuid, allocations }) => ({
    key: uuid,
    amounts: { VGPU: allocations.find(isMoved).amount },
  }));
  const packed = pack(
    needs,
    gpus.map(({ inventories: [inventory] }) => ({ VGPU: capacityOf(inventory) })),
  );

  return {
    root: { ...restocked(tree, others), children: [...tree.children.map(asItIs), ...gpus] },
    allocations: moved.map((consumer) =>
      rewritten(consumer, (allocation) => {
        if (!isMoved(allocation)) return undefined;
        return packed.get(consumer.uuid).VGPU.map(([gpu, amount]) => ({
          resourceProvider: gpus[gpu].uuid,
          resourceClass: 'VGPU',
          amount,
        }));
      }),
    ),
  };
}
