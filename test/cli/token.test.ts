import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { ask, open } from '../authentication/support.js';
import { folderOfFile } from '../support/folder.js';
import { Command, LocalCommand } from './command.js';

const folder = folderOfFile();
const [file, config] = [join(folder, 'tokens.yaml'), join(folder, 'placement.yaml')];
beforeEach(() => {
  rmSync(file, { force: true });
  writeFileSync(config, `tokens: { file: ${file} }\n`);
});

/** What a `token` command says, and its exit code. Spaces separate the words of the line. */
function token(line: string, Program: typeof Command | typeof LocalCommand = LocalCommand) {
  return new Program(['token', ...line.split(' '), '--config', config], {}).ended();
}

const create = async (options: string): Promise<string> => tokenIn(await token(`create ${options}`));

function tokenIn({ code, said }: { code: unknown; said: string }): string {
  expect(code).toBe(0);
  return said.split('\n').find((line) => line.startsWith('pgt_'))!;
}

const viewerOf = (text: string): unknown => ask(open({ 'tokens.file': file }).authenticator, text);

test('a token is created, printed once, listed without its secret, accepted, and revoked', async () => {
  const nova = await create('--name nova --role service');
  const alice = await create('--name alice --role reader --role member --project p1 --expires 90d');
  expect(readFileSync(file, 'utf8')).not.toContain(nova);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(viewerOf(nova)).toEqual({
    userId: 'nova',
    roles: new Set(['service']),
    projectId: null,
    expiresAt: null,
  });
  const inNinetyDays = Date.now() + 90 * 86_400_000;
  const viewer = viewerOf(alice) as { expiresAt: number };
  expect(viewer).toMatchObject({ userId: 'alice', roles: new Set(['reader', 'member']), projectId: 'p1' });
  expect(Math.abs(viewer.expiresAt - inNinetyDays)).toBeLessThan(60_000);

  const listed = await token('list');
  expect(listed.said).toMatch(
    /^NAME +ROLES +PROJECT +CREATED +EXPIRES\nnova +service +\(all\) +\S+ +never\nalice +reader, member +p1 +\S+ +\S+Z\n$/,
  );
  expect(listed.said).not.toContain('pgt_');

  expect((await token('revoke nova')).code).toBe(0);
  expect(() => viewerOf(nova)).toThrow('The token is not known, or is revoked.');
  expect((await token('list')).said).not.toContain('nova');
});

test('concurrent processes create and revoke tokens without losing a change', async () => {
  const names = ['a', 'b', 'c'];
  const made = await Promise.all(names.map((name) => token(`create --name ${name} --role reader`, Command)));
  expect(new Set(made.map(tokenIn)).size).toBe(3);
  const listed = (await token('list -o name')).said;
  expect(listed.trim().split('\n').sort()).toEqual(names);
  await Promise.all(names.map((name) => token(`revoke ${name}`, Command)));
  expect((await token('list')).said).toBe('no tokens\n');
});

test.each([
  ['create --name a/b --role reader', 1, 'name: must be 1 to 100 letters, digits, and any of . _ @ -\n'],
  ['create --name a --role root', 1, 'roles: must be one of admin, service, reader, member\n'],
  ['create --name a --role reader --project=', 1, 'projectId: must be a project, or null\n'],
  ['create --name a --role reader --expires 5', 2, 'must be like 90d, 12h or 30m\n'],
  ['create --name a', 2, "required option '--role <role...>' not specified\n"],
  ['revoke a', 1, `${file} has no token of a\n`],
])('a command that makes no sense says so and changes nothing: %s', async (line, code, message) => {
  expect(await token(line)).toEqual({ code, said: expect.stringContaining(message) as unknown });
  expect(existsSync(file)).toBe(false);
});

test('a name is taken once', async () => {
  const first = await create('--name nova --role service');
  expect(await token('create --name nova --role admin')).toEqual({
    code: 1,
    said: `${file} has a token of nova already: choose another --name, or revoke that one first\n`,
  });
  expect(viewerOf(first)).toMatchObject({ roles: new Set(['service']) });
});

test('the commands want to know the file', async () => {
  writeFileSync(config, '');
  const { code, said } = await token('list');
  expect(code).toBe(1);
  expect(said).toContain('tokens.file is not set');
});
