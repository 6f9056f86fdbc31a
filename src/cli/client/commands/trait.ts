import type { Command } from 'commander';
import {
  AddTraitsDocument,
  CreateTraitDocument,
  DeleteTraitDocument,
  ListProviderTraitsDocument,
  ListTraitsDocument,
  RemoveTraitsDocument,
  SetTraitsDocument,
  ShowTraitDocument,
} from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { asText, collect } from '../arguments/amounts.js';
import { findProvider, known, providerBy, providerUuid } from '../arguments/providers.js';
import type { Client } from '../connection/client.js';
import { accepted, Failure } from '../connection/failure.js';
import { allPages } from '../connection/pages.js';
import { untilNoConflict } from '../connection/retry.js';
import { list, type Output } from '../output/output.js';

interface ListOptions {
  readonly provider?: string;
  readonly startsWith?: string;
  readonly name?: string[];
  readonly associated?: boolean;
}

export function addTraitCommands(program: Command): void {
  const trait = program.command('trait').description('traits: yes-or-no qualities of providers');
  addCommand(trait, 'list', 'traits by name')
    .option('--provider <provider>', 'those of one provider')
    .option('--starts-with <text>', 'those whose name starts so')
    .option('--name <name>', 'the one with this name; may be repeated', collect(asText))
    .option('--associated', 'those that some provider has')
    .action(action(listAll));
  addCommand(trait, 'show <trait>', 'which providers have a trait').action(action(show));
  addCommand(trait, 'create <trait>', 'create a custom trait; one that is there is left as it is').action(
    action(create),
  );
  addCommand(trait, 'delete <trait>', 'delete a custom trait that no provider has').action(action(remove));
  addCommand(trait, 'set <provider> <trait...>', 'replace all traits of a provider').action(
    action((client: Client, _options: object, provider: string, traits: string[]) =>
      replace(client, provider, traits),
    ),
  );
  addCommand(trait, 'add <provider> <trait...>', 'give a provider traits besides those that it has').action(
    action(add),
  );
  addCommand(trait, 'remove <provider> <trait...>', 'take traits from a provider').action(action(removeFrom));
  addCommand(trait, 'clear <provider>', 'take all traits from a provider').action(
    action((client: Client, _options: object, provider: string) => replace(client, provider, [])),
  );
}

const columns = {
  name: (each: { name: string }) => each.name,
};

async function listAll(client: Client, options: ListOptions): Promise<Output> {
  const { provider, startsWith, name, associated } = options;
  if (provider !== undefined) {
    if (startsWith !== undefined || name !== undefined || associated)
      throw Failure.usage('--provider lists all traits of a provider: give no other option beside it');
    return list((await traitsOf(client, provider)).traits, columns);
  }
  const filter = {
    ...(startsWith !== undefined && { startsWith }),
    ...(name && { nameIn: name }),
    ...(associated && { associated }),
  };
  const { traits } = await client.run(ListTraitsDocument, { filter });
  return list(traits ?? [], columns);
}

async function traitsOf(client: Client, text: string) {
  const { resourceProvider } = await client.run(ListProviderTraitsDocument, { by: providerBy(text) });
  return known(resourceProvider, text);
}

async function show(client: Client, _options: object, name: string): Promise<Output> {
  const providers = await allPages(async (page) => {
    const { trait } = await client.run(ShowTraitDocument, { name, ...page });
    if (trait == null) throw Failure.notFound(`there is no trait "${name}"`);
    return trait.resourceProviders;
  });
  const { blocks } = list(
    providers,
    { provider: (each) => each.name, uuid: (each) => each.uuid },
    'no provider has it',
  );
  return { data: { name, resourceProviders: providers }, blocks };
}

async function create(client: Client, _options: object, name: string): Promise<Output> {
  const { createTrait } = await client.run(CreateTraitDocument, { name });
  const { created } = accepted(createTrait);
  return { data: { name, created }, blocks: [created ? `created ${name}` : `${name} is there already`] };
}

async function remove(client: Client, _options: object, name: string): Promise<Output> {
  const { deleteTrait } = await client.run(DeleteTraitDocument, { name });
  return { data: { name: accepted(deleteTrait).name }, blocks: [`deleted ${name}`] };
}

async function add(client: Client, _options: object, text: string, traits: string[]): Promise<Output> {
  const resourceProvider = await providerUuid(client, text);
  const { addTraits } = await client.run(AddTraitsDocument, { resourceProvider, traits });
  return traitsAfter(accepted(addTraits));
}

async function removeFrom(client: Client, _options: object, text: string, traits: string[]): Promise<Output> {
  const resourceProvider = await providerUuid(client, text);
  const { removeTraits } = await client.run(RemoveTraitsDocument, { resourceProvider, traits });
  return traitsAfter(accepted(removeTraits));
}

function replace(client: Client, text: string, traits: string[]): Promise<Output> {
  return untilNoConflict(async () => {
    const { uuid, generation } = await findProvider(client, text);
    const input = { resourceProvider: uuid, generation, traits };
    const { setTraits } = await client.run(SetTraitsDocument, { input });
    return traitsAfter(accepted(setTraits));
  });
}

function traitsAfter({ resourceProvider }: { resourceProvider: { traits: { name: string }[] } }): Output {
  return list(resourceProvider.traits, columns, 'no traits');
}
