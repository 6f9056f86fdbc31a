import { connect } from 'node:net';
import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { attack, attackedServer, strength } from './attackedServer.js';
import { ask, codesOf, send, sendRaw } from './requests.js';

attackedServer();

/** What a fresh connection gets for a target and a host. */
const raw = (url: string, target: string, host = new URL(url).host): Promise<string> =>
  sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

attack('targets and hosts that are no URL', async ({ url }) => {
  const targets = [
    '//',
    '///',
    '//[',
    '//a:b',
    '/\\',
    'http://',
    'http://a:99999999/',
    'http://[/',
    '*',
    '/%',
    '?',
  ];
  const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n'));
  const page = bodyOf(await raw(url, '/'));
  for (const target of targets) {
    const text = await raw(url, target);
    // some are taken for /, whose page everybody may have
    if (text.startsWith('HTTP/1.1 200') && bodyOf(text) === page) continue;
    expect({ target, status: /^HTTP\/1\.1 (\d)/.exec(text)?.[1] ?? 'nothing' }).toEqual({
      target,
      status: expect.stringMatching(/^[34]$/) as unknown,
    });
  }
  for (const path of ['/graphql', '/healthz', '/', '//'])
    for (const host of ['[', 'a b', 'a:99999999', '', ':', '%'])
      expect({ path, host, text: await raw(url, path, host) }).toEqual({
        path,
        host,
        text: expect.stringMatching(/^HTTP\/1\.1 4/) as unknown,
      });
});

attack('hosts and origins of others', async ({ url }) => {
  const { port } = new URL(url);
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1.evil.example',
    `localhost.evil.example:${port}`,
  ]) {
    expect({ host, text: await raw(url, '/graphql?query={__typename}', host) }).toEqual({
      host,
      text: expect.stringMatching(/^HTTP\/1\.1 4/) as unknown,
    });
  }
  for (const origin of ['https://evil.example', 'null', `http://evil.example:${port}`]) {
    const { status, text } = await ask(url, '{ __typename }', {}, { headers: { origin } });
    expect({ origin, status, isAnswered: text.includes('"Query"') }).toEqual({
      origin,
      status: 403,
      isAnswered: false,
    });
  }
  const own = await ask(url, '{ __typename }', {}, { headers: { origin: `http://127.0.0.1:${port}` } });
  expect(own).toMatchObject({ status: 200 });
});

attack('requests by the thousand on one connection, none of them waited for', async ({ url }) => {
  const count = strength(20_000, 4_000);
  const body = JSON.stringify({ query: '{ __typename }' });
  const one = `POST /graphql HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const text = await pipelined(url, one.repeat(count), count);
  expect(text.answers + (text.isClosed ? count : 0)).toBeGreaterThanOrEqual(count);
});

/** Sends all at once and reads until there are `count` answers, the server closes the connection, or a minute is over. */
function pipelined(
  url: string,
  bytes: string,
  count: number,
): Promise<{ answers: number; isClosed: boolean }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answers = 0;
    let isClosed = false;
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers, isClosed });
    };
    const timer = setTimeout(end, 60_000);
    socket.setEncoding('latin1').on('data', (part: string) => {
      answers += part.match(/"Query"/g)?.length ?? 0;
      if (answers >= count) end();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => ((isClosed = true), end()));
    socket.write(bytes);
  });
}

attack('documents of 19 kB, each another one, that are refused', async ({ url }) => {
  for (let number = 0; number < strength(260, 130); number++) {
    const query = `{ ${'__typename '.repeat(1_700)} unknown${number} }`;
    const reply = await ask(url, query);
    expect(codesOf(reply)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  }
});

attack('half-sent requests', async ({ url }) => {
  const { hostname, port } = new URL(url);
  const half = `POST /graphql HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n`;
  const sockets = Array.from({ length: strength(200, 100) }, (_, number) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(number % 2 === 0 ? half : `${half}\r\n{"query":"`);
    return socket;
  });
  for (let turn = 0; turn < strength(20, 5); turn++) {
    await sleep(200);
    sockets.forEach(
      (socket, number) => socket.writable && socket.write(number % 2 === 0 ? `X-${turn}: 1\r\n` : ' '),
    );
  }
  for (const socket of sockets) socket.destroy();
});

attack('bodies of 20 MiB', async ({ url }) => {
  const body = Buffer.alloc(20 * 2 ** 20, 32);
  const replies = await Promise.all(Array.from({ length: strength(20, 5) }, () => send(url, body)));
  for (const { status, failure } of replies)
    expect(status === 413 || (status === 0 && failure !== null)).toBe(true);
  const isChunked = { 'transfer-encoding': 'chunked' };
  const chunked = await Promise.all(
    Array.from({ length: strength(20, 5) }, () => send(url, body, { headers: isChunked })),
  );
  for (const { status, failure } of chunked)
    expect(status === 413 || (status === 0 && failure !== null)).toBe(true);
});

attack('paths and methods that lead nowhere', async ({ url }) => {
  for (const method of ['PUT', 'DELETE', 'TRACE', 'PATCH', 'OPTIONS', 'HEAD']) {
    const { status } = await send(url, null, { method });
    expect({ method, isServerError: status >= 500 || status === 0 }).toEqual({
      method,
      isServerError: false,
    });
  }
});
