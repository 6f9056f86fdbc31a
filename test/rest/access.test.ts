import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/api/rest/routeTable.js';
import { DEFAULT_REST } from '../../src/api/rest/settings.js';
import { OWN } from '../access/cloud.js';
import { TOKEN_FILE, TOKENS, type Name } from '../access/viewers.js';
import { newFile, open } from '../authentication/support.js';
import type { Role } from '../../src/model/viewer.js';
import { serve, useServer, withServer, type Served } from '../http/server.js';
import { restOf, type Rest } from './rest.js';

const served = useServer();
let guarded: Served;
let rest: Rest;

const KEYSTONE = 'https://keystone.example:5000';

beforeAll(async () => {
  const nothing = { start: () => Promise.resolve(), stop: () => undefined };
  const { authenticator } = open({ 'tokens.file': newFile(TOKEN_FILE) });
  const settings = { ...DEFAULT_REST, keystoneUrl: KEYSTONE };
  guarded = await serve({ ...served.process, ...nothing }, { authenticator, rest: settings });
  rest = restOf(() => guarded.url);
});

afterAll(() => guarded.server.close());

const ADMIN_OF_SYSTEM = {
  user: { id: 'u1' },
  roles: [{ name: 'admin' }, { name: 'member' }, { name: 'reader' }],
  system: { all: true },
  expires_at: '2100-01-01T00:00:00.000000Z',
};

const by = (name: Name) => ({ 'x-auth-token': TOKENS[name] });

describe('a request without valid credentials', () => {
  test.each<[string, Record<string, string>]>([
    ['no token', {}],
    ['an empty token', { 'x-auth-token': '' }],
    ['an unknown token', { 'x-auth-token': 'admin' }],
    ['a token without a scheme', { authorization: TOKENS.admin }],
    ['two tokens', { ...by('admin'), authorization: `Bearer ${TOKENS.admin}` }],
  ])('with %s is 401 before routes and versions, and names Keystone', async (_what, headers) => {
    for (const [path, version] of [
      ['/resource_providers', 0],
      ['/barnabas', 0],
      ['/resource_providers', 99],
    ] as const) {
      const { status, json, headers: answered } = await rest('GET', path, { headers, version });
      expect(status).toBe(401);
      expect(answered.get('www-authenticate')).toBe(`Keystone uri="${KEYSTONE}"`);
      expect(answered.get('content-type')).toBe('application/json');
      expect(json.errors[0]).toMatchObject({ status: 401, title: 'Unauthorized' });
    }
  });

  test('gets the version document', async () => {
    for (const path of ['', '/']) expect((await rest('GET', path)).status).toBe(200);
    expect((await rest('DELETE', '/')).status).toBe(405);
  });
});

test('a bearer token is as good as that of OpenStack', async () => {
  const headers = { authorization: `Bearer ${TOKENS.admin}` };
  expect((await rest('GET', '/resource_providers', { headers })).status).toBe(200);
});

/** A request of each route, whose object does not exist. */
const REQUESTS = ROUTES.filter(({ policy }) => policy !== 'anyone').map(
  ({ method, path, until, policy }) => ({
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      name === 'uuid' ? '5e08ea53-c4c6-448e-9334-ac4953de3cfa' : 'CUSTOM_X',
    ),
    version: until ?? 39,
    policy: policy ?? 'writer',
  }),
);

const sent = async (name: Name, { method, path, version }: (typeof REQUESTS)[number]) => {
  const body = method === 'PUT' || method === 'POST' ? {} : undefined;
  return (await rest(method, path, { headers: by(name), version, body })).status;
};

describe('a route', () => {
  test.each(['reader', 'reader of a project', 'member'] as const)('is not for a %s', async (name) => {
    for (const request of REQUESTS)
      expect([request.path, await sent(name, request)]).toEqual([request.path, 403]);
  });

  test('is for admin and service, but only service may reshape', async () => {
    for (const request of REQUESTS) {
      expect(await sent('service', request)).not.toBe(403);
      const isForbidden = (await sent('admin', request)) === 403;
      expect([request.path, isForbidden]).toEqual([request.path, request.policy === 'reshaper']);
    }
  });
});

test('403 comes after 405 and before 404', async () => {
  const headers = by('reader');
  const path = '/resource_providers/5e08ea53-c4c6-448e-9334-ac4953de3cfa';
  expect((await rest('POST', path, { headers, body: {} })).status).toBe(405);
  const { status, json } = await rest('GET', path, { headers });
  expect(status).toBe(403);
  expect(json.errors[0]).toMatchObject({ title: 'Forbidden', code: 'placement.undefined_code' });
});

test('a token of Keystone for the system may use no route, as in Placement', async () => {
  const keystone = createServer((_, response) => response.end(JSON.stringify({ token: ADMIN_OF_SYSTEM })));
  await once(keystone.listen(0, '127.0.0.1'), 'listening');
  const { port } = keystone.address() as AddressInfo;
  const { authenticator } = open({ 'keystone.url': `http://127.0.0.1:${port}` });
  const nothing = { start: () => Promise.resolve(), stop: () => undefined };
  const ofKeystone = await serve({ ...served.process, ...nothing }, { authenticator });
  const headers = { 'x-auth-token': 'system' };
  for (const path of ['/resource_providers', '/usages?project_id=other'])
    expect((await restOf(() => ofKeystone.url)('GET', path, { headers })).status).toBe(403);
  await ofKeystone.server.close();
  keystone.close();
});

test('readers and members of a project read its usages', async () => {
  const usages = async (name: Name, project: string) =>
    (await rest('GET', `/usages?project_id=${project}`, { headers: by(name) })).status;
  expect(await usages('reader of a project', OWN)).toBe(200);
  expect(await usages('member', OWN)).toBe(200);
  expect(await usages('reader of a project', 'other')).toBe(403);
  expect(await usages('reader', OWN)).toBe(403);
  expect(await usages('admin', 'other')).toBe(200);
});

test.each<[readonly Role[], Readonly<Partial<Record<Name, number>>>]>([
  [['service'], { service: 400, admin: 403, reader: 403 }],
  [['admin'], { service: 403, admin: 400, reader: 403 }],
  [['service', 'admin'], { service: 400, admin: 400, reader: 403 }],
])('the roles %j of rest.reshapeRoles may reshape', async (reshapeRoles, expected) => {
  const { authenticator } = open({ 'tokens.file': newFile(TOKEN_FILE) });
  await withServer(
    guarded.process,
    { authenticator, rest: { ...DEFAULT_REST, reshapeRoles } },
    async ({ url }) => {
      const own = restOf(() => url);
      // an empty body is 400, after the roles
      for (const [name, status] of Object.entries(expected) as [Name, number][])
        expect([name, (await own('POST', '/reshaper', { headers: by(name), body: {} })).status]).toEqual([
          name,
          status,
        ]);
    },
  );
});
