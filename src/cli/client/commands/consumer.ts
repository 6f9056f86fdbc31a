import { Option, type Command } from 'commander';
import {
  ListConsumersDocument,
  ReleaseDocument,
  SetAllocationsDocument,
  ShowConsumerDocument,
  UnsetAllocationsDocument,
  type ConsumerFieldsFragment,
} from '../../../generated/client/operations.js';
import { collect, known, providerUuid, readAmounts, texts, wholeNumber, type Amount } from '../arguments.js';
import type { Client } from '../client.js';
import { addCommand, type OptionRow } from '../command.js';
import { Failure, untilNoConflict } from '../failure.js';
import { amounts, fields, list, tableOf, type Output } from '../output.js';

export interface OwnerOptions {
  readonly project: string;
  readonly user: string;
  readonly type?: string;
}

export const OWNER_OPTIONS: readonly OptionRow[] = [
  new Option('--project <id>', 'the project of the consumer').makeOptionMandatory(),
  new Option('--user <id>', 'the user of the consumer').makeOptionMandatory(),
  ['--type <type>', 'the type of the consumer, such as INSTANCE'],
];

interface ListOptions extends Partial<OwnerOptions> {
  readonly inTree?: string;
  readonly class?: string;
  readonly limit?: number;
}

interface UnsetOptions {
  readonly provider?: string[];
  readonly class?: string[];
}

/** The allocations of a consumer from one provider. */
interface Part {
  readonly uuid: string;
  readonly name: string;
  readonly resources: Amount[];
}

export function addConsumerCommands(program: Command): void {
  const consumer = program
    .command('consumer')
    .description('consumers, such as instances, and their allocations');
  addCommand(
    consumer,
    'list',
    'list consumers with their allocations, oldest first',
    [
      ['--in-tree <provider>', 'with an allocation in the tree of this provider'],
      ['--project <id>', 'of this project'],
      ['--user <id>', 'of this user'],
      ['--type <type>', 'of this type'],
      ['--class <class>', 'with an allocation of this resource class'],
      ['--limit <number>', 'maximum number of consumers', wholeNumber(1)],
    ],
    async (client, { inTree, project, user, type, class: resourceClass, limit }: ListOptions) => {
      const owner = { projectId: project, userId: user, consumerType: type };
      const filter = { inTree: await providerUuid(client, inTree), ...owner, resourceClass };
      const all = await client.pages(ListConsumersDocument, { filter }, ({ consumers }) => consumers, limit);
      return list(all, {
        consumer: 'uuid',
        type: 'consumerType',
        project: 'projectId',
        user: 'userId',
        takes: (each) =>
          byProvider(each)
            .map(({ name, resources }) => `${name}: ${amounts(resources)}`)
            .join('; '),
      });
    },
  );
  addCommand(
    consumer,
    'show <consumer>',
    'show a consumer with its allocations',
    [],
    async (client, _options, uuid: string) => {
      const { consumer: found } = await client.run(ShowConsumerDocument, { uuid });
      return shown(known(found, 'consumer', uuid));
    },
  );
  addCommand(
    consumer,
    'set <consumer>',
    'replace all allocations of a consumer',
    [
      new Option(
        '--allocation <allocation>',
        'PROVIDER:VCPU=2,MEMORY_MB=512, or rp=PROVIDER,VCPU=2; repeatable',
      )
        .argParser(collect(readAllocation))
        .makeOptionMandatory(),
      ...OWNER_OPTIONS,
    ],
    setAll,
  );
  addCommand(
    consumer,
    'unset <consumer>',
    'remove some or all allocations of a consumer',
    [
      ['--provider <provider>', 'only allocations from this provider; repeatable', texts],
      ['--class <class>', 'only allocations of this class; repeatable', texts],
    ],
    unset,
  );
  addCommand(program, 'release <consumer...>', 'remove all allocations of consumers', [], release);
}

/** `PROVIDER:VCPU=2,MEMORY_MB=512`, or as in OpenStack's command line `rp=PROVIDER,VCPU=2,MEMORY_MB=512` */
function readAllocation(text: string): [provider: string, resources: Amount[]] {
  const [, provider, resources] = /^rp=([^,]+),(.+)$/.exec(text) ?? /^(.+):([^:]+)$/.exec(text) ?? [];
  if (provider === undefined)
    throw Failure.usage(`--allocation "${text}" must be such as host1:VCPU=2,MEMORY_MB=512`);
  return [provider, readAmounts(resources)];
}

function shown(consumer: ConsumerFieldsFragment): Output {
  const { uuid, generation, projectId: project, userId: user, consumerType: type } = consumer;
  const columns = { provider: 'name', uuid: 'uuid', takes: (each: Part) => amounts(each.resources) };
  return {
    data: consumer,
    blocks: [
      fields({ consumer: uuid, type, project, user, generation }),
      tableOf(byProvider(consumer), columns),
    ],
  };
}

export function byProvider({ allocations }: ConsumerFieldsFragment): Part[] {
  const parts = new Map<string, Part>();
  for (const { resourceProvider, resourceClass, used } of allocations) {
    const part = parts.get(resourceProvider.uuid) ?? { ...resourceProvider, resources: [] };
    part.resources.push({ resourceClass: resourceClass.name, amount: used });
    parts.set(part.uuid, part);
  }
  return [...parts.values()];
}

/** Replaces the allocations whatever they are now. The consumer need not exist. */
async function setAll(
  client: Client,
  { allocation, project, user, type }: OwnerOptions & { allocation: [string, Amount[]][] },
  consumer: string,
): Promise<Output> {
  const merged = new Map<string, Amount[]>();
  for (const [provider, resources] of allocation)
    merged.set(provider, [...(merged.get(provider) ?? []), ...resources]);
  const allocations = await Promise.all(
    [...merged].map(async ([provider, resources]) => ({
      resourceProvider: await providerUuid(client, provider),
      resources,
    })),
  );
  const owner = { projectId: project, userId: user, consumerType: type };
  return untilNoConflict(async () => {
    const { consumer: before } = await client.run(ShowConsumerDocument, { uuid: consumer });
    const input = {
      consumers: [{ consumer, consumerGeneration: before?.generation, allocations, ...owner }],
    };
    return shown((await client.mutate(SetAllocationsDocument, { input })).consumers[0]);
  });
}

/** Without options removes all allocations. An allocation that does not exist is no failure. */
async function unset(
  client: Client,
  { provider = [], class: resourceClasses = [] }: UnsetOptions,
  consumer: string,
): Promise<Output> {
  if (provider.length + resourceClasses.length === 0) return release(client, {}, [consumer]);
  const resourceProviders = await Promise.all(provider.map((text) => providerUuid(client, text)));
  const input = { consumer, resourceProviders, resourceClasses };
  const { consumer: after } = await client.mutate(UnsetAllocationsDocument, { input });
  return after === null ? released([consumer]) : shown(after);
}

async function release(client: Client, _options: object, consumers: string[]): Promise<Output> {
  for (const consumer of consumers) await client.mutate(ReleaseDocument, { consumer });
  return released(consumers);
}

function released(consumers: readonly string[]): Output {
  return { data: consumers, blocks: consumers.map((consumer) => `released ${consumer}`) };
}
