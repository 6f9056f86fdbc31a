import { postJson } from '../support/httpPost.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../support/freePort.js';

/** By which each guide has its reader start a server. */
const START = 'PLACEMENT_DATA_DIRECTORY=$(mktemp -d) npm start -- --empty --port 4001';

const folder = new URL('../../docs/guides/', import.meta.url);
const EXAMPLE = /```graphql\n(.*?)```(?:\n\n```json\n(.*?)```)?/gs;

const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const guides = [...readdirSync(folder), '../tutorial.md'].filter((file) => read(file).includes('```graphql'));

let directory: string;
let server: ChildProcess;
let url: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'placement-guides-'));
  const port = await freePort();
  const environment: NodeJS.ProcessEnv = { ...process.env, TMPDIR: directory, NODE_OPTIONS: '' };
  delete environment.DATABASE_URL; // an empty server has a database of its own
  server = spawn('sh', ['-c', START.replace('4001', String(port))], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  url = `http://127.0.0.1:${port}/graphql`;
  await says(server, `is serving ${url}`);
}, 120_000);

afterAll(async () => {
  const ended = once(server, 'close');
  process.kill(-server.pid!, 'SIGTERM');
  await ended;
  rmSync(directory, { recursive: true, force: true });
});

/** Waits until a process says a text, and reads what it says after that, too: it may go on. */
function says(of: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    of.stdout!.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes(text)) resolve();
    });
    of.once('close', () => reject(new Error(`it has ended: ${said}`)));
  });
}

/** Stands in a guide for the claim token of the last answer, which is different in each database. */
const TOKEN = 'TOKEN';
let token = TOKEN;

async function send(query: string): Promise<{ data: unknown; errors?: unknown }> {
  const response = await postJson(url, { query: query.replace(`"${TOKEN}"`, `"${token}"`) });
  const text = (await response.text()).replace(/(?<="claimToken":")[\w-]+/, (found) => {
    token = found;
    return TOKEN;
  });
  return JSON.parse(text) as { data: unknown; errors?: unknown };
}

interface Stored {
  readonly consumers: { readonly nodes: readonly { readonly uuid: string }[] };
  readonly roots: { readonly nodes: readonly { readonly uuid: string; readonly name: string }[] };
  readonly aggregates: { readonly nodes: readonly { readonly uuid: string; readonly name: string | null }[] };
  readonly traits: readonly { readonly name: string }[];
  readonly resourceClasses: readonly { readonly name: string; readonly isStandard: boolean }[];
}

const STORED = `{
  consumers(first: 1000) { nodes { uuid } }
  roots: resourceProviders(filter: { rootsOnly: true }) { nodes { uuid name } }
  aggregates { nodes { uuid name } }
  traits(filter: { startsWith: "CUSTOM_" }) { name }
  resourceClasses { name isStandard }
}`;

/** Deletes everything that a guide has created: the guides share one server, and each begins with an empty one. */
async function deleteEverything(): Promise<void> {
  const { consumers, roots, aggregates, traits, resourceClasses } = (await send(STORED)).data as Stored;
  const deletions = [
    ...consumers.nodes.map(({ uuid }) => `deleteConsumer(input: { consumer: "${uuid}" })`),
    ...roots.nodes.flatMap(({ uuid, name }) => [
      `applyProviderTree(input: { root: { uuid: "${uuid}", name: "${name}", children: [] } })`,
      `deleteResourceProvider(input: { resourceProvider: { uuid: "${uuid}" } })`,
    ]),
    ...aggregates.nodes
      .filter(({ name }) => name !== null)
      .map(({ uuid }) => `nameAggregate(input: { aggregate: { uuid: "${uuid}" } })`),
    ...traits.map(({ name }) => `deleteTrait(input: { name: "${name}" })`),
    ...resourceClasses
      .filter(({ isStandard }) => !isStandard)
      .map(({ name }) => `deleteResourceClass(input: { name: "${name}" })`),
  ];
  if (deletions.length === 0) return;
  const fields = deletions.map((deletion, at) => `d${at}: ${deletion} { __typename }`);
  expectPayloads(await send(`mutation { ${fields.join('\n')} }`));
}

function expectPayloads({ data, errors }: { data: unknown; errors?: unknown }): void {
  expect(errors).toBeUndefined();
  for (const { __typename } of Object.values(data as Record<string, { __typename?: string }>))
    expect(__typename).toMatch(/Payload$/);
}

describe.each(guides)('docs/guides/%s: every request gives the answer beneath it, or succeeds', (file) => {
  const guide = read(file);
  const examples = [...guide.matchAll(EXAMPLE)].map(
    ([, request, answer], at) => [at + 1, request, answer] as const,
  );

  afterAll(deleteEverything);

  test('it begins with an empty server', () => {
    expect(guide.slice(0, guide.indexOf('```graphql'))).toContain(`\n    ${START}\n`);
  });

  test.each(examples)('example %d', async (_number, request, answer: string | undefined) => {
    const { data, errors } = await send(request);
    if (answer === undefined) return expectPayloads({ data, errors });
    expect(errors).toBeUndefined();
    expect({ data }).toEqual(JSON.parse(answer));
  });
});
