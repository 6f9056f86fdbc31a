import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isLoopback, listenAddress, urlOf } from '../../src/server/http/address.js';
import { TOKEN_FILE, TOKENS } from '../access/viewers.js';
import { newFile } from '../authentication/support.js';
import { Command } from '../cli/command.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';

describe('an address', () => {
  test.each(['127.0.0.1', '127.255.0.7', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    '%s is of this machine alone',
    (address) => expect(isLoopback(address)).toBe(true),
  );

  test.each(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '::2', '::ffff:10.0.0.1', 'fe80::1'])(
    '%s is reached from elsewhere',
    (address) => expect(isLoopback(address)).toBe(false),
  );

  test.each([
    ['127.0.0.1', 'http://127.0.0.1:4000/graphql'],
    ['0.0.0.0', 'http://127.0.0.1:4000/graphql'],
    ['::', 'http://[::1]:4000/graphql'],
    ['fd00::1', 'http://[fd00::1]:4000/graphql'],
    ['placement.example', 'http://placement.example:4000/graphql'],
  ])('%s is opened as %s', (host, url) => {
    expect(urlOf(host, { address: host, family: '', port: 4_000 }, false)).toBe(url);
    expect(urlOf(host, { address: host, family: '', port: 4_000 }, true)).toBe(url.replace('http', 'https'));
  });

  test('is found for a name', async () => {
    expect(isLoopback(await listenAddress('localhost'))).toBe(true);
    await expect(listenAddress('nowhere.invalid')).rejects.toThrow(
      /^http\.host: nowhere\.invalid is no address, and no name that leads to one \(\w+\)$/,
    );
  });
});

describe('the command', () => {
  let database: TestDatabase;
  let command: Command;
  beforeAll(async () => void (database = await emptyDatabase()));
  afterEach(async () => {
    command.signal('SIGTERM');
    await command.ended();
  });
  afterAll(() => database.close());

  const tokens = newFile(TOKEN_FILE);
  const start = (...options: string[]): Command =>
    (command = new Command(['serve', '--port', '0', ...options], { DATABASE_URL: database.url }));
  const startWithTokens = (...options: string[]): Command => start('--tokens-file', tokens, ...options);

  /** The status of the answer to a request for a host, sent to an address. */
  const statusOf = (address: string, port: string, host: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({ host: address, port, path: '/livez', headers: { host } }, (response) =>
        resolve(response.resume().statusCode!),
      );
      sent.on('error', reject).end();
    });

  test.each(['127.0.0.2', '0.0.0.0', 'localhost'])('listens at %s, and says where', async (host) => {
    await startWithTokens('--host', host).says('/graphql\n');
    const [, url] = /is serving (\S+)\n/.exec(command.said)!;
    expect((await fetch(url, { headers: { accept: 'text/html' } })).status).toBe(200);
    expect(new URL(url).hostname).toBe(host === '0.0.0.0' ? '127.0.0.1' : host);
  });

  test('answers to the address that a connection comes to, and to no other', async () => {
    await startWithTokens('--host', '0.0.0.0').says('/graphql\n');
    const [, port] = /:(\d+)\/graphql\n/.exec(command.said)!;
    expect(await statusOf('127.0.0.3', port, '127.0.0.3')).toBe(200);
    expect(await statusOf('127.0.0.3', port, `127.0.0.3:${port}`)).toBe(200);
    for (const host of ['127.0.0.4', '0.0.0.0', 'placement.example'])
      expect(await statusOf('127.0.0.3', port, host)).toBe(421);
  });

  test.each(['0.0.0.0', '::'])('does not listen at %s while authentication is disabled', async (host) => {
    const { code, said } = await start('--host', host).ended();
    expect(code).toBe(1);
    expect(said).toContain(
      `http.host: other machines reach ${host}, and authentication is disabled: set tokens.file, jwt.issuer or keystone.url`,
    );
    expect(said).not.toContain('migrating');
  });

  test('asks nobody on this machine alone, and everybody elsewhere', async () => {
    const answers: number[] = [];
    for (const options of [
      ['--host', '127.0.0.1'],
      ['--host', '0.0.0.0', '--tokens-file', tokens],
    ]) {
      await start(...options).says('/graphql\n');
      const [, url] = /is serving (\S+)\n/.exec(command.said)!;
      const authorization = `Bearer ${TOKENS.reader}`;
      for (const headers of [{}, { authorization }] as Record<string, string>[])
        answers.push((await fetch(`${url}?query={traits{name}}`, { headers })).status);
      command.signal('SIGTERM');
      await command.ended();
    }
    expect(answers).toEqual([200, 200, 401, 200]);
  });

  test.each([
    ['192.0.2.1', 'http.host: 192.0.2.1 is no address of this machine\n'],
    ['nowhere.invalid', 'http.host: nowhere.invalid is no address, and no name that leads to one'],
    [
      'http://x',
      '--host: must be an address or a name of this machine, such as 0.0.0.0, :: or placement.example, not "http://x"\n',
    ],
  ])('tells at once why it cannot listen at %s', async (host, message) => {
    const { code, said } = await startWithTokens('--host', host).ended();
    expect(code).toBe(1);
    expect(said).toContain(message);
    expect(said).not.toContain('migrating');
  });
});
