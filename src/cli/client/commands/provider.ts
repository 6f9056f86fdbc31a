import type { Command } from 'commander';
import {
  CreateProviderDocument,
  DeleteProviderDocument,
  ListProviderAllocationsDocument,
  ListProvidersDocument,
  ShowProviderDocument,
  ShowTreeDocument,
  UpdateProviderDocument,
  type ListProviderAllocationsQuery,
  type ProviderFieldsFragment,
  type ShowTreeQuery,
} from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import {
  asText,
  collect,
  readAlternatives,
  readAmounts,
  wholeNumber,
  type Amount,
} from '../arguments/amounts.js';
import { findProvider, known, providerBy, providerUuid } from '../arguments/providers.js';
import type { Client } from '../connection/client.js';
import { accepted, Failure } from '../connection/failure.js';
import { allPages } from '../connection/pages.js';
import { fields, list, tableOf, type Output } from '../output/output.js';
import { inventoryColumns } from './inventory.js';

interface ListOptions {
  readonly name?: string;
  readonly uuid?: string;
  readonly inTree?: string;
  readonly required?: string[][];
  readonly forbidden?: string[];
  readonly memberOf?: string[][];
  readonly notMemberOf?: string[];
  readonly resource?: Amount[][];
  readonly roots?: boolean;
  readonly limit?: number;
}

export function addProviderCommands(program: Command): void {
  const provider = program
    .command('provider')
    .description('resource providers, such as hosts, and their trees');
  addList(provider);
  addCommand(provider, 'show <provider>', 'one provider, with what it offers')
    .option('--allocations', 'with what consumers take of it')
    .action(action(show));
  addCommand(provider, 'tree <provider>', 'the whole tree that a provider is in').action(action(showTree));
  addCommand(provider, 'create <name>', 'create a provider: a root, or a child of another one')
    .option('--parent <provider>', 'the provider directly above')
    .option('--uuid <uuid>', 'its uuid; made up when nothing is said')
    .action(action(create));
  addCommand(provider, 'set <provider>', 'rename a provider, or move it with what is below it')
    .option('--name <name>', 'the new name')
    .option('--parent <provider>', 'the new provider directly above, in any tree')
    .option('--root', 'make it the root of a tree of its own')
    .action(action(update));
  addCommand(provider, 'delete <provider...>', 'delete providers without children and allocations').action(
    action(remove),
  );
}

function addList(provider: Command): void {
  addCommand(provider, 'list', 'providers by name')
    .option('--name <name>', 'the one with exactly this name')
    .option('--uuid <uuid>', 'the one with this uuid')
    .option('--in-tree <provider>', 'those of the tree that this one is in')
    .option('--roots', 'roots of trees alone')
    .option(
      '--resource <amount>',
      'that could take this now, such as VCPU=2; may be repeated',
      collect(readAmounts),
    )
    .option(
      '--required <traits>',
      'with a trait; A,B: with one of them; may be repeated',
      collect(readAlternatives),
    )
    .option('--forbidden <trait>', 'without a trait; may be repeated', collect(asText))
    .option(
      '--member-of <aggregates>',
      'in an aggregate; A,B: in one of them; may be repeated',
      collect(readAlternatives),
    )
    .option('--not-member-of <aggregate>', 'not in an aggregate; may be repeated', collect(asText))
    .option('--limit <number>', 'the most that are listed', wholeNumber(1))
    .action(action(listAll));
}

async function listAll(client: Client, options: ListOptions): Promise<Output> {
  const { name, uuid, required, forbidden, memberOf, notMemberOf, resource, roots, limit } = options;
  const filter = {
    ...(name !== undefined && { name }),
    ...(uuid !== undefined && { uuid }),
    ...(options.inTree !== undefined && { inTree: await providerUuid(client, options.inTree) }),
    ...(required && { requiredTraits: required }),
    ...(forbidden && { forbiddenTraits: forbidden }),
    ...(memberOf && { memberOf }),
    ...(notMemberOf && { forbiddenAggregates: notMemberOf }),
    ...(resource && { resources: resource.flat() }),
    ...(roots && { rootsOnly: true }),
  };
  const providers = await allPages(
    async (page) => (await client.run(ListProvidersDocument, { filter, ...page })).resourceProviders,
    limit,
  );
  return list(providers, {
    name: (each) => each.name,
    uuid: (each) => each.uuid,
    generation: (each) => each.generation,
    parent: (each) => each.parent?.name,
    root: (each) => each.root.name,
  });
}

async function show(client: Client, options: { allocations?: boolean }, text: string): Promise<Output> {
  const by = providerBy(text);
  const { resourceProvider } = await client.run(ShowProviderDocument, { by });
  const provider = known(resourceProvider, text);
  const allocations = options.allocations ? await allocationsOf(client, text) : null;
  return {
    data: allocations ? { ...provider, allocations } : provider,
    blocks: [
      fields({
        ...summary(provider),
        created: provider.createdAt,
        updated: provider.updatedAt,
        sharing: provider.isSharing,
        'draws on': provider.sharingProviders.map(({ name }) => name).join(', ') || null,
        children: provider.children.map(({ name }) => name).join(', ') || null,
        aggregates: provider.aggregates.map(({ uuid }) => uuid).join(', ') || null,
        traits: provider.traits.map(({ name }) => name).join(', ') || null,
      }),
      provider.inventories.length === 0 ? 'no inventories' : tableOf(provider.inventories, inventoryColumns),
      ...(allocations ? list(allocations, allocationColumns, 'no allocations').blocks : []),
    ],
  };
}

type ProviderAllocation = NonNullable<
  ListProviderAllocationsQuery['resourceProvider']
>['allocations']['nodes'][number];

const allocationColumns = {
  consumer: ({ consumer }: ProviderAllocation) => consumer.uuid,
  type: ({ consumer }: ProviderAllocation) => consumer.consumerType,
  project: ({ consumer }: ProviderAllocation) => consumer.projectId,
  user: ({ consumer }: ProviderAllocation) => consumer.userId,
  class: ({ resourceClass }: ProviderAllocation) => resourceClass.name,
  used: ({ used }: ProviderAllocation) => used,
};

function allocationsOf(client: Client, text: string): Promise<ProviderAllocation[]> {
  return allPages(async (page) => {
    const { resourceProvider } = await client.run(ListProviderAllocationsDocument, {
      by: providerBy(text),
      ...page,
    });
    return resourceProvider?.allocations;
  });
}

function summary({ name, uuid, generation, parent, root }: ProviderFieldsFragment) {
  return { name, uuid, generation, parent: parent?.name, root: root.name };
}

type TreeNode = NonNullable<ShowTreeQuery['resourceProvider']>['root']['descendants'][number];

async function showTree(client: Client, _options: object, text: string): Promise<Output> {
  const { resourceProvider } = await client.run(ShowTreeDocument, { by: providerBy(text) });
  const { descendants, ...root } = known(resourceProvider, text).root;
  const depths = new Map<string, number>();
  const nodes: TreeNode[] = [root, ...descendants];
  for (const { uuid, parent } of nodes) depths.set(uuid, parent ? (depths.get(parent.uuid) ?? 0) + 1 : 0);
  const tree = tableOf(nodes, {
    name: ({ uuid, name }) => '  '.repeat(depths.get(uuid)!) + name,
    uuid: ({ uuid }) => uuid,
    'used/capacity': ({ inventories }) =>
      inventories
        .map(({ resourceClass, used, capacity }) => `${resourceClass.name}=${used}/${capacity}`)
        .join(', '),
  });
  return { data: nodes, blocks: [tree] };
}

async function create(
  client: Client,
  { parent, uuid }: { parent?: string; uuid?: string },
  name: string,
): Promise<Output> {
  const input = {
    name,
    ...(uuid !== undefined && { uuid }),
    ...(parent !== undefined && { parent: await providerUuid(client, parent) }),
  };
  const { createResourceProvider } = await client.run(CreateProviderDocument, { input });
  return one(accepted(createResourceProvider).resourceProvider);
}

async function update(
  client: Client,
  { name, parent, root }: { name?: string; parent?: string; root?: boolean },
  text: string,
): Promise<Output> {
  if (name === undefined && parent === undefined && !root)
    throw Failure.usage('say what to change: --name, --parent or --root');
  const input = {
    resourceProvider: await providerUuid(client, text),
    ...(name !== undefined && { name }),
    ...(parent !== undefined && { parent: await providerUuid(client, parent) }),
    ...(root && { makeRoot: true }),
  };
  const { updateResourceProvider } = await client.run(UpdateProviderDocument, { input });
  return one(accepted(updateResourceProvider).resourceProvider);
}

function one(provider: ProviderFieldsFragment): Output {
  return { data: provider, blocks: [fields(summary(provider))] };
}

/** One after another, so that those below can be named before those above them. */
async function remove(client: Client, _options: object, texts: string[]): Promise<Output> {
  const deleted: string[] = [];
  for (const text of texts) {
    const { uuid } = await findProvider(client, text);
    const { deleteResourceProvider } = await client.run(DeleteProviderDocument, {
      input: { resourceProvider: uuid },
    });
    deleted.push(accepted(deleteResourceProvider).uuid);
  }
  return { data: deleted, blocks: [`deleted ${deleted.join(', ')}`] };
}
