import { describe, expect, test } from '@jest/globals';
import { useRest } from './rest.js';

const { rest, api } = useRest();

const ask = (version: string | null, path = '/resource_providers') =>
  rest('GET', path, { version: null, headers: version === null ? {} : { 'openstack-api-version': version } });

describe('the version of a request', () => {
  test.each([
    [null, '1.0'],
    ['placement 1.17', '1.17'],
    ['placement latest', '1.39'],
    ['compute 2.1, placement 1.4', '1.4'],
    ['placement 1.4, Placement  1.5', '1.5'],
    ['compute 2.90', '1.0'],
    ['1.10', '1.0'],
  ])('%s is %s, in the answer, too', async (header, version) => {
    const { status, headers } = await ask(header);
    expect(status).toBe(200);
    expect(headers.get('openstack-api-version')).toBe(`placement ${version}`);
    expect(headers.get('vary')).toContain('openstack-api-version');
  });

  test('comes from the older header if there is no other one', async () => {
    const headers = { 'x-openstack-placement-api-version': '1.10' };
    const answer = await rest('GET', '/', { version: null, headers });
    expect(answer.headers.get('openstack-api-version')).toBe('placement 1.10');
  });

  test.each(['placement 1.40', 'placement 0.9', 'placement 2.0'])(
    '%s is 406 with the bounds',
    async (header) => {
      const { status, json, headers } = await ask(header);
      expect(status).toBe(406);
      expect(json.errors[0]).toMatchObject({ max_version: '1.39', min_version: '1.0' });
      expect(json.errors[0].detail).toContain(`Unacceptable version header: ${header.slice(10)}`);
      expect(headers.get('vary')).toContain('openstack-api-version');
    },
  );

  test.each(['placement pony.horse', 'placement 1.2.3', 'placement one', 'placement -1.0'])(
    '%s is 400',
    async (header) => {
      const { status, json } = await ask(header);
      expect(status).toBe(400);
      expect(json.errors[0].detail).toContain('invalid version string: ');
    },
  );
});

test('a route that an older version lacks is 404, and the detail names the version', async () => {
  for (const [version, text] of [
    [null, '1.0'],
    ['placement 1.5', '1.5'],
  ]) {
    const { status, json } = await ask(version, '/traits');
    expect(status).toBe(404);
    expect(json.errors[0].detail).toContain(`\n\n Version ${text} has no GET of /traits.`);
  }
});

describe('the version document', () => {
  test.each(['', '/', '/?x=1'])('is at /placement%s', async (path) => {
    const { status, json } = await rest('GET', path, { version: null });
    expect(status).toBe(200);
    const links = [{ rel: 'self', href: '' }];
    const version = { id: 'v1.0', min_version: '1.0', max_version: '1.39', status: 'CURRENT', links };
    expect(json).toEqual({ versions: [version] });
  });

  test('has cache headers from 1.15 on', async () => {
    const [old, recent] = await Promise.all([14, 15].map((version) => rest('GET', '/', { version })));
    expect(old.headers.get('cache-control')).toBeNull();
    expect(recent.headers.get('cache-control')).toBe('no-cache');
    expect(Date.parse(recent.headers.get('last-modified')!)).toBeGreaterThan(Date.now() - 60_000);
    expect(recent.headers.get('etag')).toBeNull();
  });
});

test('a path beside /placement is not of the API', async () => {
  const response = await fetch(api.url.replace(/graphql$/, 'placements'), { headers: { accept: '*/*' } });
  expect(response.status).toBe(404);
  expect(response.headers.get('openstack-api-version')).toBeNull();
});

describe('every error', () => {
  test('has the id of the request, a code in every version, and one line of text after an empty one', async () => {
    const { headers, json } = await rest('GET', '/barnabas', { version: 0 });
    const [error] = json.errors;
    expect(headers.get('x-openstack-request-id')).toMatch(/^req-[\da-f-]{36}$/);
    expect(error).toMatchObject({ status: 404, title: 'Not Found', code: 'placement.undefined_code' });
    expect(error.request_id).toBe(headers.get('x-openstack-request-id'));
    expect(error.detail).toMatch(/^The resource could not be found\.\n\n \S[^\n]*$/);
  });

  test('is HTML only for a client that accepts no JSON', async () => {
    const type = async (accept: string) =>
      (await rest('GET', '/barnabas', { headers: { accept } })).headers.get('content-type');
    expect(await type('text/html')).toBe('text/html; charset=utf-8');
    expect(await type('text/html, application/json;q=0.5')).toBe('text/html; charset=utf-8');
    expect(await type('*/*')).toBe('application/json');
    expect(await type('text/plain')).toBe('application/json');
  });
});

describe('a method that a path does not have', () => {
  test.each(['DELETE', 'PATCH', 'OPTIONS'])('%s is 405 and names the others', async (method) => {
    const { status, headers, json } = await rest(method, '/resource_providers', { version: 0 });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, POST');
    expect(json.errors[0].detail).toContain(`The method ${method} is not allowed for this resource.`);
  });

  test('is 404 before the version of the route, but 405 for all inventories', async () => {
    const provider = '/resource_providers/5e08ea53-c4c6-448e-9334-ac4953de3cfa';
    const status = async (method: string, path: string, version: number) =>
      (await rest(method, path, { version })).status;
    expect(await status('GET', '/traits', 5)).toBe(404);
    expect(await status('GET', '/resource_classes', 1)).toBe(404);
    expect(await status('GET', '/usages?project_id=p', 8)).toBe(404);
    expect(await status('GET', `${provider}/aggregates`, 0)).toBe(404);
    expect(await status('DELETE', `${provider}/inventories`, 4)).toBe(405);
    const { headers } = await rest('DELETE', `${provider}/inventories`, { version: 4 });
    expect(headers.get('allow')).toBeNull();
    expect(await status('DELETE', `${provider}/inventories`, 5)).toBe(404);
  });
});

describe('media types', () => {
  const post = (headers: Record<string, string>, body = '{"name":"media"}') =>
    rest('POST', '/resource_providers', { headers, body: Buffer.from(body) });

  test.each([
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['json', 415],
    ['application/json, text/plain', 415],
    ['/', 415],
    ['application/json; charset=utf-8', 200],
  ])('a body of %s is %i', async (type, status) => {
    expect((await post({ 'content-type': type })).status).toBe(status);
  });

  test.each([
    ['text/plain', 406],
    ['application/json;q=0', 406],
    ['text/html, */*;q=0.1', 200],
    ['', 200],
  ])('a read of a client that accepts %s is %i', async (accept, status) => {
    expect((await rest('GET', '/resource_providers', { headers: { accept } })).status).toBe(status);
  });

  test.each([
    ['PUT', '/traits/CUSTOM_MALFORMED', 201],
    ['DELETE', '/traits/CUSTOM_NONE', 404],
    ['DELETE', '/resource_providers', 405],
  ])('%s of %s, which takes no body, does not read its type', async (method, path, status) => {
    const headers = { 'content-type': 'json' };
    const answer = await rest(method, path, { headers, body: Buffer.from('{}') });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('openstack-api-version')).toBe('placement 1.39');
  });

  test.each(['{"foo": }', '{"name":"cut of', ''])('the body %j is malformed', async (body) => {
    const { status, json } = await post({ 'content-type': 'application/json' }, body);
    expect(status).toBe(400);
    expect(json.errors[0].detail).toContain('Malformed JSON: ');
  });

  test('a body that is too long is 413', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(17_000_000) });
    const { status, json } = await post({ 'content-type': 'application/json' }, body);
    expect(status).toBe(413);
    expect(json.errors[0].title).toBe('Payload Too Large');
  });

  test.each(['['.repeat(100_002), `{${'"name":1,'.repeat(100_001)}`])(
    'a body with more than operations.values values is 413 and not parsed: it would delay other requests',
    async (body) => {
      const { status, json } = await post({ 'content-type': 'application/json' }, body);
      expect(status).toBe(413);
      expect(json.errors[0].detail).toContain('The body has more than 100000 values.');
    },
  );
});
