import * as api from '../../generated/client/operations.js';
import { readNames, readProvider, references, readUuid, reference, updateProvider } from '../arguments.js';
import type { Client } from '../client.js';
import { command, listCommand, plainCommand, type Command } from '../command.js';
import { Failure } from '../failure.js';
import { amountsOption, flag, text, texts } from '../options.js';
import { capacitiesIn, isForPeople, list, object, tableOf, type Format, type Output } from '../output.js';
import { aggregateName } from './catalog.js';
import { DISABLED } from '../request.js';
import { listInventories } from './inventory.js';

const FILTER = {
  name: text('--name <name>', 'with exactly this name'),
  nameStartsWith: text('--starts-with <text>', 'whose name starts with this'),
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
        name: indented(nodes, client.format),
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
  command(
    'provider delete <provider...>',
    'delete providers without children and allocations; all or none of 1,000',
    {
      recursive: flag('--recursive', 'also delete their descendants'),
      dryRun: flag('--dry-run', 'only show what would be deleted'),
    },
    async (client, { recursive = false, dryRun = false }, names: string[]) => {
      const input = { resourceProviders: names.map(reference), recursive, dryRun };
      const { changes } = await client.mutate(api.DeleteProvidersDocument, { input });
      const deleted = changes.map(({ uuid }) => uuid!);
      const title = dryRun ? 'would be deleted' : 'deleted';
      const table = tableOf(changes, { [title]: 'name', uuid: 'uuid' });
      const blocks = recursive || dryRun ? [table] : [`deleted ${deleted.join(', ')}`];
      return { data: deleted, blocks, names: deleted };
    },
  ),
  maintenanceCommand('cordon', 'begin maintenance of hosts: new claims avoid them', 'add'),
  maintenanceCommand('uncordon', 'end maintenance of hosts', 'remove'),
];

/** Returns the command that sets or removes the trait of hosts in maintenance. */
function maintenanceCommand(name: string, about: string, edit: 'add' | 'remove'): Command {
  return plainCommand(`${name} <provider...>`, about, async (client, names: string[]) => {
    const read = (each: string) => readProvider(client, api.ShowHostDocument, each);
    const hosts = await Promise.all(names.map(read));
    for (const [at, { uuid, root }] of hosts.entries())
      if (uuid !== root.uuid)
        throw Failure.usage(`"${names[at]}" is part of "${root.name}": ${name} the whole host`);
    const inMaintenance = edit === 'add';
    const rows = hosts.map(({ traits, ...host }) => {
      const before = traits.some((trait) => trait.name === DISABLED);
      return { uuid: host.uuid, name: host.name, inMaintenance, changed: before !== inMaintenance };
    });
    for (const { uuid } of rows.filter(({ changed }) => changed))
      await client.mutate(api.UpdateProviderDocument, {
        input: { resourceProvider: { uuid }, traits: { [edit]: [DISABLED] } },
      });
    return list(rows, { host: 'name', uuid: 'uuid', 'in maintenance': 'inMaintenance', changed: 'changed' });
  });
}

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

/**
 * Returns a function that indents the name of a provider for people. `nodes` has parents before children. Formats for programs
 * have the name itself.
 */
export function indented(nodes: readonly Node[], format: Format): (node: Node) => string {
  if (!isForPeople(format)) return ({ name }) => name;
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
