import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { HTTP_LIMITS } from '../../src/server/http/httpServer.js';
import type { ServerOptions } from '../../src/server/server.js';
import { TOKEN_FILE, TOKENS } from '../access/viewers.js';
import { newFile, open } from '../authentication/support.js';
import { subscribe, type EventStream } from '../support/events.js';
import { connection, rawQuery } from './rawHttp.js';
import { useServer, withServer as withServerOf } from './server.js';

const served = useServer();

const STREAMS = 4;

const withServer = (options: ServerOptions, work: (url: string) => Promise<void>): Promise<void> =>
  withServerOf(served.process, { streams: STREAMS, ...options }, ({ url }) => work(url));

/** Opens as many streams as the server has. */
async function fill(open: () => Promise<EventStream>): Promise<EventStream[]> {
  const streams = await Promise.all(Array.from({ length: STREAMS }, open));
  expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200, 200]);
  return streams;
}

const stream = (url: string, headers: Readonly<Record<string, string>>) =>
  subscribe(url, {}, undefined, headers);
const from = (address: string) => ({ 'x-forwarded-for': address });
const by = (token: string) => ({ authorization: `Bearer ${token}` });

async function refusalOf(stream: EventStream) {
  const [{ extensions }] = await stream.errors();
  return [stream.response.status, stream.response.headers.get('retry-after'), extensions];
}

const closeAll = async (streams: readonly EventStream[]): Promise<void> => {
  for (const stream of streams) stream.close();
  while (served.process.watch.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
};

test('a client takes a stream from one that has all, which is throttled', () =>
  withServer({ trustedProxies: ['127.0.0.0/8'] }, async (url) => {
    const streams = await fill(() => stream(url, from('10.0.0.1')));
    const overloaded = { code: 'OVERLOADED', retryAfter: 10 };
    const alone = await stream(url, from('10.0.0.1'));
    expect(await refusalOf(alone)).toMatchObject([503, '10', overloaded]);
    const other = await stream(url, from('10.0.0.2'));
    expect(other.response.status).toBe(200);
    const throttled = { code: 'THROTTLED', retryAfter: 10 };
    expect(await streams[STREAMS - 1].errors()).toMatchObject([{ extensions: throttled }]);
    const again = await stream(url, from('10.0.0.1'));
    expect(await refusalOf(again)).toMatchObject([429, '10', throttled]);
    await closeAll([...streams, other]);
  }));

test('without a trusted proxy the address is that of the connection', () =>
  withServer({}, async (url) => {
    const streams = await fill(() => stream(url, from('10.0.0.1')));
    const other = await stream(url, from('10.0.0.2'));
    expect(other.response.status).toBe(503);
    await closeAll(streams);
  }));

test('users are clients of their own, and the role admin is never throttled', async () => {
  const { authenticator } = open({ 'tokens.file': newFile(TOKEN_FILE) });
  await withServer({ authenticator }, async (url) => {
    const streams = await fill(() => stream(url, by(TOKENS.admin)));
    for (const token of [TOKENS.admin, TOKENS.reader]) {
      const { response } = await stream(url, by(token));
      expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('OVERLOADED')]);
    }
    await closeAll(streams);
  });
});

test('an address with fewer connections takes an idle one from the address with the most', () =>
  withServer({ limits: { ...HTTP_LIMITS, connections: 3 } }, async (url) => {
    const greedy = [];
    for (let at = 0; at < 3; at++) greedy.push(await connection(url, '127.0.0.1'));
    greedy[0].write(
      rawQuery('subscription { resourceProviderChanged { uuid } }', { accept: 'text/event-stream' }),
    );
    await once(greedy[0], 'data');
    const closed = once(greedy[1], 'close');
    const modest = await connection(url, '127.0.0.2');
    modest.write(rawQuery('{ __typename }'));
    const [answer] = (await once(modest, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    await closed;
    expect(greedy.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
    for (const socket of [...greedy, modest]) socket.destroy();
  }));
