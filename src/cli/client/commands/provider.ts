import type { Command } from 'commander';
import {
  CreateProviderDocument,
  DeleteProviderDocument,
  ListProviderAllocationsDocument,
  ListProvidersDocument,
  ShowProviderDocument,
  ShowTreeDocument,
  UpdateProviderDocument,
  type ProviderFieldsFragment,
  type ShowTreeQuery,
} from '../../../generated/client/operations.js';
import {
  collect,
  providerUuid,
  readAlternatives,
  readAmounts,
  readProvider,
  texts,
  wholeNumber,
  type Amount,
} from '../arguments.js';
import type { Client } from '../client.js';
import { addCommand, type OptionRow } from '../command.js';
import { Failure } from '../failure.js';
import { fields, list, tableOf, type Output } from '../output.js';
import { INVENTORY } from './inventory.js';

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

const LIST_OPTIONS: readonly OptionRow[] = [
  ['--name <name>', 'with exactly this name'],
  ['--uuid <uuid>', 'with this uuid'],
  ['--in-tree <provider>', 'in the tree of this provider'],
  ['--roots', 'only roots'],
  ['--resource <amount>', 'with this amount free, such as VCPU=2; repeatable', collect(readAmounts)],
  ['--required <traits>', 'with a trait; A,B: any of them; repeatable', collect(readAlternatives)],
  ['--forbidden <trait>', 'without a trait; repeatable', texts],
  ['--member-of <aggregates>', 'in an aggregate; A,B: any of them; repeatable', collect(readAlternatives)],
  ['--not-member-of <aggregate>', 'not in an aggregate; repeatable', texts],
  ['--limit <number>', 'maximum number of providers', wholeNumber(1)],
];

export function addProviderCommands(program: Command): void {
  const provider = program
    .command('provider')
    .description('resource providers, such as hosts, and their trees');
  addCommand(provider, 'list', 'list providers by name', LIST_OPTIONS, listAll);
  addCommand(
    provider,
    'show <provider>',
    'show a provider with its inventories',
    [['--allocations', 'also show the allocations from it']],
    show,
  );
  addCommand(provider, 'tree <provider>', 'show the whole tree of a provider', [], showTree);
  addCommand(
    provider,
    'create <name>',
    'create a root provider, or a child of another one',
    [
      ['--parent <provider>', 'the parent'],
      ['--uuid <uuid>', 'its uuid; generated if omitted'],
    ],
    async (client, options: { parent?: string; uuid?: string }, name: string) => {
      const input = { name, uuid: options.uuid, parent: await providerUuid(client, options.parent) };
      return one((await client.mutate(CreateProviderDocument, { input })).resourceProvider);
    },
  );
  addCommand(
    provider,
    'set <provider>',
    'rename a provider, or move it with its descendants',
    [
      ['--name <name>', 'the new name'],
      ['--parent <provider>', 'the new parent, in any tree'],
      ['--root', 'make it the root of a new tree'],
    ],
    async (client, options: { name?: string; parent?: string; root?: boolean }, text: string) => {
      const { name, parent, root: makeRoot } = options;
      if (name === undefined && parent === undefined && !makeRoot)
        throw Failure.usage('nothing to change: give --name, --parent or --root');
      const resourceProvider = await providerUuid(client, text);
      const input = { resourceProvider, name, parent: await providerUuid(client, parent), makeRoot };
      return one((await client.mutate(UpdateProviderDocument, { input })).resourceProvider);
    },
  );
  addCommand(
    provider,
    'delete <provider...>',
    'delete providers without children and allocations',
    [],
    async (client, _options, names: string[]) => {
      const deleted: string[] = [];
      for (const text of names) {
        const input = { resourceProvider: await providerUuid(client, text) };
        deleted.push((await client.mutate(DeleteProviderDocument, { input })).uuid);
      }
      return { data: deleted, blocks: [`deleted ${deleted.join(', ')}`] };
    },
  );
}

async function listAll(client: Client, options: ListOptions): Promise<Output> {
  const filter = {
    name: options.name,
    uuid: options.uuid,
    inTree: await providerUuid(client, options.inTree),
    requiredTraits: options.required,
    forbiddenTraits: options.forbidden,
    memberOf: options.memberOf,
    forbiddenAggregates: options.notMemberOf,
    resources: options.resource?.flat(),
    rootsOnly: options.roots,
  };
  const all = await client.pages(
    ListProvidersDocument,
    { filter },
    ({ resourceProviders }) => resourceProviders,
    options.limit,
  );
  return list(all, {
    name: 'name',
    uuid: 'uuid',
    generation: 'generation',
    parent: 'parent.name',
    root: 'root.name',
  });
}

async function show(client: Client, options: { allocations?: boolean }, text: string): Promise<Output> {
  const provider = await readProvider(client, ShowProviderDocument, text);
  const by = { uuid: provider.uuid };
  const allocations = options.allocations
    ? await client.pages(
        ListProviderAllocationsDocument,
        { by },
        (data) => data.resourceProvider?.allocations,
      )
    : null;
  const columns = {
    consumer: 'consumer.uuid',
    type: 'consumer.consumerType',
    project: 'consumer.projectId',
    user: 'consumer.userId',
    class: 'resourceClass.name',
    used: 'used',
  };
  const names = (all: readonly { name: string }[]): string | null =>
    all.map(({ name }) => name).join(', ') || null;
  return {
    data: allocations ? { ...provider, allocations } : provider,
    blocks: [
      fields({
        ...summary(provider),
        created: provider.createdAt,
        updated: provider.updatedAt,
        sharing: provider.isSharing,
        'draws on': names(provider.sharingProviders),
        children: names(provider.children),
        aggregates: provider.aggregates.map(({ uuid }) => uuid).join(', ') || null,
        traits: names(provider.traits),
      }),
      ...list(provider.inventories, INVENTORY, 'no inventories').blocks,
      ...(allocations ? list(allocations, columns, 'no allocations').blocks : []),
    ],
  };
}

function summary({ name, uuid, generation, parent, root }: ProviderFieldsFragment) {
  return { name, uuid, generation, parent: parent?.name, root: root.name };
}

function one(provider: ProviderFieldsFragment): Output {
  return { data: provider, blocks: [fields(summary(provider))] };
}

type TreeNode = NonNullable<ShowTreeQuery['resourceProvider']>['root']['descendants'][number];

async function showTree(client: Client, _options: object, text: string): Promise<Output> {
  const { descendants, ...root } = (await readProvider(client, ShowTreeDocument, text)).root;
  const depths = new Map<string, number>();
  const nodes: TreeNode[] = [root, ...descendants];
  for (const { uuid, parent } of nodes) depths.set(uuid, parent ? (depths.get(parent.uuid) ?? 0) + 1 : 0);
  const tree = tableOf(nodes, {
    name: ({ uuid, name }) => '  '.repeat(depths.get(uuid)!) + name,
    uuid: 'uuid',
    'used/capacity': ({ inventories }) =>
      inventories
        .map(({ resourceClass, used, capacity }) => `${resourceClass.name}=${used}/${capacity}`)
        .join(', '),
  });
  return { data: nodes, blocks: [tree] };
}
