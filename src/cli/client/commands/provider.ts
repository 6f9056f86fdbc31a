import * as api from '../../../generated/client/operations.js';
import { readAlternatives, readAmounts, readProvider, reference, updateProvider } from '../arguments.js';
import type { Client } from '../client.js';
import { command, plainCommand, type Command } from '../command.js';
import { Failure } from '../failure.js';
import { flag, number, provider, text, texts } from '../options.js';
import { fields, list, tableOf, type Output } from '../output.js';
import { listInventories } from './inventory.js';

const FILTER = {
  name: text('--name <name>', 'with exactly this name'),
  uuid: text('--uuid <uuid>', 'with this uuid'),
  inTree: provider('--in-tree <provider>', 'in the tree of this provider'),
  rootsOnly: flag('--roots', 'only roots'),
  amounts: texts('--resource <amount>', 'with this amount free, such as VCPU=2; repeatable', readAmounts),
  requiredTraits: texts(
    '--required <traits>',
    'with a trait; A,B: any of them; repeatable',
    readAlternatives,
  ),
  forbiddenTraits: texts('--forbidden <trait>', 'without a trait; repeatable'),
  memberOf: texts('--member-of <aggregates>', 'in an aggregate; A,B: any of them; repeatable', (value) =>
    readAlternatives(value).map(reference),
  ),
  forbiddenAggregates: texts('--not-member-of <aggregate>', 'not in an aggregate; repeatable', reference),
};

export const PROVIDER_COMMANDS: readonly Command[] = [
  command(
    'provider list',
    'list providers by name',
    { ...FILTER, limit: number('--limit <number>', 'maximum number of providers', 1) },
    async (client, { limit, amounts, ...others }) => {
      const filter = { ...others, resources: amounts?.flat() };
      const document = api.ListProvidersDocument;
      const all = await client.pages(document, { filter }, (data) => data.resourceProviders, limit);
      const tree = { parent: 'parent.name', root: 'root.name' };
      return list(all, { name: 'name', uuid: 'uuid', generation: 'generation', ...tree });
    },
  ),
  command(
    'provider show <provider>',
    'show a provider with its inventories',
    { withAllocations: flag('--allocations', 'also show the allocations from it') },
    async (client, { withAllocations }, name: string) => {
      const found = await readProvider(client, api.ShowProviderDocument, name);
      const blocks = [fields(detailsOf(found)), ...listInventories(found.inventories).blocks];
      if (!withAllocations) return { data: found, blocks };
      const allocations = await allocationsOf(client, found.uuid);
      return {
        data: { ...found, allocations: allocations.data },
        blocks: [...blocks, ...allocations.blocks],
      };
    },
  ),
  plainCommand(
    'provider tree <provider>',
    'show the whole tree of a provider',
    async (client, name: string) => {
      const { descendants, ...root } = (await readProvider(client, api.ShowTreeDocument, name)).root;
      const depths = new Map<string, number>();
      const nodes: api.TreeNodeFragment[] = [root, ...descendants];
      for (const { uuid, parent } of nodes) depths.set(uuid, parent ? (depths.get(parent.uuid) ?? 0) + 1 : 0);
      const tree = tableOf(nodes, {
        name: (node) => '  '.repeat(depths.get(node.uuid)!) + node.name,
        uuid: 'uuid',
        'used/capacity': ({ inventories }) =>
          inventories
            .map(({ resourceClass, used, capacity }) => `${resourceClass.name}=${used}/${capacity}`)
            .join(', '),
      });
      return { data: nodes, blocks: [tree] };
    },
  ),
  command(
    'provider create <name>',
    'create a root provider, or a child of another one',
    {
      parent: provider('--parent <provider>', 'the parent'),
      uuid: text('--uuid <uuid>', 'its uuid; generated if omitted'),
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
      parent: provider('--parent <provider>', 'the new parent, in any tree'),
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
      return { data: deleted, blocks: [`deleted ${deleted.join(', ')}`] };
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
    aggregates: found.aggregates.map(({ uuid }) => uuid).join(', ') || null,
    traits: names(found.traits),
  };
}

async function allocationsOf(client: Client, uuid: string): Promise<Output> {
  const all = await client.pages(
    api.ListProviderAllocationsDocument,
    { by: { uuid } },
    (data) => data.resourceProvider?.allocations,
  );
  const owner = { type: 'consumer.type.name', project: 'consumer.projectId', user: 'consumer.userId' };
  const columns = { consumer: 'consumer.uuid', ...owner, class: 'resourceClass.name', amount: 'amount' };
  return list(all, columns, 'no allocations');
}

function summary({ name, uuid, generation, parent, root }: api.ProviderFieldsFragment) {
  return { name, uuid, generation, parent: parent?.name, root: root.name };
}

function one(provider: api.ProviderFieldsFragment): Output {
  return { data: provider, blocks: [fields(summary(provider))] };
}
