import * as api from '../../generated/client/operations.js';
import { known, readAmounts, readProvider, readUuid, reference, type Amount } from '../arguments.js';
import { byProvider, type Part } from '../consumerParts.js';
import type { Client } from '../client.js';
import { command, listCommand, plainCommand, type Command } from '../command.js';
import { Failure, untilNoConflict } from '../failure.js';
import { flag, required, text, texts } from '../options.js';
import { amounts, byClass, list, object, tableOf, type Output } from '../output.js';
import { releaseOf } from '../statedConsumers.js';

/** The options for the owner and the type of a written consumer. */
export const OWNER = {
  projectId: required(text('--project <id>', 'the project of the consumer')),
  userId: required(text('--user <id>', 'the user of the consumer')),
  type: text('--type <type>', 'the type of the consumer, such as INSTANCE'),
};

/** When a consumer ends by itself. */
export const UNTIL = text(
  '--until <time>',
  'the consumer ends by itself at this time, or after a duration: 30m',
  readTime,
);

const readType = (value: string): api.ConsumerTypeFilter =>
  value === 'none' ? { none: true } : { name: value };

export const CONSUMER_COMMANDS: readonly Command[] = [
  listCommand(
    'consumer list',
    'list consumers with their allocations, oldest first',
    {
      inTree: text('--in-tree <provider>', 'with an allocation in the tree of this provider', reference),
      projectId: text('--project <id>', 'of this project'),
      userId: text('--user <id>', 'of this user'),
      type: text('--type <type>', 'of this type, or none for consumers without a type', readType),
      resourceClass: text('--class <class>', 'with an allocation of this resource class'),
      severalTrees: flag('--several-trees', 'with allocations in several trees'),
      expires: flag('--expiring', 'that end by themselves'),
    },
    (filter) => ({
      document: api.ListConsumersDocument,
      variables: { filter },
      listOf: ({ consumers }: api.ListConsumersQuery) => consumers,
      columns: {
        consumer: 'uuid',
        type: 'type.name',
        project: { wide: 'projectId' },
        user: { wide: 'userId' },
        'ends at': { wide: 'expiresAt' },
        takes: takesOf,
      },
    }),
  ),
  plainCommand(
    'consumer show <consumer>',
    'show a consumer with its allocations',
    async (client, uuid: string) => {
      const { consumer } = await client.run(api.ShowConsumerDocument, { uuid: readUuid(uuid) });
      return withRequest(known(consumer, 'consumer', uuid));
    },
  ),
  listCommand('project list', 'list projects with their usage, by id', {}, () => ({
    document: api.ListProjectsDocument,
    variables: {},
    listOf: ({ projects }: api.ListProjectsQuery) => projects,
    columns: {
      project: 'projectId',
      consumers: 'consumerCount',
      uses: ({ usages }: { usages: readonly api.UsageFieldsFragment[] }) =>
        byClass(usages, ({ used }) => used),
    },
  })),
  command(
    'consumer set <consumer>',
    'replace all allocations of a consumer',
    {
      given: required(
        texts(
          '--allocation <allocation>',
          'PROVIDER:VCPU=2,MEMORY_MB=512, or rp=PROVIDER,VCPU=2; repeatable',
          readAllocation,
        ),
      ),
      ...OWNER,
      expiresAt: UNTIL,
    },
    async (client, { given, ...owner }, name: string) => {
      const consumer = readUuid(name);
      const allocations = { providers: allocationsOf(given) };
      // replaces the present allocations; the consumer need not exist
      return untilNoConflict(async () => {
        const { consumer: before } = await client.run(api.ShowConsumerDocument, { uuid: consumer });
        const written = { consumer, generation: before?.generation, allocations };
        const input = { consumers: [{ ...written, ...owner }] };
        return shown((await client.mutate(api.SetAllocationsDocument, { input })).consumers[0]);
      });
    },
  ),
  command(
    'consumer unset <consumer>',
    'remove some or all allocations of a consumer',
    {
      resourceProviders: texts(
        '--provider <provider>',
        'only allocations from this provider; repeatable',
        reference,
      ),
      resourceClasses: texts('--class <class>', 'only allocations of this class; repeatable'),
      inTree: text('--in-tree <provider>', 'only allocations in the tree of this provider'),
    },
    // missing allocations are not a failure
    async (client, { resourceProviders = [], resourceClasses = [], inTree }, name: string) => {
      const consumer = readUuid(name);
      if (inTree !== undefined) {
        if (resourceProviders.length > 0)
          throw Failure.usage('name a tree with --in-tree, or providers with --provider, and not both');
        return unsetInTree(client, consumer, inTree, resourceClasses);
      }
      if (resourceProviders.length + resourceClasses.length === 0) return release(client, [consumer]);
      const input = { consumer, resourceProviders, resourceClasses };
      const { consumer: after } = await client.mutate(api.UnsetAllocationsDocument, { input });
      return after === null ? released([consumer]) : shown(after);
    },
  ),
  command(
    'consumer extend <consumer...>',
    'let consumers end by themselves at another time',
    { expiresAt: required(text('--until <time>', 'the new time, or a duration from now: 30m', readTime)) },
    (client, { expiresAt }, names: string[]) =>
      changed(client, names, async (consumers) => {
        const input = { consumers: consumers.map((consumer) => ({ ...consumer, expiresAt })) };
        return (await client.mutate(api.ExtendConsumersDocument, { input })).consumers;
      }),
  ),
  plainCommand(
    'consumer confirm <consumer...>',
    'let consumers stay that would end by themselves',
    (client, names: string[]) =>
      changed(client, names, async (consumers) => {
        return (await client.mutate(api.ConfirmConsumersDocument, { input: { consumers } })).consumers;
      }),
  ),
  plainCommand('release <consumer...>', 'remove all allocations of consumers', release),
];

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a time such as 2026-12-01T10:00:00Z, or a duration from now: 90s, 30m, 2h, 1d. */
function readTime(value: string): string {
  const [, digits, unit] = /^(\d+)([smhd])$/.exec(value) ?? [];
  const time =
    digits === undefined
      ? Date.parse(value)
      : Date.now() + Number(digits) * UNITS[unit as keyof typeof UNITS];
  const isTime = digits !== undefined || isDate(/^(\d{4}-\d\d-\d\d)T.*(?:Z|[+-]\d\d:\d\d)$/.exec(value)?.[1]);
  if (!isTime || !(Math.abs(time) < 8.64e15))
    throw Failure.usage(
      `--until "${value}" must be a time such as 2026-12-01T10:00:00Z, or a duration: 90s, 30m, 2h, 1d`,
    );
  return new Date(time).toISOString();
}

/** Whether the calendar has a day: JavaScript reads February 30 as March 2. */
const isDate = (day: string | undefined): boolean =>
  day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

/** Changes consumers with the generations that they have now. */
async function changed(
  client: Client,
  names: readonly string[],
  change: (
    consumers: { consumer: string; generation: number }[],
  ) => Promise<readonly api.ConsumerFieldsFragment[]>,
): Promise<Output> {
  const after = await untilNoConflict(async () => {
    const read = names.map(async (name) => {
      const { consumer } = await client.run(api.ShowConsumerDocument, { uuid: readUuid(name) });
      const { uuid, generation } = known(consumer, 'consumer', name);
      return { consumer: uuid, generation };
    });
    return change(await Promise.all(read));
  });
  if (after.length === 1) return shown(after[0]);
  return list(after, { consumer: 'uuid', 'ends at': 'expiresAt', takes: takesOf });
}

/** Reads `PROVIDER:VCPU=2,MEMORY_MB=512`, or OpenStack's `rp=PROVIDER,VCPU=2,MEMORY_MB=512`. */
function readAllocation(value: string): [provider: string, resources: Amount[]] {
  const [, name, resources] =
    /^rp=([^,]+),(.+)$/.exec(value) ?? /^(.+):([a-z]\w*[=:]\d[^,]*(?:,.*)?)$/i.exec(value) ?? [];
  if (name === undefined)
    throw Failure.usage(`--allocation "${value}" must be such as host1:VCPU=2,MEMORY_MB=512`);
  return [name, readAmounts(resources)];
}

/** Merges the amounts of each provider. */
function allocationsOf(given: readonly [provider: string, resources: Amount[]][]) {
  const merged = new Map<string, Amount[]>();
  for (const [name, resources] of given) merged.set(name, [...(merged.get(name) ?? []), ...resources]);
  return [...merged].map(([name, resources]) => ({ resourceProvider: reference(name), resources }));
}

function shown(consumer: api.ConsumerFieldsFragment, more: object = {}): Output {
  const { uuid, generation, projectId: project, userId: user, type, expiresAt } = consumer;
  const takes = ({ resources }: Part) => amounts(resources);
  const allocations = tableOf(byProvider(consumer), { provider: 'name', uuid: { wide: 'uuid' }, takes });
  return object(
    consumer,
    {
      consumer: uuid,
      type: type?.name,
      project,
      user,
      generation,
      'ends at': expiresAt ?? undefined,
      ...more,
    },
    allocations,
  );
}

/** Shows the workload and the remembered request of a consumer, too, if it has them. */
function withRequest(consumer: NonNullable<api.ShowConsumerQuery['consumer']>): Output {
  const { workload, request } = consumer;
  return shown(consumer, {
    ...(workload && { workload: workload.name }),
    ...(request && { 'asked for': spaced(request.input) }),
    ...(request?.isOutdated && { 'has now': 'other amounts' }),
  });
}

/** Returns JSON that wraps at its spaces. */
const spaced = (value: unknown): string => JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');

function takesOf(consumer: api.ConsumerFieldsFragment): string {
  const parts = byProvider(consumer).map(({ name, resources }) =>
    name === '' ? amounts(resources) : `${name}: ${amounts(resources)}`,
  );
  return parts.join('; ');
}

/** Removes the allocations in one tree. Another client's write in between repeats the reading. */
function unsetInTree(
  client: Client,
  consumer: string,
  tree: string,
  resourceClasses: string[],
): Promise<Output> {
  return untilNoConflict(async () => {
    const [{ consumer: found }, { root }] = await Promise.all([
      client.run(api.ShowConsumerToMoveDocument, { uuid: consumer }),
      readProvider(client, api.ShowRootDocument, tree),
    ]);
    const before = known(found, 'consumer', consumer);
    const inTree = before.allocations.flatMap(({ resourceProvider: of }) =>
      of?.root.uuid === root.uuid ? of.uuid : [],
    );
    if (inTree.length === 0) return shown(before);
    const resourceProviders = [...new Set(inTree)].map((uuid) => ({ uuid }));
    const input = { consumer, generation: before.generation, resourceProviders, resourceClasses };
    const { consumer: after } = await client.mutate(api.UnsetAllocationsDocument, { input });
    return after === null ? released([consumer]) : shown(after);
  });
}

/** Releases all consumers or none. */
async function release(client: Client, names: string[]): Promise<Output> {
  const consumers = names.map(readUuid);
  if (consumers.length === 1) await client.mutate(api.ReleaseDocument, { consumer: consumers[0] });
  else
    await untilNoConflict(async () => {
      const read = consumers.map(async (consumer) => {
        const { consumer: before } = await client.run(api.ShowConsumerDocument, { uuid: consumer });
        const present = known(before, 'consumer', consumer);
        return { ...releaseOf(present), generation: present.generation };
      });
      await client.mutate(api.SetAllocationsDocument, { input: { consumers: await Promise.all(read) } });
    });
  return released(consumers);
}

function released(consumers: readonly string[]): Output {
  const lines = consumers.map((consumer) => `released ${consumer}`);
  return { data: consumers, blocks: [lines.join('\n')], names: consumers };
}
