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
import { addCommand, formatOf, type OutputOptions } from '../command.js';
import { collect, providerUuid } from '../arguments.js';

import type { Client } from '../client.js';
import type { Failure } from '../failure.js';
import type { Format, Output } from '../output.js';

interface WatchOptions extends OutputOptions {
  readonly inTree?: string;
  readonly kind?: ResourceProviderChangeKind[];
  readonly since?: string;
  readonly consumers?: boolean;
  readonly project?: string;
  readonly totals?: boolean;
}

const TOTALS_INTERVAL_SECONDS = 1;

export function addWatchCommand(program: Command): void {
  const toKind = (text: string): ResourceProviderChangeKind =>
    text.toUpperCase() as ResourceProviderChangeKind;
  addCommand(
    program,
    'watch',
    'print every change of a provider as it is committed, until Ctrl-C',
    [
      ['--in-tree <provider>', 'only the tree of this provider'],
      ['--kind <kind>', 'only changes of this kind, such as usage; repeatable', collect(toKind)],
      ['--since <cursor>', 'continue after the cursor of an earlier event'],
      new Option('--consumers', 'changes of consumers instead').conflicts(['inTree', 'kind', 'totals']),
      new Option('--project <id>', 'only consumers of this project').implies({ consumers: true }),
      new Option('--totals', 'the totals of the fleet instead, once a second').conflicts([
        'kind',
        'project',
        'since',
      ]),
    ],
    watch,
  );
}

/** Continues after the last event when the connection was lost. JSON is one object per line, YAML one document per event. */
async function watch(client: Client, options: WatchOptions): Promise<Output> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  process.stdout.once('error', () => process.exit()); // the reader has gone
  const format = formatOf(options);
  for await (const { change, text } of changesOf(client, options))
    process.stdout.write(format === 'table' ? text : await textOf(change, format));
  throw new Error('a subscription has no end');
}

async function textOf(change: unknown, format: Format): Promise<string> {
  if (format === 'json') return `${JSON.stringify(change)}\n`;
  return `---\n${(await import('yaml')).stringify(change)}`;
}

/** An event, for programs and for people. */
interface Change {
  readonly change: unknown;
  readonly text: string;
}

function changesOf(client: Client, options: WatchOptions): AsyncGenerator<Change> {
  if (options.consumers) return consumerChanges(client, options);
  return options.totals ? totalsChanges(client, options) : providerChanges(client, options);
}

/** The cursor after which a stream continues. */
class Position {
  constructor(public since: string | null = null) {}

  /** Prints the failure that ended the stream, if any. After CURSOR_EXPIRED the stream begins anew. */
  after(failure: Failure | null): string | null {
    if (failure) console.error(failure.message);
    if (failure?.code === 'CURSOR_EXPIRED') this.since = null;
    return this.since;
  }
}

async function* providerChanges(client: Client, options: WatchOptions): AsyncGenerator<Change> {
  const inTree = await providerUuid(client, options.inTree);
  const position = new Position(options.since);
  const kinds = options.kind ?? null;
  const resume = (failure: Failure | null) => ({ inTree, kinds, since: position.after(failure) });
  for await (const { resourceProviderChanged: change } of client.watch(WatchDocument, resume)) {
    position.since = change.cursor;
    yield { change, text: providerText(change) };
  }
}

async function* consumerChanges(client: Client, options: WatchOptions): AsyncGenerator<Change> {
  const position = new Position(options.since);
  const projectId = options.project ?? null;
  const resume = (failure: Failure | null) => ({ projectId, since: position.after(failure) });
  for await (const { consumerChanged: change } of client.watch(WatchConsumersDocument, resume)) {
    position.since = change.cursor;
    yield { change, text: consumerText(change) };
  }
}

async function* totalsChanges(client: Client, options: WatchOptions): AsyncGenerator<Change> {
  const filter = { inTree: await providerUuid(client, options.inTree) };
  const position = new Position();
  const resume = (failure: Failure | null) => {
    position.after(failure);
    return { filter, everySeconds: TOTALS_INTERVAL_SECONDS };
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
