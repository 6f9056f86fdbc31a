import { Option, type Command } from 'commander';
import {
  WatchConsumersDocument,
  WatchDocument,
  WatchTotalsDocument,
  type ResourceProviderChangeKind,
  type WatchConsumersSubscription,
  type WatchSubscription,
  type WatchTotalsSubscription,
} from '../../../generated/client/operations.js';
import { action, addCommand, formatOf, type OutputOptions } from '../action.js';
import { collect } from '../arguments/amounts.js';
import { providerUuid } from '../arguments/providers.js';
import type { Client } from '../connection/client.js';
import type { Failure } from '../connection/failure.js';
import type { Format, Output } from '../output/output.js';

interface WatchOptions extends OutputOptions {
  readonly inTree?: string;
  readonly kind?: ResourceProviderChangeKind[];
  readonly since?: string;
  readonly consumers?: boolean;
  readonly project?: string;
  readonly totals?: boolean;
}

/** The least time between two events of totals. */
const EVERY_SECONDS = 1;

export function addWatchCommand(program: Command): void {
  const ofProviders = ['inTree', 'kind'];
  addCommand(program, 'watch', 'tell every change of a provider as it is committed, until Ctrl-C')
    .option('--in-tree <provider>', 'only of the tree that this provider is in')
    .option(
      '--kind <kind>',
      'only changes of this kind, such as usage; may be repeated',
      collect((text) => text.toUpperCase() as ResourceProviderChangeKind),
    )
    .option('--since <cursor>', 'go on behind the cursor of an earlier event')
    .addOption(
      new Option('--consumers', 'of consumers instead of providers').conflicts([...ofProviders, 'totals']),
    )
    .addOption(new Option('--project <id>', 'only consumers of this project').implies({ consumers: true }))
    .addOption(
      new Option('--totals', 'of the totals of the fleet instead, once a second').conflicts([
        ...ofProviders.slice(1),
        'project',
        'since',
      ]),
    )
    .action(action(watch));
}

/** Goes on by the cursor of the last event when the server was away. JSON is an object a line, YAML a document an event. */
async function watch(client: Client, options: WatchOptions): Promise<Output> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  process.stdout.once('error', () => process.exit()); // nobody reads it any more
  const format = formatOf(options);
  for await (const { change, text } of changesOf(client, options))
    process.stdout.write(format === 'table' ? text : await textOf(change, format));
  throw new Error('a subscription has no end');
}

async function textOf(change: unknown, format: Format): Promise<string> {
  if (format === 'json') return `${JSON.stringify(change)}\n`;
  return `---\n${(await import('yaml')).stringify(change)}`;
}

/** An event, and what people are told of it. */
interface Change {
  readonly change: unknown;
  readonly text: string;
}

function changesOf(client: Client, options: WatchOptions): AsyncGenerator<Change> {
  if (options.consumers) return consumerChanges(client, options);
  return options.totals ? totalsChanges(client, options) : providerChanges(client, options);
}

/** Where a stream goes on. */
class Place {
  constructor(public since: string | null = null) {}

  /** After a failure, or without one; a server that has forgotten the place is asked from now on. */
  after(failure: Failure | null): string | null {
    if (failure) console.error(failure.message);
    if (failure?.code === 'CURSOR_EXPIRED') this.since = null;
    return this.since;
  }
}

async function treeOf(client: Client, { inTree }: WatchOptions): Promise<string | null> {
  return inTree === undefined ? null : providerUuid(client, inTree);
}

async function* providerChanges(client: Client, options: WatchOptions): AsyncGenerator<Change> {
  const inTree = await treeOf(client, options);
  const place = new Place(options.since);
  const kinds = options.kind ?? null;
  const resume = (failure: Failure | null) => ({ inTree, kinds, since: place.after(failure) });
  for await (const { resourceProviderChanged: change } of client.watch(WatchDocument, resume)) {
    place.since = change.cursor;
    yield { change, text: providerText(change) };
  }
}

async function* consumerChanges(client: Client, options: WatchOptions): AsyncGenerator<Change> {
  const place = new Place(options.since);
  const projectId = options.project ?? null;
  const resume = (failure: Failure | null) => ({ projectId, since: place.after(failure) });
  for await (const { consumerChanged: change } of client.watch(WatchConsumersDocument, resume)) {
    place.since = change.cursor;
    yield { change, text: consumerText(change) };
  }
}

async function* totalsChanges(client: Client, options: WatchOptions): AsyncGenerator<Change> {
  const filter = { inTree: await treeOf(client, options) };
  const place = new Place();
  const resume = (failure: Failure | null) => {
    place.after(failure);
    return { filter, everySeconds: EVERY_SECONDS };
  };
  for await (const { fleetTotalsChanged: change } of client.watch(WatchTotalsDocument, resume))
    yield { change, text: totalsText(change) };
}

function providerText(change: WatchSubscription['resourceProviderChanged']): string {
  const { uuid, generation, deleted, kinds, resourceProvider } = change;
  const used = (resourceProvider?.usages ?? [])
    .map((each) => `${each.resourceClass.name}=${each.used}`)
    .join(', ');
  const state = deleted ? 'deleted' : `generation ${generation}  ${kinds.join(' ').toLowerCase()}  ${used}`;
  return `${resourceProvider?.name ?? uuid}  ${state}`.trimEnd() + '\n';
}

function consumerText(change: WatchConsumersSubscription['consumerChanged']): string {
  const { uuid, generation, deleted, projectId } = change;
  return `${uuid}  ${deleted ? 'deleted' : `generation ${generation}`}  project ${projectId ?? '-'}\n`;
}

function totalsText({ totals, removed }: WatchTotalsSubscription['fleetTotalsChanged']): string {
  const lines = totals.map(
    ({ resourceClass, used, capacity, available }) =>
      `${resourceClass.name}  ${used} of ${capacity} used, ${available} free\n`,
  );
  return [...lines, ...removed.map(({ resourceClass }) => `${resourceClass.name}  none\n`)].join('');
}
