import * as api from '../../generated/client/operations.js';
import { known, reference } from '../arguments.js';
import type { Client } from '../client.js';
import { escaped } from '../controlCharacters.js';
import { command } from '../command.js';
import type { Failure } from '../failure.js';
import { choices, flag, text } from '../options.js';
import { byClass, jsonOf, say } from '../output.js';
import { yamlOf } from '../yamlText.js';

/** A subscription with one field, and the text of its events. */
interface Stream<Change, Variables> {
  readonly document: api.TypedDocumentString<Record<string, Change>, Variables>;
  /** @param since the cursor after which the stream continues */
  readonly variables: (since: string | undefined) => Variables;
  readonly text: (change: Change) => string;
}

const TOTALS_INTERVAL_SECONDS = 1;

export const WATCH = command(
  'watch',
  'print every change of a provider as it is committed, until Ctrl-C',
  {
    inTree: text('--in-tree <provider>', 'only the tree of this provider', reference),
    kinds: choices<api.ResourceProviderChangeKind>('--kind <kind>', 'only changes of these kinds', {
      CREATED: true,
      DELETED: true,
      RENAMED: true,
      MOVED: true,
      INVENTORY: true,
      TRAITS: true,
      AGGREGATES: true,
      USAGE: true,
    }),
    since: text('--since <cursor>', 'continue after the cursor of an earlier event'),
    consumers: flag('--consumers', 'changes of consumers instead').conflicts(['inTree', 'kind', 'totals']),
    projectId: text('--project <id>', 'only consumers of this project').implies({ consumers: true }),
    totals: flag('--totals', 'the totals of the fleet instead, once a second').conflicts([
      'kind',
      'project',
      'since',
    ]),
  },
  async (client, { inTree: tree, kinds, since, consumers, projectId, totals }) => {
    const inTree = await byUuid(client, tree);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
    process.stdout.once('error', () => process.exit()); // the reader closed the pipe
    if (consumers)
      return follow(client, since, {
        document: api.WatchConsumersDocument,
        variables: (cursor?: string) => ({ projectId, since: cursor }),
        text: consumerText,
      });
    if (totals)
      return follow(client, undefined, {
        document: api.WatchTotalsDocument,
        variables: () => ({ filter: { inTree }, everySeconds: TOTALS_INTERVAL_SECONDS }),
        text: totalsText,
      });
    return follow(client, since, {
      document: api.WatchDocument,
      variables: (cursor?: string) => ({ inTree, kinds, since: cursor }),
      text: providerText,
    });
  },
);

/**
 * Prints events without end: JSON as one object per line, YAML as one document per event. After a
 * lost connection it continues after the last event. After CURSOR_EXPIRED it starts anew.
 */
async function follow<Change extends object, Variables>(
  client: Client,
  since: string | undefined,
  { document, variables, text }: Stream<Change, Variables>,
): Promise<never> {
  let cursor = since;
  const resume = (failure: Failure | null): Variables => {
    if (failure) say(failure.message);
    if (failure?.code === 'CURSOR_EXPIRED') cursor = undefined;
    return variables(cursor);
  };
  for await (const data of client.watch(document, resume)) {
    const [change] = Object.values(data);
    if ('cursor' in change) cursor = change.cursor as string;
    if (client.format === 'json') process.stdout.write(`${jsonOf(change)}\n`);
    else if (client.format === 'yaml') process.stdout.write(`---\n${await yamlOf(change)}`);
    else process.stdout.write(escaped(text(change), 'lines'));
  }
  throw new Error('a subscription has no end');
}

function providerText(change: api.WatchSubscription['resourceProviderChanged']): string {
  const { uuid, generation, deleted, kinds, resourceProvider } = change;
  const used = byClass(resourceProvider?.usages ?? [], (each) => each.used);
  const state = deleted ? 'deleted' : `generation ${generation}  ${kinds.join(' ').toLowerCase()}  ${used}`;
  return `${resourceProvider?.name ?? uuid}  ${state}`.trimEnd() + '\n';
}

function consumerText(change: api.WatchConsumersSubscription['consumerChanged']): string {
  const { uuid, generation, deleted, projectId } = change;
  return `${uuid}  ${deleted ? 'deleted' : `generation ${generation}`}  project ${projectId ?? '-'}\n`;
}

function totalsText({ totals, removed }: api.WatchTotalsSubscription['fleetTotalsChanged']): string {
  const lines = totals.map(
    ({ resourceClass, used, capacity, available }) =>
      `${resourceClass.name}  ${used} of ${capacity} used, ${available} free\n`,
  );
  return [...lines, ...removed.map(({ resourceClass }) => `${resourceClass.name}  none\n`)].join('');
}

/** Resolves a name to a uuid: the stream must continue if the provider is renamed or deleted. */
async function byUuid(client: Client, by: api.ProviderRef | undefined): Promise<api.ProviderRef | undefined> {
  if (by?.name == null) return by;
  const { resourceProvider } = await client.run(api.FindProviderDocument, { by });
  return { uuid: known(resourceProvider, 'resource provider', by.name).uuid };
}
