import { afterAll, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { openDatabase } from '../../src/store/database/database.js';
import { startPrivateDatabase } from '../../src/tools/privateDatabase/privateDatabase.js';
import { stopProcesses } from '../../src/tools/privateDatabase/processes.js';
import { Command, LocalCommand } from '../cli/command.js';
import { Client } from '../races/client.js';
import { ended } from '../transfer/transferSupport.js';
import { temporaryFolder } from './backups.js';

const folder = temporaryFolder();
const [here, there, file] = ['here', 'there', 'backup'].map(folder.path);
let server: Command | undefined;
afterAll(async () => {
  server?.signal('SIGKILL');
  await server?.ended();
  for (const directory of [here, there]) await stopProcesses(directory);
  folder.remove();
});

const environmentOf = (directory: string) => ({ PLACEMENT_DATA_DIRECTORY: directory });

/** Runs a command on the private database of a directory. */
const run = (directory: string, ...options: string[]): Promise<{ code: unknown; lines: string[] }> =>
  ended(new LocalCommand(options, environmentOf(directory)));

/** Returns the names of the providers in the private database of a directory that no server uses. */
async function namesIn(directory: string): Promise<string[]> {
  const program = await startPrivateDatabase({ directory, durable: true });
  const database = openDatabase(program.url('placement'));
  const rows = await database.pool.query<{ name: string }[]>('SELECT name FROM resource_providers');
  await database.close();
  await program.stop();
  return rows.map(({ name }) => name).sort();
}

test('a private database is backed up while it is served, and restored into its own directory and another', async () => {
  server = new Command(['serve', '--port', '0', '--hosts', '2'], environmentOf(here));
  await server.says('/graphql\n');
  const client = new Client(/is serving (\S+)\n/.exec(server.said)![1]);
  const { resourceProviders } = await client.read<{ resourceProviders: { nodes: { name: string }[] } }>(
    '{ resourceProviders(first: 1000) { nodes { name } } }',
  );
  const names = resourceProviders.nodes.map(({ name }) => name).sort();
  expect(names.length).toBeGreaterThan(10);
  expect((await run(here, 'backup', file)).code).toBe(0);
  expect(existsSync(file)).toBe(true);
  const later = await client.mutate('createResourceProvider', { name: 'later' }, '__typename');
  expect(later.kind).toBe('done');

  expect(await run(here, 'restore', file, '--replace')).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^placement-graphql is already running here: /)],
  });
  client.close();
  server.signal('SIGTERM');
  await server.ended();

  expect((await run(there, 'restore', file)).lines.at(-1)).toBe(
    'the database is restored, and equal to the backup',
  );
  expect(await namesIn(there)).toEqual(names);

  const stillThere = await run(here, 'restore', file);
  expect(stillThere.code).toBe(1);
  expect(stillThere.lines.at(-1)).toMatch(/or replace it with --replace$/);
  expect((await run(here, 'restore', file, '--replace')).code).toBe(0);
  expect(await namesIn(here)).toEqual(names);
  // the command starts a private database that no server runs
  expect((await run(here, 'backup', folder.path('another'))).code).toBe(0);
}, 120_000);
