import * as api from '../../generated/client/operations.js';
import { readNames, readProvider, references, readUuid, reference, updateProvider } from '../arguments.js';
import type { Client } from '../client.js';
import { command, listCommand, plainCommand, type Command } from '../command.js';
import { Failure } from '../failure.js';
import { amountsOption, flag, text, texts } from '../options.js';
import { capacitiesIn, list, object, tableOf, type Output } from '../output.js';
import { aggregateName } from './catalog.js';
import { listInventories } from './inventory.js';

const FILTER = {
  name: text('--name <name>', 'with exactly this name'),
  uuid: text('--uuid <uuid>', 'with this uuid', readUuid),
  inTree: text('--in-tree <provider>', 'in the tree of this provider', reference),
  rootsOnly: flag('--roots', 'only roots'),
  resources: amountsOption('--resource <amount>', 'with this amount free, such as VCPU=2; repeatable'),
  requiredTraits: texts('--required <traits>', 'with a trait; A,B: any of them; repeatable', readNames),
  forbiddenTraits: texts('--forbidden <trait>', 'without a trait; repeatable'),
  memberOf: texts('--member-of <aggregates>', 'in an aggregate; A,B: any of them; repeatable', references),
  forbiddenAggregates: texts('--not-member-of <aggregate>', 'not in an aggregate; repeatable', reference),
};

export const PROVIDER_COMMANDS: readonly Command[] = [
  listCommand('provider list', 'list providers by name', FILTER, (filter) => ({
    document: api.ListProvidersDocument,
    variables: { filter },
    listOf: ({ resourceProviders }: api.ListProvidersQuery) => resourceProviders,
    columns: {
      name: 'name',
      uuid: 'uuid',
      generation: { wide: 'generation' },
      parent: { wide: 'parent.name' },
      root: { wide: 'root.name' },
    },
  })),
  command(
    'provider show <provider>',
    'show a provider with its inventories',
    { withAllocations: flag('--allocations', 'also show the allocations from it') },
    async (client, { withAllocations }, name: string) => {
      const found = await readProvider(client, api.ShowProviderDocument, name);
      const { blocks } = listInventories(found.inventories);
      if (!withAllocations) return object(found, detailsOf(found), ...blocks);
      const allocations = await allocationsOf(client, found.uuid);
      const data = { ...found, allocations: allocations.data };
      return object(data, detailsOf(found), ...blocks, ...allocations.blocks);
    },
  ),
  plainCommand(
    'provider tree <provider>',
    'show the whole tree of a provider',
    async (client, name: string) => {
      const { descendants, ...root } = (await readProvider(client, api.ShowTreeDocument, name)).root;
      const nodes: api.TreeNodeFragment[] = [root, ...descendants];
      const tree = tableOf(nodes, {
        name: indented(nodes),
        uuid: { wide: 'uuid' },
        'used/capacity': ({ inventories }) => capacitiesIn(inventories),
      });
      return { data: nodes, blocks: [tree], names: nodes.map(({ name: each }) => each) };
    },
  ),
  command(
    'provider create <name>',
    'create a root provider, or a child of another one',
    {
      parent: text('--parent <provider>', 'the parent', reference),
      uuid: text('--uuid <uuid>', 'its uuid; generated if omitted', readUuid),
    },
    async (client, { parent, uuid }, name: string) => {
      const input = { name, uuid, parent };
      return one((await client.mutate(api.CreateProviderDocument, { input })).resourceProvider);
    },
  ),
  command(
    'provider set <provider>',
    'rename a provider, or move it with its descendants',
    {
      name: text('--name <name>', 'the new name'),
      parent: text('--parent <provider>', 'the new parent, in any tree', reference),
      makeRoot: flag('--root', 'make it the root of a new tree'),
    },
    async (client, { name, parent, makeRoot }, renamed: string) => {
      if (name === undefined && parent === undefined && !makeRoot)
        throw Failure.usage('nothing to change: give --name, --parent or --root');
      if (parent !== undefined && makeRoot) throw Failure.usage('--parent and --root exclude each other');
      const edits = { name, parent: makeRoot ? { none: true } : parent };
      return one(await updateProvider(client, renamed, edits));
    },
  ),
  plainCommand(
    'provider delete <provider...>',
    'delete providers without children and allocations',
    async (client, names: string[]) => {
      const deleted: string[] = [];
      for (const name of names) {
        const input = { resourceProvider: reference(name) };
        deleted.push((await client.mutate(api.DeleteProviderDocument, { input })).uuid);
      }
      return { data: deleted, blocks: [`deleted ${deleted.join(', ')}`], names: deleted };
    },
  ),
];

function detailsOf(found: NonNullable<api.ShowProviderQuery['resourceProvider']>) {
  const names = (all: readonly { name: string }[]) => all.map(({ name }) => name).join(', ') || null;
  return {
    ...summary(found),
    created: found.createdAt,
    updated: found.updatedAt,
    sharing: found.isSharing,
    'draws on': names(found.sharingProviders),
    children: names(found.children),
    aggregates: found.aggregates.map(aggregateName).join(', ') || null,
    traits: names(found.traits),
  };
}

interface Node {
  readonly uuid: string;
  readonly name: string;
  readonly parent: { readonly uuid: string } | null;
}

/** Returns a function that indents the name of a provider. `nodes` has parents before children. */
export function indented(nodes: readonly Node[]): (node: Node) => string {
  const depths = new Map<string, number>();
  for (const { uuid, parent } of nodes) depths.set(uuid, (depths.get(parent?.uuid ?? '') ?? -1) + 1);
  return ({ uuid, name }) => '  '.repeat(depths.get(uuid)!) + name;
}

async function allocationsOf(client: Client, uuid: string): Promise<Output> {
  const all = await client.all({
    document: api.ListProviderAllocationsDocument,
    variables: { by: { uuid } },
    listOf: (data: api.ListProviderAllocationsQuery) => data.resourceProvider?.allocations,
  });
  const columns = {
    consumer: 'consumer.uuid',
    type: 'consumer.type.name',
    project: { wide: 'consumer.projectId' },
    user: { wide: 'consumer.userId' },
    class: 'resourceClass.name',
    amount: 'amount',
  };
  return list(all, columns, 'no allocations');
}

function summary({ name, uuid, generation, parent, root }: api.ProviderFieldsFragment) {
  return { name, uuid, generation, parent: parent?.name, root: root.name };
}

function one(provider: api.ProviderFieldsFragment): Output {
  return object(provider, summary(provider));
}
