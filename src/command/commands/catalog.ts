import * as api from '../../generated/client/operations.js';
import { known, readProvider, reference, updateProvider, type Updated } from '../arguments.js';
import type { Client } from '../client.js';
import { command, listCommand, plainCommand, type Command } from '../command.js';
import { Failure, type Rejection } from '../failure.js';
import { flag, LIMIT, LIMIT_OF_ALL, number, text, texts, type Options } from '../options.js';
import { list, object, type Output } from '../output.js';

type Aggregate = api.AggregateFieldsFragment;

/** Returns the name of an aggregate, or its uuid if it has none. */
export const aggregateName = ({ uuid, name }: Aggregate): string => name ?? uuid;

const AGGREGATE = { aggregate: aggregateName, uuid: 'uuid' };

/** The columns of the providers with a trait or in an aggregate. */
const MEMBERS = { provider: 'name', uuid: 'uuid' };

export const TRAIT_COMMANDS: readonly Command[] = [
  command(
    'trait list',
    'list traits by name',
    {
      provider: text('--provider <provider>', 'the traits of one provider'),
      startsWith: text('--starts-with <text>', 'traits whose name starts with this'),
      nameIn: texts('--name <name>', 'the trait with this name; repeatable'),
      associated: flag('--associated', 'traits that at least one provider has'),
      limit: LIMIT_OF_ALL,
    },
    async (client, { provider, limit, ...filter }) => {
      if (provider === undefined)
        return listTraits(await client.run(api.ListTraitsDocument, { filter }), limit);
      if (Object.values(filter).some((each) => each !== undefined))
        throw Failure.usage('--provider lists all traits of a provider: give no other option beside it');
      return listTraits(await readProvider(client, api.ListProviderTraitsDocument, provider), limit);
    },
  ),
  listCommand('trait show <trait>', 'list the providers with a trait', {}, (_options, name: string) => ({
    document: api.ShowTraitDocument,
    variables: { name },
    listOf: ({ trait }: api.ShowTraitQuery) => known(trait, 'trait', name).resourceProviders,
    columns: MEMBERS,
    none: 'no provider has it',
  })),
  ...customNames('trait', 'that no provider has', api.CreateTraitDocument, api.DeleteTraitDocument),
  ...editCommands('trait', String, (provider) => listTraits(provider, Infinity, 'no traits')),
];

function listTraits(
  { traits }: Pick<api.ListTraitsQuery, 'traits'>,
  limit = Infinity,
  none?: string,
): Output {
  return list(traits!.slice(0, limit), { name: 'name' }, none);
}

export const CLASS_COMMANDS: readonly Command[] = [
  command(
    'class list',
    'list classes by name',
    { startsWith: text('--starts-with <text>', 'classes whose name starts with this'), limit: LIMIT_OF_ALL },
    async (client, { startsWith, limit = Infinity }) => {
      const { resourceClasses } = await client.run(api.ListClassesDocument, { filter: { startsWith } });
      return list(resourceClasses!.slice(0, limit), { name: 'name', standard: 'isStandard' });
    },
  ),
  plainCommand('class show <class>', 'show one class', async (client, name: string) => {
    const { resourceClass } = await client.run(api.ShowClassDocument, { name });
    const data = known(resourceClass, 'resource class', name);
    return object(data, { name, standard: data.isStandard });
  }),
  ...customNames('class', 'without inventories', api.CreateClassDocument, api.DeleteClassDocument),
];

export const AGGREGATE_COMMANDS: readonly Command[] = [
  command(
    'aggregate list',
    'list aggregates with their numbers of providers',
    {
      provider: text('--provider <provider>', 'the aggregates that directly contain one provider'),
      limit: LIMIT,
    },
    async (client, { provider, limit }) => {
      if (provider !== undefined) {
        const found = await readProvider(client, api.ListProviderAggregatesDocument, provider);
        return list(found.aggregates, AGGREGATE);
      }
      const listOf = ({ aggregates }: api.ListAggregatesQuery) => aggregates;
      const pages = client.pages({ document: api.ListAggregatesDocument, variables: {}, listOf }, limit);
      return { pages, columns: { ...AGGREGATE, providers: 'resourceProviders.totalCount' } };
    },
  ),
  listCommand(
    'aggregate show <aggregate>',
    'list the providers directly in an aggregate',
    {},
    (_options, name: string) => ({ ...membersOf(name), columns: MEMBERS, none: 'no provider is in it' }),
  ),
  ...editCommands('aggregate', reference, ({ aggregates }) => list(aggregates, AGGREGATE, 'no aggregates'), {
    generation: number('--generation <number>', 'fail if the provider has another generation', 0),
  }),
  ...memberCommands(),
  plainCommand(
    'aggregate delete <aggregates...>',
    'delete aggregates without providers; all or none of 1,000',
    async (client, names: string[]) => {
      const deleted: string[] = [];
      for (const some of batches(names.map(reference))) {
        const { uuids } = await client.mutate(api.DeleteAggregatesDocument, { aggregates: some });
        deleted.push(...uuids);
      }
      return { data: deleted, blocks: [deleted.map((uuid) => `deleted ${uuid}`).join('\n')], names: deleted };
    },
  ),
  plainCommand(
    'aggregate name <aggregate> [name]',
    'name an aggregate; without a name, remove its name',
    async (client, aggregate: string, name: string | null = null) => {
      const variables = { aggregate: reference(aggregate), name };
      const renamed = await client.mutate(api.NameAggregateDocument, variables);
      return list([renamed.aggregate], AGGREGATE);
    },
  ),
];

/** The maximum number of objects of one write. */
const MAX_WRITTEN = 1000;

function batches<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / MAX_WRITTEN);
  return Array.from({ length: count }, (_, at) => all.slice(at * MAX_WRITTEN, (at + 1) * MAX_WRITTEN));
}

/** Returns the commands that add many providers to one aggregate, or remove them. */
function memberCommands(): Command[] {
  const edit = (field: 'add' | 'remove') => async (client: Client, name: string, providers: string[]) => {
    const changed: api.NamedFragment[] = [];
    for (const some of batches(providers.map(reference))) {
      const input = { aggregate: reference(name), [field]: some };
      const { resourceProviders } = await client.mutate(api.UpdateAggregateMembersDocument, { input });
      changed.push(...resourceProviders);
    }
    return list(changed, MEMBERS);
  };
  const members = '<aggregate> <providers...>';
  return [
    plainCommand(
      `aggregate add-members ${members}`,
      'add many providers to one aggregate; all or none of 1,000',
      edit('add'),
    ),
    plainCommand(
      `aggregate remove-members ${members}`,
      'remove many providers from one aggregate; all or none of 1,000',
      edit('remove'),
    ),
  ];
}

/** Returns the list of the providers directly in an aggregate. */
export function membersOf(text: string) {
  return {
    document: api.ShowAggregateDocument,
    variables: { by: reference(text) },
    listOf: ({ aggregate }: api.ShowAggregateQuery) => known(aggregate, 'aggregate', text).resourceProviders,
  };
}

type Mutation<Payload extends object, Variables> = api.TypedDocumentString<
  Record<string, Payload | Rejection>,
  Variables
>;

/** Returns the commands that create and delete custom traits or classes. */
function customNames(
  noun: string,
  unused: string,
  create: Mutation<{ created: boolean }, { name: string }>,
  remove: Mutation<{ name: string }, { name: string }>,
): Command[] {
  return [
    plainCommand(
      `${noun} create <${noun}>`,
      `create a custom ${noun}, unless it exists`,
      async (client, name: string) => {
        const { created } = await client.mutate(create, { name });
        const done = created ? `created ${name}` : `${name} exists already`;
        return { data: { name, created }, blocks: [done], names: [name] };
      },
    ),
    plainCommand(
      `${noun} delete <${noun}>`,
      `delete a custom ${noun} ${unused}`,
      async (client, name: string) => {
        const deleted = await client.mutate(remove, { name });
        return { data: { name: deleted.name }, blocks: [`deleted ${name}`], names: [name] };
      },
    ),
  ];
}

/** Returns the commands that edit the traits or the aggregates of a provider. */
function editCommands(
  noun: 'trait' | 'aggregate',
  member: (name: string) => string | api.AggregateRef,
  shown: (provider: Updated) => Output,
  setOptions: Options = {},
): Command[] {
  const edit =
    (field: 'set' | 'add' | 'remove') =>
    async (client: Client, options: object, name: string, members: string[] = []) => {
      const { generation } = options as { generation?: number };
      const change = { [`${noun}s`]: { [field]: members.map(member) } };
      return shown(await updateProvider(client, name, { generation, ...change }));
    };
  const members = `<provider> <${noun}...>`;
  return [
    command(`${noun} set ${members}`, `replace all ${noun}s of a provider`, setOptions, edit('set')),
    command(`${noun} add ${members}`, `add ${noun}s to a provider`, {}, edit('add')),
    command(`${noun} remove ${members}`, `remove ${noun}s from a provider`, {}, edit('remove')),
    command(`${noun} clear <provider>`, `remove all ${noun}s from a provider`, {}, edit('set')),
  ];
}
