import { useMemo } from 'react';
import { useQuery } from 'urql';
import type { Lit } from '../../../components/tree/providerBox';
import { TreeDrawing } from '../../../components/tree/treeDrawing';
import { withMarks } from '../../../components/tree/treeLayout';
import {
  TreeOfConsumerDocument,
  type ConsumerProviderFragment,
} from '../../../generated/consumers/operations';
import type { Consumer } from './consumer';

/** Draws the trees in which a consumer has allocations, and highlights these allocations. */
export function ConsumerTree({ allocations }: Pick<Consumer, 'allocations'>) {
  const providers = allocations.flatMap(({ resourceProvider }) => resourceProvider ?? []);
  const own = providers.filter(({ isSharing }) => !isSharing);
  const roots = new Map((own.length > 0 ? own : providers).map(({ root }) => [root.uuid, root.name]));
  const lit = useMemo(() => litBy(allocations), [allocations]);
  return Array.from(roots, ([uuid, name]) => (
    <section key={uuid} className="panel" aria-label={`On ${name}`}>
      <h2>On {name}</h2>
      <Tree root={uuid} name={name} lit={lit} />
    </section>
  ));
}

type LitProviders = ReadonlyMap<string, Lit>;

interface TreeProps {
  readonly root: string;
  readonly name: string;
  readonly lit: LitProviders;
}

function Tree({ root, name, lit }: TreeProps) {
  const variables = useMemo(() => ({ root }), [root]);
  const [{ data }] = useQuery({
    query: TreeOfConsumerDocument,
    variables,
    requestPolicy: 'cache-and-network',
  });
  const provider = data?.resourceProvider;
  const [tree, sharing] = useMemo(() => {
    if (!provider) return [[], []];
    const { descendants, sharingProviders } = provider;
    return [
      [provider, ...descendants].map((one) => withMarks(withoutOwn(one, lit))),
      sharingProviders.filter(({ uuid }) => lit.has(uuid)).map((one) => withMarks(withoutOwn(one, lit))),
    ];
  }, [provider, lit]);
  if (tree.length === 0) return <div className="tree-space" />;
  return <TreeDrawing label={`Tree of ${name}`} tree={tree} sharing={sharing} lit={lit} />;
}

function litBy(allocations: Consumer['allocations']): LitProviders {
  const lit = new Map<string, Lit & { readonly amounts: Map<string, number> }>();
  for (const { amount, resourceClass, resourceProvider } of allocations) {
    if (resourceProvider === null) continue;
    const one = lit.get(resourceProvider.uuid) ?? { amounts: new Map<string, number>(), groups: [] };
    one.amounts.set(resourceClass.name, amount);
    lit.set(resourceProvider.uuid, one);
  }
  return lit;
}

/** Returns the provider with only the usage of other consumers. */
function withoutOwn(provider: ConsumerProviderFragment, lit: LitProviders): ConsumerProviderFragment {
  const amounts = lit.get(provider.uuid)?.amounts;
  if (!amounts) return provider;
  return {
    ...provider,
    inventories: provider.inventories.map((inventory) => ({
      ...inventory,
      used: inventory.used - (amounts.get(inventory.resourceClass.name) ?? 0),
    })),
  };
}
