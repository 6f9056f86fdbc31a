import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSettings } from '../../src/server/settings/settings.js';
import { createProcess } from '../../src/server/process.js';
import { useDatabase } from '../support/useDatabase.js';
import { send, serve, type Answer, type Sent, type Served } from './server.js';

const CONSOLE = 'https://console.example';

const database = useDatabase();

/** Runs tests against a server that allows these origins. */
function withOrigins(allowedOrigins: string[], tests: (ask: (sent?: Sent) => Promise<Answer>) => void): void {
  describe(`where ${allowedOrigins.join() || 'no origin'} is allowed`, () => {
    let served: Served;
    beforeAll(async () => void (served = await serve(createProcess(database), { allowedOrigins })));
    afterAll(() => served.server.close());
    tests((sent) => send(served.port, sent));
  });
}

const preflight = (origin: string): Sent => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  },
});

const cors = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

const SHARED = {
  'access-control-allow-origin': CONSOLE,
  'access-control-expose-headers': 'x-request-id, retry-after, server-timing, www-authenticate',
};

withOrigins([CONSOLE, 'http://localhost:3000'], (ask) => {
  test('a preflight states what a page may send, and for how long', async () => {
    const answer = await ask(preflight(CONSOLE));
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(cors(answer)).toEqual({
      'access-control-allow-origin': CONSOLE,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers':
        'content-type, authorization, x-auth-token, x-request-id, x-server-timing, traceparent, tracestate, baggage',
      'access-control-max-age': '7200',
    });
    expect(answer.headers.vary).toBe('origin');
    expect(cors(await ask(preflight('http://localhost:3000')))).toMatchObject({
      'access-control-allow-origin': 'http://localhost:3000',
    });
  });

  test('answers can be read, errors too', async () => {
    const headers = { origin: CONSOLE };
    const sent: [Sent, number][] = [
      [{ headers }, 200],
      [{ headers, body: '{' }, 400],
      [{ headers: { ...headers, 'content-type': 'text/plain' } }, 415],
      [{ headers, method: 'GET', path: '/graphql?query={__typename}' }, 200],
      [{ headers, method: 'GET', path: '/nothing' }, 404],
      [{ headers, method: 'GET', path: '/readyz' }, 200],
    ];
    for (const [request, status] of sent) {
      const answer = await ask(request);
      expect(answer.status).toBe(status);
      expect(cors(answer)).toEqual(SHARED);
      expect(answer.headers.vary).toContain('origin');
    }
  });

  test('answers tell caches that they depend on the origin', async () => {
    const answer = await ask();
    expect(cors(answer)).toEqual({});
    expect(answer.headers.vary).toBe('origin');
  });
});

withOrigins(['*'], (ask) => {
  test('every page may', async () => {
    for (const origin of ['https://any.example', 'null']) {
      expect(await ask(preflight(origin))).toMatchObject({ status: 204 });
      const answer = await ask({ headers: { origin } });
      expect(answer.status).toBe(200);
      expect(cors(answer)).toMatchObject({ 'access-control-allow-origin': '*' });
      expect(answer.headers.vary).toBeUndefined();
    }
  });
});

withOrigins([], (ask) => {
  test('no page of another origin may send requests, and answers have no CORS header', async () => {
    expect(await ask(preflight(CONSOLE))).toMatchObject({ status: 403 });
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(cors(answer)).toEqual({});
    expect(answer.headers.vary).toBeUndefined();
  });
});

describe('the setting', () => {
  const read = (text: string) =>
    readSettings({ environment: { PLACEMENT_HTTP_ALLOWED_ORIGINS: text } }).settings['http.allowedOrigins'];

  test('takes origins as browsers send them', () => {
    expect(read('https://console.example, http://localhost:3000,chrome-extension://abc')).toEqual([
      CONSOLE,
      'http://localhost:3000',
      'chrome-extension://abc',
    ]);
    expect(read('*')).toEqual(['*']);
  });

  test.each([
    'https://console.example/',
    'console.example',
    'https://console.example:443',
    'https://Console.example',
    'https://*.example',
    'null',
  ])('refuses %s, which no browser would ever send', (origin) => {
    expect(() => read(origin)).toThrow('must be a list of origins such as https://console.example');
  });
});
