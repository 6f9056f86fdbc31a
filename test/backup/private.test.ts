import { afterAll, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { Command } from '../cli/command.js';
import { Client } from '../races/client.js';
import { ended } from '../transfer/transferSupport.js';
import { temporaryFolder } from './backups.js';

const folder = temporaryFolder();
const running: Command[] = [];
afterAll(async () => {
  for (const command of running) {
    command.signal('SIGTERM');
    await command.ended();
  }
  folder.remove();
});

const command = (directory: string, ...options: string[]): Command =>
  new Command(options, { PLACEMENT_DATA_DIRECTORY: directory });

/** Serves the private database of a directory. */
async function serving(directory: string): Promise<{ client: Client; stop: () => Promise<void> }> {
  const server = command(directory, 'serve', '--port', '0', '--hosts', '2');
  running.push(server);
  await server.says('/graphql\n');
  const client = new Client(/is serving (\S+)\n/.exec(server.said)![1]);
  return {
    client,
    async stop() {
      client.close();
      server.signal('SIGTERM');
      await server.ended();
    },
  };
}

const namesOf = async (client: Client): Promise<string[]> => {
  const { resourceProviders } = await client.read<{ resourceProviders: { nodes: { name: string }[] } }>(
    '{ resourceProviders(first: 1000) { nodes { name } } }',
  );
  return resourceProviders.nodes.map(({ name }) => name).sort();
};

test('a private database is backed up while it is served, and restored into its own directory and another', async () => {
  const [here, there, file] = ['here', 'there', 'backup'].map(folder.path);
  const first = await serving(here);
  const names = await namesOf(first.client);
  expect(names.length).toBeGreaterThan(10);
  expect((await ended(command(here, 'backup', file))).code).toBe(0);
  expect(existsSync(file)).toBe(true);
  expect((await first.client.mutate('createResourceProvider', { name: 'later' }, '__typename')).kind).toBe(
    'done',
  );

  const refused = await ended(command(here, 'restore', file, '--replace'));
  expect(refused).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^placement-graphql is already running here: /)],
  });
  await first.stop();

  expect((await ended(command(there, 'restore', file))).lines.at(-1)).toBe(
    'the database is restored, and equal to the backup',
  );
  const elsewhere = await serving(there);
  expect(await namesOf(elsewhere.client)).toEqual(names);
  await elsewhere.stop();

  const stillThere = await ended(command(here, 'restore', file));
  expect(stillThere.code).toBe(1);
  expect(stillThere.lines.at(-1)).toMatch(/or replace it with --replace$/);
  expect((await ended(command(here, 'restore', file, '--replace'))).code).toBe(0);
  const again = await serving(here);
  expect(await namesOf(again.client)).toEqual(names);
  await again.stop();
  // one that nobody serves is started for it
  expect((await ended(command(here, 'backup', folder.path('another')))).code).toBe(0);
}, 120_000);
