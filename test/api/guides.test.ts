import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandsIn, GuideShell } from '../client/guideCommands.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { folderOfFile } from '../support/folder.js';
import { postJson } from '../support/httpPost.js';
import { startApi, type Api } from '../support/api.js';

/** By which each guide has its reader start a server. */
const START = 'PLACEMENT_DATA_DIRECTORY=$(mktemp -d) npm start -- --empty --port 4001';

const guidesFolder = new URL('../../docs/guides/', import.meta.url);
const folder = folderOfFile();
const EXAMPLE = /```graphql\n(.*?)```(?:\n\n```json\n(.*?)```)?/gs;

const read = (file: string): string => readFileSync(new URL(file, guidesFolder), 'utf8');
const guides = [...readdirSync(guidesFolder), '../tutorial.md'].filter((file) =>
  read(file).includes('```graphql'),
);

/** The setting of a server that `npm start` starts. */
const SETTINGS = { excludedRootTraits: ['COMPUTE_STATUS_DISABLED'] };

let database: TestDatabase;
let api: Api;

/** Each guide has its reader start a server of its own: rows and ids are those of a new database. */
async function startFresh(): Promise<void> {
  database = await testDatabase();
  api = await startApi(database, SETTINGS);
}

async function stop(): Promise<void> {
  await api.close();
  await database.close();
}

/** Stands in a guide for the claim token of the last answer, which is different in each database. */
const TOKEN = 'TOKEN';
let token = TOKEN;

async function send(query: string): Promise<{ data: unknown; errors?: unknown }> {
  const response = await postJson(api.url, { query: query.replace(`"${TOKEN}"`, `"${token}"`) });
  const text = (await response.text()).replace(/(?<="claimToken":")[\w-]+/, (found) => {
    token = found;
    return TOKEN;
  });
  return JSON.parse(text) as { data: unknown; errors?: unknown };
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

  beforeAll(startFresh);
  afterAll(stop);

  test('it begins with an empty server', () => {
    expect(guide.slice(0, guide.indexOf('```graphql'))).toContain(`\n    ${START}\n`);
  });

  test.each(examples)('example %d', async (_number, request, answer: string | undefined) => {
    const { data, errors } = await send(request);
    if (answer === undefined) return expectPayloads({ data, errors });
    expect(errors).toBeUndefined();
    expect({ data }).toEqual(JSON.parse(answer));
  });

  const commands = commandsIn(guide);
  if (commands.length > 0)
    test('its commands succeed', async () => {
      const shell = await GuideShell.start(api.url, folder);
      for (const command of commands) expect([command, await shell.run(command)]).not.toContain('');
      shell.close();
    });
});
