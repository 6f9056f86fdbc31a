import type { Command } from 'commander';
import {
  ListConsumersDocument,
  ReleaseDocument,
  SetAllocationsDocument,
  ShowConsumerDocument,
  UnsetAllocationsDocument,
  type ConsumerFieldsFragment,
} from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { asText, collect, readAmounts, wholeNumber, type Amount } from '../arguments/amounts.js';
import { providerUuid } from '../arguments/providers.js';
import type { Client } from '../connection/client.js';
import { accepted, Failure } from '../connection/failure.js';
import { allPages } from '../connection/pages.js';
import { untilNoConflict } from '../connection/retry.js';
import { amounts, fields, list, tableOf, type Output } from '../output/output.js';

interface ListOptions {
  readonly inTree?: string;
  readonly project?: string;
  readonly user?: string;
  readonly type?: string;
  readonly class?: string;
  readonly limit?: number;
}

interface SetOptions {
  readonly allocation: AllocationArgument[];
  readonly project: string;
  readonly user: string;
  readonly type?: string;
}

interface UnsetOptions {
  readonly provider?: string[];
  readonly class?: string[];
}

interface AllocationArgument {
  readonly provider: string;
  readonly resources: readonly Amount[];
}

export function addConsumerCommands(program: Command): void {
  const consumer = program
    .command('consumer')
    .description('consumers, such as instances, and what they take');
  addCommand(consumer, 'list', 'consumers, the oldest first, with all that they take')
    .option('--in-tree <provider>', 'with something in the tree that this provider is in')
    .option('--project <id>', 'of this project')
    .option('--user <id>', 'of this user')
    .option('--type <type>', 'of this type')
    .option('--class <class>', 'with something of this resource class')
    .option('--limit <number>', 'the most that are listed', wholeNumber(1))
    .action(action(listAll));
  addCommand(consumer, 'show <consumer>', 'all that a consumer takes').action(action(showOne));
  addCommand(consumer, 'set <consumer>', 'replace all that a consumer takes')
    .requiredOption(
      '--allocation <allocation>',
      'what it takes of a provider: PROVIDER:VCPU=2,MEMORY_MB=512, or rp=PROVIDER,VCPU=2; may be repeated',
      collect(readAllocation),
    )
    .requiredOption('--project <id>', 'the project that it belongs to')
    .requiredOption('--user <id>', 'the user that it belongs to')
    .option('--type <type>', 'what kind of consumer it is')
    .action(action(setAll));
  addCommand(consumer, 'unset <consumer>', 'take something from a consumer')
    .option('--provider <provider>', 'what it takes of this provider; may be repeated', collect(asText))
    .option('--class <class>', 'what it takes of this class; may be repeated', collect(asText))
    .action(action(unset));
  addCommand(program, 'release <consumer...>', 'take everything from consumers, which then are gone').action(
    action(release),
  );
}

/** `PROVIDER:VCPU=2,MEMORY_MB=512`, or as OpenStack's command line has it, `rp=PROVIDER,VCPU=2,MEMORY_MB=512`. */
function readAllocation(text: string): AllocationArgument {
  const [, provider, resources] = /^rp=([^,]+),(.+)$/.exec(text) ?? /^(.+):([^:]+)$/.exec(text) ?? [];
  if (provider === undefined)
    throw Failure.usage(`--allocation "${text}" must be such as host1:VCPU=2,MEMORY_MB=512`);
  return { provider, resources: readAmounts(resources) };
}

async function listAll(client: Client, options: ListOptions): Promise<Output> {
  const { inTree, project, user, type, class: resourceClass, limit } = options;
  const filter = {
    ...(inTree !== undefined && { inTree: await providerUuid(client, inTree) }),
    ...(project !== undefined && { projectId: project }),
    ...(user !== undefined && { userId: user }),
    ...(type !== undefined && { consumerType: type }),
    ...(resourceClass !== undefined && { resourceClass }),
  };
  const consumers = await allPages(
    async (page) => (await client.run(ListConsumersDocument, { filter, ...page })).consumers,
    limit,
  );
  return list(consumers, {
    consumer: (each) => each.uuid,
    type: (each) => each.consumerType,
    project: (each) => each.projectId,
    user: (each) => each.userId,
    takes: (each) => byProvider(each).map(textOf).join('; '),
  });
}

async function showOne(client: Client, _options: object, uuid: string): Promise<Output> {
  return shown(await readConsumer(client, uuid));
}

/** A consumer, which must exist. */
export async function readConsumer(client: Client, uuid: string): Promise<ConsumerFieldsFragment> {
  const { consumer } = await client.run(ShowConsumerDocument, { uuid });
  if (consumer == null) throw Failure.notFound(`there is no consumer "${uuid}": nothing is allocated to it`);
  return consumer;
}

/** One consumer, with a line for each provider. */
function shown(consumer: ConsumerFieldsFragment): Output {
  const { uuid, generation, projectId: project, userId: user, consumerType: type } = consumer;
  const allocations = tableOf(byProvider(consumer), {
    provider: (each) => each.name,
    uuid: (each) => each.uuid,
    takes: (each) => amounts(each.resources),
  });
  return {
    data: consumer,
    blocks: [fields({ consumer: uuid, type, project, user, generation }), allocations],
  };
}

interface Taken {
  readonly uuid: string;
  readonly name: string;
  readonly resources: Amount[];
}

/** What a consumer takes of each provider. */
export function byProvider({ allocations }: ConsumerFieldsFragment): Taken[] {
  const taken = new Map<string, Taken>();
  for (const { resourceProvider, resourceClass, used } of allocations) {
    const of = taken.get(resourceProvider.uuid) ?? { ...resourceProvider, resources: [] };
    of.resources.push({ resourceClass: resourceClass.name, amount: used });
    taken.set(of.uuid, of);
  }
  return [...taken.values()];
}

/** All that a consumer takes, by class. */
export function sumOf({ allocations }: ConsumerFieldsFragment): Amount[] {
  const sums = new Map<string, number>();
  for (const { resourceClass, used } of allocations)
    sums.set(resourceClass.name, (sums.get(resourceClass.name) ?? 0) + used);
  return [...sums].map(([resourceClass, amount]) => ({ resourceClass, amount }));
}

function textOf({ name, resources }: Taken): string {
  return `${name}: ${amounts(resources)}`;
}

/** Whatever the consumer has now is replaced; it may not exist yet. */
async function setAll(client: Client, options: SetOptions, consumer: string): Promise<Output> {
  const allocations = await Promise.all(
    merged(options.allocation).map(async ({ provider, resources }) => ({
      resourceProvider: await providerUuid(client, provider),
      resources: [...resources],
    })),
  );
  return untilNoConflict(async () => {
    const { consumer: before } = await client.run(ShowConsumerDocument, { uuid: consumer });
    const owner = { projectId: options.project, userId: options.user, consumerType: options.type };
    const input = {
      consumers: [{ consumer, consumerGeneration: before?.generation, allocations, ...owner }],
    };
    const { setAllocations } = await client.run(SetAllocationsDocument, { input });
    return shown(accepted(setAllocations).consumers[0]);
  });
}

/** One entry for each provider. */
function merged(all: readonly AllocationArgument[]): AllocationArgument[] {
  const byName = new Map<string, Amount[]>();
  for (const { provider, resources } of all)
    byName.set(provider, [...(byName.get(provider) ?? []), ...resources]);
  return [...byName].map(([provider, resources]) => ({ provider, resources }));
}

/** Without options everything is taken; what it does not have is no failure. */
async function unset(client: Client, options: UnsetOptions, consumer: string): Promise<Output> {
  const { provider = [], class: resourceClasses = [] } = options;
  if (provider.length + resourceClasses.length === 0) return release(client, {}, [consumer]);
  const resourceProviders = await Promise.all(provider.map((text) => providerUuid(client, text)));
  const input = { consumer, resourceProviders, resourceClasses };
  const { unsetAllocations } = await client.run(UnsetAllocationsDocument, { input });
  const { consumer: after } = accepted(unsetAllocations);
  return after === null ? gone([consumer]) : shown(after);
}

async function release(client: Client, _options: object, consumers: string[]): Promise<Output> {
  for (const consumer of consumers) {
    const { deleteAllocations } = await client.run(ReleaseDocument, { consumer });
    accepted(deleteAllocations);
  }
  return gone(consumers);
}

function gone(consumers: readonly string[]): Output {
  return { data: consumers, blocks: consumers.map((consumer) => `released ${consumer}`) };
}
