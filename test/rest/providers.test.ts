import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useRest } from './rest.js';

const { rest } = useRest();

const create = async (name: string, more: object = {}): Promise<string> => {
  const { json } = await rest('POST', '/resource_providers', { body: { name, ...more } });
  return json.uuid as string;
};

describe('POST /resource_providers', () => {
  test('answers 201 without a body up to 1.19, and 200 with one from 1.20', async () => {
    const old = await rest('POST', '/resource_providers', { version: 19, body: { name: 'old' } });
    expect(old).toMatchObject({ status: 201, text: '' });
    expect(old.headers.get('content-type')).toBeNull();
    expect(old.headers.get('location')).toMatch(/^http:.*\/placement\/resource_providers\/[\da-f-]{36}$/);
    const uuid = randomUUID();
    const body = { name: 'new', uuid: uuid.replaceAll('-', '').toUpperCase() };
    const recent = await rest('POST', '/resource_providers', { version: 20, body });
    expect(recent).toMatchObject({ status: 200, json: { uuid, name: 'new', generation: 0 } });
    expect(recent.headers.get('cache-control')).toBe('no-cache');
  });
});

test('GET of any text is 404', async () => {
  for (const text of ['none', randomUUID(), 'a/b/c', '%2F', '%', '%E2%98%83']) {
    const { status, json } = await rest('GET', `/resource_providers/${text}`);
    expect([text, status]).toEqual([text, 404]);
    expect(json.errors[0]).toMatchObject({
      status: 404,
      title: 'Not Found',
      code: 'placement.undefined_code',
    });
  }
});

test('lists parents first, in the order of creation', async () => {
  const root = await create('z-root');
  const child = await create('a-child', { parent_provider_uuid: root });
  const { json } = await rest('GET', `/resource_providers?in_tree=${child}`);
  const { resource_providers: found } = json as { resource_providers: { uuid: string }[] };
  expect(found.map(({ uuid }) => uuid)).toEqual([root, child]);
});
