import type { Placement } from '../../direct/placement.js';
import type { PlanConsumer, PlanNode, PlanProvider, PlanTree } from '../../direct/plan.js';

export interface Root {
  readonly uuid: string;
  readonly name: string;
}

/** Reads all root providers sorted by name, or only the one with this name. */
export async function readRoots(placement: Placement, name: string | null): Promise<Root[]> {
  const roots: Root[] = [];
  for (let after: string | null = null; ;) {
    const variables: object = { filter: { rootsOnly: true, name }, after };
    const { resourceProviders } = await read<{ resourceProviders: NodePage<Root> }>(
      placement,
      ROOTS,
      variables,
    );
    for (const root of resourceProviders.nodes) roots.push(root);
    if (!resourceProviders.pageInfo.hasNextPage) return roots;
    after = resourceProviders.pageInfo.endCursor;
  }
}

/** Reads the tree of a root with all its consumers. Returns null if the root was deleted. */
export async function readNode(placement: Placement, uuid: string): Promise<PlanNode | null> {
  const first = await read<{ resourceProvider: TreeAnswer | null }>(placement, TREE, { uuid });
  if (first.resourceProvider === null) return null;
  const { treeConsumers, descendants, ...root } = first.resourceProvider;
  const consumers = [...treeConsumers.nodes];
  for (let { hasNextPage, endCursor } = treeConsumers.pageInfo; hasNextPage;) {
    const next: ConsumersAnswer = await read(placement, CONSUMERS, { uuid, after: endCursor });
    if (next.resourceProvider === null) return null;
    for (const consumer of next.resourceProvider.treeConsumers.nodes) consumers.push(consumer);
    ({ hasNextPage, endCursor } = next.resourceProvider.treeConsumers.pageInfo);
  }
  return { tree: treeOf(root, descendants), consumers };
}

function treeOf(root: FlatProvider, descendants: readonly FlatProvider[]): PlanTree {
  const below = descendants.map((flat) => ({ ...flat, children: [] as PlanProvider[] }));
  const tree = { ...root, children: [] as PlanProvider[], descendants: below };
  const byUuid = new Map([tree, ...below].map((provider) => [provider.uuid, provider]));
  for (const provider of below) byUuid.get(provider.parent?.uuid ?? '')?.children.push(provider);
  return tree;
}

async function read<Data>(placement: Placement, document: string, variables: object): Promise<Data> {
  const { data, errors } = await placement.execute<Data>({ document, variables });
  if (errors || !data) throw new Error(`the database cannot be read: ${errors?.[0].message ?? 'no answer'}`);
  return data;
}

type FlatProvider = Omit<PlanProvider, 'children'>;
interface NodePage<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}
type TreeAnswer = FlatProvider & {
  readonly descendants: readonly FlatProvider[];
  readonly treeConsumers: NodePage<PlanConsumer>;
};
interface ConsumersAnswer {
  readonly resourceProvider: Pick<TreeAnswer, 'treeConsumers'> | null;
}

const ROOTS = `query Roots($filter: ResourceProviderFilter!, $after: String) {
  resourceProviders(filter: $filter, first: 1000, after: $after) {
    nodes { uuid name }
    pageInfo { hasNextPage endCursor }
  }
}`;

const CONSUMER_PAGE = `fragment ConsumerPage on ConsumerConnection {
  nodes {
    uuid generation type { name } projectId userId
    allocations { resourceProvider { uuid name } resourceClass { name } amount }
  }
  pageInfo { hasNextPage endCursor }
}`;

const TREE = `query Tree($uuid: UUID!) {
  resourceProvider(by: { uuid: $uuid }) {
    ...Provider
    descendants { ...Provider }
    treeConsumers(first: 1000) { ...ConsumerPage }
  }
}
fragment Provider on ResourceProvider {
  uuid name generation isSharing
  parent { uuid name }
  inventories {
    resourceClass { name }
    total reserved minUnit maxUnit stepSize allocationRatio capacity used available
  }
  traits { name }
  aggregates { uuid }
}
${CONSUMER_PAGE}`;

const CONSUMERS = `query Consumers($uuid: UUID!, $after: String!) {
  resourceProvider(by: { uuid: $uuid }) { treeConsumers(first: 1000, after: $after) { ...ConsumerPage } }
}
${CONSUMER_PAGE}`;
