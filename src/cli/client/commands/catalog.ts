import type { Command } from 'commander';
import {
  AddToAggregatesDocument,
  AddTraitsDocument,
  CreateClassDocument,
  CreateTraitDocument,
  DeleteClassDocument,
  DeleteTraitDocument,
  FindProviderDocument,
  ListAggregatesDocument,
  ListClassesDocument,
  ListProviderAggregatesDocument,
  ListProviderTraitsDocument,
  ListTraitsDocument,
  NameAggregateDocument,
  RemoveFromAggregatesDocument,
  RemoveTraitsDocument,
  SetAggregatesDocument,
  SetTraitsDocument,
  ShowAggregateDocument,
  ShowClassDocument,
  ShowTraitDocument,
  type ProviderAggregatesFragment,
  type ProviderTraitsFragment,
  type TypedDocumentString,
} from '../../../generated/client/operations.js';
import { known, providerUuid, readProvider, texts, wholeNumber } from '../arguments.js';
import type { Client } from '../client.js';
import { addCommand, type OptionRow } from '../command.js';
import { Failure, untilNoConflict, type Rejection } from '../failure.js';
import { fields, list, type Output } from '../output.js';

interface TraitFilter {
  readonly provider?: string;
  readonly startsWith?: string;
  readonly name?: string[];
  readonly associated?: boolean;
}

const AGGREGATE = { uuid: 'uuid', name: 'name' };

export function addTraitCommands(program: Command): void {
  const trait = program.command('trait').description('traits: qualities that a provider has or lacks');
  addCommand(
    trait,
    'list',
    'list traits by name',
    [
      ['--provider <provider>', 'the traits of one provider'],
      ['--starts-with <text>', 'traits whose name starts with this'],
      ['--name <name>', 'the trait with this name; repeatable', texts],
      ['--associated', 'traits that at least one provider has'],
    ],
    async (client, { provider, startsWith, name, associated }: TraitFilter) => {
      const filter = { startsWith, nameIn: name, associated };
      if (provider === undefined) return listTraits(await client.run(ListTraitsDocument, { filter }));
      if (startsWith !== undefined || name !== undefined || associated)
        throw Failure.usage('--provider lists all traits of a provider: give no other option beside it');
      return listTraits(await readProvider(client, ListProviderTraitsDocument, provider));
    },
  );
  addCommand(
    trait,
    'show <trait>',
    'list the providers with a trait',
    [],
    async (client, _options, name: string) => {
      const providers = await client.pages(
        ShowTraitDocument,
        { name },
        (data) => known(data.trait, 'trait', name).resourceProviders,
      );
      const { blocks } = list(providers, { provider: 'name', uuid: 'uuid' }, 'no provider has it');
      return { data: { name, resourceProviders: providers }, blocks };
    },
  );
  addCustomNames(trait, 'trait', 'that no provider has', CreateTraitDocument, DeleteTraitDocument);
  addMembership<ProviderTraitsFragment>(trait, 'trait', {
    set: SetTraitsDocument,
    add: AddTraitsDocument,
    remove: RemoveTraitsDocument,
    shown: (provider) => listTraits(provider, 'no traits'),
  });
}

function listTraits({ traits }: ProviderTraitsFragment, none?: string): Output {
  return list(traits, { name: 'name' }, none);
}

export function addClassCommands(program: Command): void {
  const resourceClass = program.command('class').description('resource classes, such as VCPU');
  addCommand(resourceClass, 'list', 'list all classes by name', [], async (client) => {
    const { resourceClasses } = await client.run(ListClassesDocument, {});
    return list(resourceClasses, { name: 'name', standard: 'isStandard' });
  });
  addCommand(resourceClass, 'show <class>', 'show one class', [], async (client, _options, name: string) => {
    const data = known((await client.run(ShowClassDocument, { name })).resourceClass, 'resource class', name);
    return { data, blocks: [fields({ name, standard: data.isStandard })] };
  });
  addCustomNames(resourceClass, 'class', 'without inventories', CreateClassDocument, DeleteClassDocument);
}

export function addAggregateCommands(program: Command): void {
  const aggregate = program
    .command('aggregate')
    .description('aggregates: groups of providers, such as zones');
  addCommand(
    aggregate,
    'list',
    'list aggregates with their numbers of providers',
    [['--provider <provider>', 'the aggregates that directly contain one provider']],
    async (client, { provider }: { provider?: string }) => {
      if (provider !== undefined)
        return list(
          (await readProvider(client, ListProviderAggregatesDocument, provider)).aggregates,
          AGGREGATE,
        );
      const all = await client.pages(ListAggregatesDocument, {}, ({ aggregates }) => aggregates);
      return list(all, { ...AGGREGATE, providers: 'resourceProviders.totalCount' });
    },
  );
  addCommand(
    aggregate,
    'show <aggregate>',
    'list the providers directly in an aggregate',
    [],
    async (client, _options, uuid: string) => {
      const resourceProviders = await membersOf(client, uuid);
      const { blocks } = list(resourceProviders, { provider: 'name', uuid: 'uuid' }, 'no provider is in it');
      return { data: { uuid, resourceProviders }, blocks };
    },
  );
  addMembership<ProviderAggregatesFragment>(aggregate, 'aggregate', {
    set: SetAggregatesDocument,
    add: AddToAggregatesDocument,
    remove: RemoveFromAggregatesDocument,
    shown: ({ aggregates }) => list(aggregates, AGGREGATE, 'no aggregates'),
    setOptions: [['--generation <number>', 'fail if the provider has another generation', wholeNumber(0)]],
  });
  addCommand(
    aggregate,
    'name <aggregate> [name]',
    'name an aggregate; without a name, remove its name',
    [],
    async (client, _options, uuid: string, name: string | null = null) => {
      const renamed = await client.mutate(NameAggregateDocument, { aggregate: uuid, name });
      return list([renamed.aggregate], AGGREGATE);
    },
  );
}

/** The providers directly in an aggregate. */
export function membersOf(client: Client, uuid: string): Promise<{ uuid: string; name: string }[]> {
  return client.pages(
    ShowAggregateDocument,
    { uuid },
    ({ aggregate }) => known(aggregate, 'aggregate', uuid).resourceProviders,
  );
}

/** A mutation by the name of its variable. */
type Mutation<Payload extends object, Variables> = TypedDocumentString<
  Record<string, Payload | Rejection>,
  Variables
>;

/** The commands that create and delete custom traits or classes. */
function addCustomNames(
  parent: Command,
  noun: string,
  unused: string,
  create: Mutation<{ created: boolean }, { name: string }>,
  remove: Mutation<{ name: string }, { name: string }>,
): void {
  addCommand(
    parent,
    `create <${noun}>`,
    `create a custom ${noun}, unless it exists`,
    [],
    async (client, _options, name: string) => {
      const { created } = await client.mutate(create, { name });
      return { data: { name, created }, blocks: [created ? `created ${name}` : `${name} is there already`] };
    },
  );
  addCommand(
    parent,
    `delete <${noun}>`,
    `delete a custom ${noun} ${unused}`,
    [],
    async (client, _options, name: string) => {
      const deleted = await client.mutate(remove, { name });
      return { data: { name: deleted.name }, blocks: [`deleted ${name}`] };
    },
  );
}

interface Change {
  readonly resourceProvider: string;
  readonly members: string[];
}

interface Membership<Provider> {
  readonly set: Mutation<{ resourceProvider: Provider }, Change & { readonly generation: number }>;
  readonly add: Mutation<{ resourceProvider: Provider }, Change>;
  readonly remove: Mutation<{ resourceProvider: Provider }, Change>;
  readonly shown: (provider: Provider) => Output;
  readonly setOptions?: readonly OptionRow[];
}

/** The commands that change the traits or the aggregates of a provider. */
function addMembership<Provider>(
  parent: Command,
  noun: string,
  { set, add, remove, shown, setOptions = [] }: Membership<Provider>,
): void {
  type Options = { readonly generation?: number };
  const replace = (
    client: Client,
    { generation }: Options,
    text: string,
    members: string[],
  ): Promise<Output> => {
    const write = async (): Promise<Output> => {
      const found = await readProvider(client, FindProviderDocument, text);
      const variables = { resourceProvider: found.uuid, generation: generation ?? found.generation, members };
      return shown((await client.mutate(set, variables)).resourceProvider);
    };
    return generation === undefined ? untilNoConflict(write) : write();
  };
  const change =
    (document: Mutation<{ resourceProvider: Provider }, Change>) =>
    async (client: Client, _options: object, text: string, members: string[]): Promise<Output> => {
      const resourceProvider = await providerUuid(client, text);
      return shown((await client.mutate(document, { resourceProvider, members })).resourceProvider);
    };
  const members = `<provider> <${noun}...>`;
  addCommand(parent, `set ${members}`, `replace all ${noun}s of a provider`, setOptions, replace);
  addCommand(parent, `add ${members}`, `add ${noun}s to a provider`, [], change(add));
  addCommand(parent, `remove ${members}`, `remove ${noun}s from a provider`, [], change(remove));
  addCommand(
    parent,
    'clear <provider>',
    `remove all ${noun}s from a provider`,
    [],
    (client, _options: object, text: string) => replace(client, {}, text, []),
  );
}
