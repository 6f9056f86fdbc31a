import type { DesiredProviderInput, HostProviderFragment } from '../../generated/host/operations';

/** The new properties of a provider; omitted ones stay as they are. */
type ProviderEdit = Pick<DesiredProviderInput, 'traits' | 'inventories' | 'children'>;

/** Returns the desired state of a tree in which only one provider differs from its current state. */
export function treeWith(
  tree: readonly HostProviderFragment[],
  edited: HostProviderFragment,
  edit: ProviderEdit,
): DesiredProviderInput {
  const desired = (provider: HostProviderFragment): DesiredProviderInput => {
    const { uuid, name, generation } = provider;
    const children = tree.filter(({ parent }) => parent?.uuid === uuid).map(desired);
    return { uuid, name, children, ...(provider === edited && { generation, ...edit }) };
  };
  return desired(tree[0]);
}
