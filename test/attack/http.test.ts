import { connect } from 'node:net';
import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { attack, attackedServer, strength } from './attackedServer.js';
import { all, ask, codesOf, send, sendRaw } from './requests.js';

attackedServer();

attack('requests by the thousand on one connection, none of them waited for', async ({ url }) => {
  const count = strength(20_000, 4_000);
  const body = JSON.stringify({ query: '{ __typename }' });
  const one = `POST /graphql HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const text = await sendRaw(url, one.repeat(count));
  const answers = text.match(/"Query"/g)?.length ?? 0;
  // the server answers all, or rejects one and closes the connection
  expect(answers).toBeGreaterThan(0);
  if (answers < count) expect(text.split('HTTP/1.1 503 ').length).toBeLessThanOrEqual(2);
  expect(answers).toBeLessThanOrEqual(count);
});

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
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[])
    for (const { status, failure } of await all(strength(20, 5), () => send(url, body, { headers })))
      expect(status === 413 || (status === 0 && failure !== null)).toBe(true);
});
