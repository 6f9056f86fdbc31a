import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isLoopback, listenAddress, urlOf } from '../../src/server/http/address.js';
import { TOKEN_FILE, TOKENS } from '../access/viewers.js';
import { newFile } from '../authentication/support.js';
import { Command, LocalCommand } from '../cli/command.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { send } from './server.js';

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
      /^http\.host: nowhere\.invalid cannot be resolved \(\w+\)$/,
    );
  });
});

describe('the command', () => {
  let database: TestDatabase;
  let command: Command | undefined;
  beforeAll(async () => void (database = await emptyDatabase()));
  afterEach(async () => {
    command?.signal('SIGTERM');
    await command?.ended();
    command = undefined;
  });
  afterAll(() => database.close());

  const withTokens = ['--tokens-file', newFile(TOKEN_FILE)];
  const optionsWith = (...options: string[]): string[] => ['serve', '--port', '0', ...options];

  /** Starts a server. Returns its address. */
  async function serve(...options: string[]): Promise<string> {
    command = new Command(optionsWith(...options), { DATABASE_URL: database.url });
    await command.says('/graphql\n');
    return /is serving (\S+)\n/.exec(command.said)![1];
  }

  const refused = (...options: string[]) =>
    new LocalCommand(optionsWith(...options), { DATABASE_URL: database.url }).ended();

  /** The status of the answer to a request for a host, sent to an address. */
  const statusOf = (address: string, port: string, host: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({ host: address, port, path: '/livez', headers: { host } }, (response) =>
        resolve(response.resume().statusCode!),
      );
      sent.on('error', reject).end();
    });

  /** The statuses of the answers to a query without a token, and with one. */
  async function statusesAt(url: string): Promise<number[]> {
    const statuses: number[] = [];
    const authorization = `Bearer ${TOKENS.reader}`;
    for (const headers of [{}, { authorization }] as Record<string, string>[])
      statuses.push((await fetch(`${url}?query={traits{name}}`, { headers })).status);
    return statuses;
  }

  test('the server listens at the address of a name and logs it', async () => {
    const url = await serve('--host', 'localhost');
    expect((await fetch(url, { headers: { accept: 'text/html' } })).status).toBe(200);
    expect(new URL(url).hostname).toBe('localhost');
    expect(await statusesAt(url)).toEqual([200, 200]);
  });

  test('with authentication the command listens at all addresses, and serves the allowed host names', async () => {
    const allowed = ['--allowed-host', 'placement.example', '--allowed-origin', 'https://console.example'];
    const url = await serve('--host', '0.0.0.0', ...allowed, ...withTokens);
    const { hostname, port } = new URL(url);
    expect((await fetch(url, { headers: { accept: 'text/html' } })).status).toBe(200);
    expect(hostname).toBe('127.0.0.1');
    expect(await statusesAt(url)).toEqual([401, 200]);
    expect(await statusOf('127.0.0.3', port, '127.0.0.3')).toBe(200);
    for (const host of [`127.0.0.3:${port}`, 'placement.example'])
      expect(await statusOf('127.0.0.3', port, host)).toBe(200);
    for (const host of ['127.0.0.4', '0.0.0.0', 'other.example'])
      expect(await statusOf('127.0.0.3', port, host)).toBe(421);
    for (const [origin, status] of [
      ['https://console.example', 200],
      ['https://other.example', 403],
    ] as const) {
      const headers = { authorization: `Bearer ${TOKENS.reader}`, origin };
      expect((await send(Number(port), { headers })).status).toBe(status);
    }
  });

  test.each(['0.0.0.0', '::'])('does not listen at %s while authentication is disabled', async (host) => {
    const { code, said } = await refused('--host', host);
    expect(code).toBe(1);
    expect(said).toContain(
      `http.host: other machines reach ${host}, and authentication is disabled: set tokens.file, jwt.issuer or keystone.url`,
    );
    expect(said).not.toContain('migrating');
  });

  test.each([
    ['192.0.2.1', 'http.host: 192.0.2.1 is no address of this machine\n'],
    ['nowhere.invalid', 'http.host: nowhere.invalid cannot be resolved'],
    [
      'http://x',
      '--host: must be an address or a name of this machine, such as 0.0.0.0, :: or placement.example, not "http://x"\n',
    ],
  ])('tells at once why it cannot listen at %s', async (host, message) => {
    const { code, said } = await refused('--host', host, ...withTokens);
    expect(code).toBe(1);
    expect(said).toContain(message);
    expect(said).not.toContain('migrating');
  });
});
