import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connection, exchange, rawQuery, rawRequest } from '../http/rawHttp.js';
import { issuePair, type IssuedPair } from '../support/certificates.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { folderOfFile } from '../support/folder.js';
import { postJson } from '../support/httpPost.js';
import { Command, LocalCommand } from './command.js';

/** That each setting of the network reaches what it sets, in the compiled program; the rest of it is tested in test/http. */
const folder = folderOfFile();

let database: TestDatabase;
let command: Command;

beforeAll(async () => void (database = await emptyDatabase()));
afterAll(() => database.close());

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

function optionsWith(settings: object): string[] {
  return ['serve', '--port', '0', '--config', file('placement.yaml', JSON.stringify(settings))];
}

/** Starts a server. Returns its address. */
async function start(settings: object): Promise<string> {
  command = new Command(optionsWith(settings), { DATABASE_URL: database.url });
  await command.says('/graphql\n');
  return /is serving (\S+)\n/.exec(command.said)![1];
}

async function stop(): Promise<void> {
  command.signal('SIGTERM');
  await command.ended();
}

const COMPRESSED = rawQuery('{ traits { name isStandard } }', { 'accept-encoding': 'gzip' });

describe('limits of clients', () => {
  let address: string;
  beforeAll(async () => {
    address = await start({
      http: {
        connections: 20,
        requestsOfConnection: 2,
        headersSeconds: 0.5,
        requestSeconds: 1,
        keepAliveSeconds: 3,
        unreadSeconds: 2,
      },
    });
  }, 60_000);
  afterAll(stop);

  const GET = rawRequest('GET /graphql?query={__typename}');

  test('http.requestsOfConnection', async () => {
    expect(await exchange(address, GET.repeat(2))).not.toContain('HTTP/1.1 503');
    expect(await exchange(address, GET.repeat(3))).toContain('HTTP/1.1 503');
  });

  test('http.headersSeconds', async () => {
    const begun = performance.now();
    expect(await exchange(address, 'GET / HTTP/1.1\r\n', 6_000)).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - begun).toBeGreaterThan(400);
  });

  test('http.requestSeconds', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': 100 };
    const begun = performance.now();
    const answer = await exchange(address, rawRequest('POST /graphql', headers, '{'), 8_000);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - begun).toBeGreaterThan(900);
  });

  test('http.compression is on by default', async () => {
    expect(await exchange(address, COMPRESSED)).toMatch(/content-encoding: gzip/i);
  });

  test('http.keepAliveSeconds', async () => {
    expect(await exchange(address, GET)).toContain('Keep-Alive: timeout=3\r\n');
  });

  test('http.unreadSeconds', async () => {
    const socket = await connection(address);
    const closed = once(socket, 'close');
    socket.pause();
    const get = rawRequest('GET /graphql', { accept: 'text/html' });
    // more than the buffers of a connection
    const { length } = await exchange(address, get, 10_000);
    expect(length).toBeGreaterThan(5_000_000);
    socket.write(get.repeat(2));
    await sleep(4_000);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(2 * length);
  });

  test('http.connections', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => connection(address)));
    expect(await exchange(address, GET)).toBe('');
    for (const socket of taken) socket.destroy();
  });
});

describe('answers', () => {
  afterEach(stop);

  test('http.compression, http.allowedOrigins, http.longestBody and graphql', async () => {
    const http = { compression: false, allowedOrigins: ['https://console.example'], longestBody: 1024 };
    const address = await start({ http, graphql: { graphiql: false, introspection: false } });
    const plain = await exchange(address, COMPRESSED);
    expect(plain).toContain('"isStandard"');
    expect(plain).not.toMatch(/content-encoding/i);
    const query = rawQuery('{ __typename }', { origin: 'https://console.example' });
    expect(await exchange(address, query)).toMatch(
      /access-control-allow-origin: https:\/\/console\.example\r\n/i,
    );
    const long = await postJson(address, { query: `{ __typename ${'#'.repeat(2000)}\n}` });
    expect(long.status).toBe(413);
    expect((await fetch(address, { headers: { accept: 'text/html' } })).status).not.toBe(200);
    const schema = await postJson(address, { query: '{ __type(name: "Query") { name } }' });
    const message = expect.stringMatching(/introspection/i) as unknown;
    expect(await schema.json()).toMatchObject({
      errors: [{ message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    });
  }, 60_000);

  test('operations.values', async () => {
    const address = await start({ operations: { values: 1_000 } });
    const ask = async (count: number) =>
      (await postJson(address, { query: `{ nodes(ids: [${'"" '.repeat(count)}]) { id } }` })).text();
    expect(await ask(990)).toContain('INVALID_INPUT');
    expect(await ask(1_000)).toContain('1001 values');
  });

  test.each([
    [{ cost: 1_000 }, 'LIMIT_EXCEEDED'],
    [{ seconds: 0.001 }, 'TIMEOUT'],
  ])('operations: %j', async (operations, code) => {
    const address = await start({ operations });
    const query = '{ resourceProviders(first: 1000) { nodes { uuid } totalCount } }';
    expect(await exchange(address, rawQuery(query))).toContain(code);
  });
});

describe('files', () => {
  let pair: IssuedPair;
  let tls: { readonly certificate: string; readonly key: string };
  beforeAll(async () => void (pair = await issuePair('localhost')));
  beforeEach(() => {
    tls = { certificate: file('tls.crt', pair.certificate), key: file('tls.key', pair.key) };
  });

  test('tls.certificate, tls.key and graphql.trustedDocuments', async () => {
    const trustedDocuments = file('documents.json', JSON.stringify({ first: '{ __typename }' }));
    const address = await start({ tls, graphql: { trustedDocuments } });
    expect(address).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/graphql$/);
    const ask = (id: string) =>
      new Promise<string>((resolve, reject) => {
        const sent = request(
          `${address}?documentId=${id}`,
          { ca: pair.authority, agent: false },
          (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (part: string) => (text += part));
            response.on('end', () => resolve(text));
          },
        );
        sent.on('error', reject).end();
      });
    expect(await ask('first')).toContain('"__typename":"Query"');
    expect(await ask('second')).toContain('DOCUMENT_NOT_TRUSTED');
    await stop();
  });

  test.each([
    [
      'one of the two alone',
      () => ({ tls: { certificate: tls.certificate } }),
      /^tls\.key is not set: TLS needs both/m,
    ],
    ['a missing one', () => ({ tls: { ...tls, key: '/nowhere' } }), /^tls\.key: ENOENT.*\/nowhere/m],
    [
      'a list of documents that is none',
      () => ({ graphql: { trustedDocuments: tls.key } }),
      /^graphql\.trustedDocuments: \S+tls\.key is not a JSON map/m,
    ],
  ])('%s stops the program before it does anything', async (_what, settings, message) => {
    const { code, said } = await new LocalCommand(optionsWith(settings()), {
      DATABASE_URL: database.url,
    }).ended();
    expect(code).toBe(1);
    expect(said).toMatch(message);
    expect(said.trimEnd().split('\n')).toHaveLength(1);
  });
});
