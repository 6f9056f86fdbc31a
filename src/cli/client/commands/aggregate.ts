import type { Command } from 'commander';
import {
  AddToAggregatesDocument,
  ListAggregatesDocument,
  ListProviderAggregatesDocument,
  NameAggregateDocument,
  RemoveFromAggregatesDocument,
  SetAggregatesDocument,
  ShowAggregateDocument,
} from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { wholeNumber } from '../arguments/amounts.js';
import { findProvider, known, providerBy, providerUuid } from '../arguments/providers.js';
import type { Client } from '../connection/client.js';
import { accepted, Failure } from '../connection/failure.js';
import { allPages } from '../connection/pages.js';
import { untilNoConflict } from '../connection/retry.js';
import { list, type Output } from '../output/output.js';

export function addAggregateCommands(program: Command): void {
  const aggregate = program
    .command('aggregate')
    .description('aggregates: groups of providers, such as zones');
  addCommand(aggregate, 'list', 'aggregates, with how many providers are in them')
    .option('--provider <provider>', 'those that one provider is directly in')
    .action(action(listAll));
  addCommand(aggregate, 'show <aggregate>', 'which providers are directly in an aggregate').action(
    action(show),
  );
  addCommand(aggregate, 'set <provider> <aggregate...>', 'replace all aggregates that a provider is in')
    .option('--generation <number>', 'refuse when the provider has another one', wholeNumber(0))
    .action(action(replace));
  addCommand(aggregate, 'add <provider> <aggregate...>', 'put a provider into aggregates').action(
    action(add),
  );
  addCommand(aggregate, 'remove <provider> <aggregate...>', 'take a provider out of aggregates').action(
    action(remove),
  );
  addCommand(
    aggregate,
    'name <aggregate> [name]',
    'give an aggregate a name; without one, take its name away',
  ).action(action(rename));
  addCommand(aggregate, 'clear <provider>', 'take a provider out of all aggregates').action(
    action((client: Client, _options: object, provider: string) => replace(client, {}, provider, [])),
  );
}

interface ChangeOptions {
  readonly generation?: number;
}

interface Aggregate {
  readonly uuid: string;
  readonly name?: string | null;
}

const columns = {
  uuid: (each: Aggregate) => each.uuid,
  name: (each: Aggregate) => each.name,
};

async function listAll(client: Client, { provider }: { provider?: string }): Promise<Output> {
  if (provider !== undefined) return list((await aggregatesOf(client, provider)).aggregates, columns);
  const aggregates = await allPages(
    async (page) => (await client.run(ListAggregatesDocument, page)).aggregates,
  );
  return list(aggregates, { ...columns, providers: (each) => each.resourceProviders.totalCount });
}

async function aggregatesOf(client: Client, text: string) {
  const { resourceProvider } = await client.run(ListProviderAggregatesDocument, { by: providerBy(text) });
  return known(resourceProvider, text);
}

async function show(client: Client, _options: object, text: string): Promise<Output> {
  const members = await membersOf(client, text);
  const { blocks } = list(
    members,
    { provider: (each) => each.name, uuid: (each) => each.uuid },
    'no provider is in it',
  );
  return { data: { uuid: text, resourceProviders: members }, blocks };
}

/** The providers that are directly in an aggregate. */
export function membersOf(client: Client, uuid: string): Promise<{ uuid: string; name: string }[]> {
  return allPages(async (page) => {
    const { aggregate } = await client.run(ShowAggregateDocument, { uuid, ...page });
    if (aggregate == null) throw Failure.notFound(`there is no aggregate "${uuid}"`);
    return aggregate.resourceProviders;
  });
}

async function add(client: Client, _options: object, text: string, aggregates: string[]): Promise<Output> {
  const resourceProvider = await providerUuid(client, text);
  const { addToAggregates } = await client.run(AddToAggregatesDocument, { resourceProvider, aggregates });
  return aggregatesAfter(accepted(addToAggregates));
}

async function remove(client: Client, _options: object, text: string, aggregates: string[]): Promise<Output> {
  const resourceProvider = await providerUuid(client, text);
  const { removeFromAggregates } = await client.run(RemoveFromAggregatesDocument, {
    resourceProvider,
    aggregates,
  });
  return aggregatesAfter(accepted(removeFromAggregates));
}

function replace(
  client: Client,
  { generation: expected }: ChangeOptions,
  text: string,
  aggregates: string[],
): Promise<Output> {
  const write = async (): Promise<Output> => {
    const { uuid, generation } = await findProvider(client, text);
    const input = { resourceProvider: uuid, generation: expected ?? generation, aggregates };
    const { setAggregates } = await client.run(SetAggregatesDocument, { input });
    return aggregatesAfter(accepted(setAggregates));
  };
  return expected === undefined ? untilNoConflict(write) : write();
}

function aggregatesAfter({ resourceProvider }: { resourceProvider: { aggregates: Aggregate[] } }): Output {
  return list(resourceProvider.aggregates, columns, 'no aggregates');
}

async function rename(client: Client, _options: object, aggregate: string, name?: string): Promise<Output> {
  const { nameAggregate } = await client.run(NameAggregateDocument, { aggregate, name: name ?? null });
  return list([accepted(nameAggregate).aggregate], columns);
}
