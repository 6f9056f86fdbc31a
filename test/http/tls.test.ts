import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ConnectionOptions } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createProcess } from '../../src/server/process.js';
import { readKeyPair } from '../../src/server/http/tls.js';
import type { Server } from '../../src/server/server.js';
import { issuePair, type IssuedPair } from '../support/certificates.js';
import { useDatabase } from '../support/useDatabase.js';
import { connection } from './rawHttp.js';
import { send, serve, type Answer, type Sent } from './server.js';

let folder: string;
let certificate: string;
let key: string;
let first: IssuedPair;
let second: IssuedPair;

beforeAll(async () => {
  [first, second] = await Promise.all([issuePair('first'), issuePair('second')]);
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'placement-tls-'));
  [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  install(first);
});

afterEach(() => rmSync(folder, { recursive: true }));

let versions = 0;

/** Writes a pair into a folder of its own and has the names lead there, one after the other, as certbot does. */
function install(pair: Pick<IssuedPair, 'certificate' | 'key'>, only = ['crt', 'key']): void {
  const version = `${++versions}`;
  for (const [kind, content] of [
    ['crt', pair.certificate],
    ['key', pair.key],
  ] as const) {
    if (!only.includes(kind)) continue;
    const file = join(folder, `${version}.${kind}`);
    writeFileSync(file, content, { mode: 0o600 });
    symlinkSync(file, join(folder, 'link'));
    renameSync(join(folder, 'link'), join(folder, `tls.${kind}`));
  }
}

const open = async () => {
  const warnings: string[] = [];
  const pair = await readKeyPair({ certificate, key }, (line) => warnings.push(line));
  return { pair, warnings };
};

describe('the error of an unusable file names the setting, the file and the reason', () => {
  test.each([
    ['no certificate', () => rmSync(certificate), /^tls\.certificate: ENOENT.*tls\.crt/],
    ['no key', () => rmSync(key), /^tls\.key: ENOENT.*tls\.key/],
    [
      'no PEM',
      () => install({ ...first, certificate: 'x' }),
      /^tls\.certificate: \S+tls\.crt cannot be used: /,
    ],
    ['half a key', () => install({ ...first, key: first.key.slice(0, 60) }), /^tls\.key: \S+tls\.key cannot/],
    [
      'the two mistaken for each other',
      () => install({ certificate: first.key, key: first.certificate }),
      /^tls\.certificate: \S+ cannot be used: /,
    ],
    [
      'the key of another certificate',
      () => install({ ...first, key: second.key }),
      /^tls\.key: \S+tls\.key is not the key of the first certificate in \S+tls\.crt$/,
    ],
    [
      'a key with a passphrase',
      () => install({ ...first, key: first.key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE') }),
      /^tls\.key: \S+ cannot be used: it has a passphrase, and must have none$/,
    ],
  ])('%s', async (_what, spoil, message) => {
    spoil();
    await expect(open()).rejects.toThrow(message);
  });

  test('an expired certificate and a key that everybody can read are warnings', async () => {
    expect((await open()).warnings).toEqual([]);
    const old = await issuePair('old', -1);
    install(old);
    key = join(folder, 'open.key');
    writeFileSync(key, old.key, { mode: 0o644 });
    expect((await open()).warnings).toEqual([
      expect.stringMatching(/^tls\.certificate: \S+ has expired: it was valid until /),
      expect.stringMatching(/^tls\.key: .*open\.key/),
    ]);
  });
});

describe('a server with a certificate', () => {
  const database = useDatabase();
  let server: Server;
  let port: number;
  const reported: string[] = [];

  beforeEach(async () => {
    reported.length = 0;
    const process = createProcess(database, {
      report: (error, during) => reported.push(`${during}: ${(error as Error).message}`),
    });
    ({ server, port } = await serve(process, { keyPair: (await open()).pair }));
  });
  afterEach(() => server.close());

  /** Asks as a client that trusts both authorities, over a connection of an agent or one of its own. */
  const ask = (sent: Sent = {}, agent: Agent | false = false): Promise<Answer> =>
    send(
      port,
      { method: 'GET', path: '/graphql?query={__typename}', ...sent },
      { host: 'localhost', ca: [first.authority, second.authority], agent },
    );

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await condition())) await sleep(50);
  }

  const isServing = async (name: string) => (await ask()).certified === name;

  const handshake = (options: ConnectionOptions) =>
    new Promise<string>((resolve) => {
      const socket = connect({ port, host: 'localhost', ca: first.authority, ...options });
      socket.once('secureConnect', () => {
        resolve(socket.getProtocol()!);
        socket.destroy();
      });
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code!));
    });

  test('serves the API, the page and its health over HTTPS, with the chain', async () => {
    expect(await ask()).toMatchObject({ status: 200, certified: 'first' });
    expect(await ask({ path: '/readyz' })).toMatchObject({ status: 200 });
    const page = await ask({ path: '/graphql', headers: { accept: 'text/html' } });
    expect(page.text.trimStart().slice(0, 15)).toBe('<!doctype html>');
    await ask({ method: 'POST', body: '' });
    expect(reported).toEqual([]);
  });

  test('speaks TLS 1.2 and 1.3, and nothing older', async () => {
    expect(await handshake({ maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
    expect(await handshake({})).toBe('TLSv1.3');
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect(await handshake(old)).toMatch(/ERR_SSL/);
  });

  test('does not talk to clients that do not speak TLS, and lives', async () => {
    const socket = connectPlain(port, '127.0.0.1').on('error', () => undefined);
    let answer = '';
    socket.on('data', (part: Buffer) => (answer += part.toString('latin1')));
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(socket, 'close');
    expect(answer).not.toMatch(/HTTP/);
    expect(await ask()).toMatchObject({ status: 200 });
  });

  test('takes pages for its own that came by TLS', async () => {
    const host = `localhost:${port}`;
    const post = (origin: string) => ask({ headers: { origin, host } });
    expect(await post(`https://${host}`)).toMatchObject({ status: 200 });
    expect(await post(`http://${host}`)).toMatchObject({ status: 403 });
  });

  test('a server uses a new key pair without a restart, and keeps its connections', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask({}, agent)).toMatchObject({ certified: 'first' });
    install(second);
    await until(() => isServing('second'));
    expect(await ask({}, agent)).toMatchObject({ status: 200, certified: 'first' });
    agent.destroy();
    expect(reported).toEqual([]);
  });

  test('keeps the pair that it has until both files of a new one are there, and reports what stays bad', async () => {
    install(second, ['crt']);
    await until(() => reported.length > 0);
    expect(await isServing('first')).toBe(true);
    expect(reported).toEqual([expect.stringMatching(/^reading .* again; .*: tls\.key: \S+ is not the key/)]);
    rmSync(key);
    await until(() => reported.length > 1);
    expect(reported[1]).toMatch(/tls\.key: ENOENT/);
    expect(await isServing('first')).toBe(true);
    await sleep(2_500);
    expect(reported).toHaveLength(2);
    install(second, ['key']);
    await until(() => isServing('second'));
    expect(reported).toHaveLength(2);
  });

  test('closes though a client does not end its handshake', async () => {
    const idle = await connection(`http://127.0.0.1:${port}`);
    const begun = performance.now();
    await server.close();
    expect(performance.now() - begun).toBeLessThan(11_000);
    idle.destroy();
  });
});
