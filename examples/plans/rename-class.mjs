// Renames a custom resource class to the standard one that has come for it, wherever it is in a tree: inventories and
// allocations together.
//
//   placement-graphql migrate-inventory --plan examples/plans/rename-class.mjs --dry-run
//
// Trees without the old class, so also those that are done, are left alone. What consumers have of it on providers of
// other trees, such as a sharing provider's, keeps its name until that tree has its turn.
import { asInput, inventoryOf, restocked, rewritten } from './building.mjs';

const OLD = 'CUSTOM_FPGA';
const NEW = 'FPGA';

export default function plan({ tree, consumers }) {
  const stocked = [tree, ...tree.descendants].filter((provider) => inventoryOf(provider, OLD));
  if (stocked.length === 0) return null;
  for (const provider of stocked) {
    if (inventoryOf(provider, NEW)) throw new Error(`${provider.name} has both ${OLD} and ${NEW}`);
  }

  const uuids = new Set(stocked.map(({ uuid }) => uuid));
  const isRenamed = ({ resourceProvider, resourceClass }) =>
    uuids.has(resourceProvider.uuid) && resourceClass.name === OLD;
  return {
    root: restated(tree, uuids),
    allocations: consumers
      .filter(({ allocations }) => allocations.some(isRenamed))
      .map((consumer) =>
        rewritten(consumer, (allocation) =>
          isRenamed(allocation)
            ? [
                {
                  resourceProvider: allocation.resourceProvider.uuid,
                  resourceClass: NEW,
                  amount: allocation.amount,
                },
              ]
            : undefined,
        ),
      ),
  };
}

/** The provider with everything below it as it is, but for the name of the class. */
function restated(provider, uuids) {
  const inventories = provider.inventories
    .map(asInput)
    .map((inventory) => (inventory.resourceClass === OLD ? { ...inventory, resourceClass: NEW } : inventory));
  return {
    ...(uuids.has(provider.uuid)
      ? restocked(provider, inventories)
      : { uuid: provider.uuid, name: provider.name }),
    children: provider.children.map((child) => restated(child, uuids)),
  };
}
