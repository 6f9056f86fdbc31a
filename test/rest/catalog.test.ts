import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { claimed } from '../support/claims.js';
import { useRest } from './rest.js';

const { rest, api } = useRest();

/** Creates a provider and returns its path. */
async function provider(): Promise<string> {
  const { json } = await rest('POST', '/resource_providers', { body: { name: randomUUID() } });
  return `/resource_providers/${json.uuid}`;
}

const generationOf = async (path: string): Promise<number> => (await rest('GET', path)).json.generation;

test('the deletion of an unknown class fails in the words that osc-placement expects', async () => {
  const { status, text } = await rest('DELETE', '/resource_classes/CUSTOM_NONE');
  expect([status, text]).toEqual([404, expect.stringContaining('No such resource class CUSTOM_NONE.')]);
});

describe.each(['traits', 'resource_classes'])('a custom name of /%s', (kind) => {
  test('is 201 when it is new and 204 when it is not, without a body', async () => {
    const path = `/${kind}/CUSTOM_ONE`;
    for (const status of [201, 204]) {
      const answer = await rest('PUT', path);
      expect(answer).toMatchObject({ status, text: '' });
      expect(answer.headers.get('content-type')).toBeNull();
      expect(answer.headers.get('location')).toMatch(new RegExp(`^http://.*/placement${path}$`));
    }
    expect((await rest('DELETE', path)).status).toBe(204);
    expect((await rest('DELETE', path)).status).toBe(404);
  });

  test.each([
    'VCPU',
    'CUSTOM_low',
    'CUSTOM_',
    `CUSTOM_${'X'.repeat(249)}`,
    'CUSTOM_%E2%98%83',
    'CUSTOM_A%20',
  ])('cannot be %s', async (name) => {
    expect((await rest('PUT', `/${kind}/${name}`)).status).toBe(400);
  });

  test('is standard unless it begins with CUSTOM_, and then stays', async () => {
    const [name] = kind === 'traits' ? ['HW_CPU_X86_AVX2'] : ['VCPU'];
    const { status, json } = await rest('DELETE', `/${kind}/${name}`);
    expect(status).toBe(400);
    expect(json.errors[0].detail).toContain('Cannot delete standard');
  });
});

describe('/traits', () => {
  test('filters by name and by use', async () => {
    const path = await provider();
    for (const name of ['CUSTOM_LIST_A', 'CUSTOM_LIST_B']) await rest('PUT', `/traits/${name}`);
    const body = { traits: ['CUSTOM_LIST_A', 'CUSTOM_LIST_A'], resource_provider_generation: 0 };
    expect((await rest('PUT', `${path}/traits`, { body })).status).toBe(200);
    const found = async (query: string) => (await rest('GET', `/traits?${query}`)).json.traits;
    expect(await found('name=startswith:CUSTOM_LIST_')).toEqual(['CUSTOM_LIST_A', 'CUSTOM_LIST_B']);
    expect(await found('name=in:CUSTOM_LIST_B,NONE')).toEqual(['CUSTOM_LIST_B']);
    expect(await found('name=startswith:CUSTOM_LIST_&associated=True')).toEqual(['CUSTOM_LIST_A']);
    expect((await found('')).length).toBeGreaterThan(300);
  });

  test.each(['name=in_abc', 'associated=xyz', 'limit=1', 'marker=x', 'bogus=1'])(
    '?%s is 400',
    async (query) => {
      expect((await rest('GET', `/traits?${query}`)).status).toBe(400);
    },
  );

  test('GET of one is 204 without a body', async () => {
    const { status, text, headers } = await rest('GET', '/traits/HW_CPU_X86_AVX2');
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
    expect((await rest('GET', '/traits/NO_SUCH_TRAIT')).status).toBe(404);
  });
});

describe('the traits of a provider', () => {
  test('are set as a whole; a write that changes nothing does not count', async () => {
    const path = await provider();
    const put = (generation: number, ...traits: string[]) =>
      rest('PUT', `${path}/traits`, { body: { traits, resource_provider_generation: generation } });
    for (const expected of [1, 1]) {
      const { status, json } = await put(expected === 1 ? await generationOf(path) : 0, 'HW_CPU_X86_AVX2');
      expect([status, json]).toEqual([
        200,
        { traits: ['HW_CPU_X86_AVX2'], resource_provider_generation: expected },
      ]);
    }
    expect(await put(0)).toMatchObject({
      status: 409,
      json: { errors: [{ code: 'placement.concurrent_update' }] },
    });
    expect((await rest('DELETE', `${path}/traits`)).status).toBe(204);
    expect((await rest('GET', `${path}/traits`)).json).toEqual({
      traits: [],
      resource_provider_generation: 2,
    });
  });

  test('must exist; all unknown ones are named', async () => {
    const path = await provider();
    const body = { traits: ['NONE_B', 'HW_CPU_X86_AVX2', 'NONE_A'], resource_provider_generation: 0 };
    const { status, json } = await rest('PUT', `${path}/traits`, { body });
    expect(status).toBe(400);
    expect(json.errors[0].detail).toContain('No such trait NONE_A, NONE_B');
  });

  test('cannot be deleted while a provider has them', async () => {
    const path = await provider();
    await rest('PUT', '/traits/CUSTOM_USED');
    const body = { traits: ['CUSTOM_USED'], resource_provider_generation: 0 };
    await rest('PUT', `${path}/traits`, { body });
    const { status, json } = await rest('DELETE', '/traits/CUSTOM_USED');
    expect(status).toBe(409);
    expect(json.errors[0].detail).toContain('The trait CUSTOM_USED is in use by a resource provider.');
  });

  test('need a generation', async () => {
    const { status } = await rest('PUT', `${await provider()}/traits`, { body: { traits: [] } });
    expect(status).toBe(400);
  });
});

describe('the aggregates of a provider', () => {
  const [one, other] = [randomUUID(), randomUUID()].sort().reverse();

  test('are a bare list up to 1.18, in and out without a generation', async () => {
    const path = await provider();
    const { status, json } = await rest('PUT', `${path}/aggregates`, { version: 1, body: [one, other] });
    expect([status, json]).toEqual([200, { aggregates: [one, other] }]);
    const read = await rest('GET', `${path}/aggregates`, { version: 18 });
    expect(read.json).toEqual({ aggregates: [other, one] });
    expect(
      (await rest('PUT', `${path}/aggregates`, { version: 18, body: { aggregates: [one] } })).status,
    ).toBe(400);
  });

  test('have a generation from 1.19 on; each write counts, and the answer has one spelling', async () => {
    const path = await provider();
    const aggregates = [one.toUpperCase(), other.replaceAll('-', '')];
    for (const generation of [0, 1]) {
      const body = { aggregates, resource_provider_generation: generation };
      const { json } = await rest('PUT', `${path}/aggregates`, { version: 19, body });
      expect(json).toEqual({ aggregates: [one, other], resource_provider_generation: generation + 1 });
    }
    const stale = { aggregates: [], resource_provider_generation: 0 };
    const { status, json } = await rest('PUT', `${path}/aggregates`, { version: 19, body: stale });
    expect([status, json.errors[0].code]).toEqual([409, 'placement.concurrent_update']);
  });

  test.each([
    [['harry'], "is not a 'uuid'"],
    [[one, one], 'has non-unique elements'],
    ['harry', "'harry' is not of type 'array'"],
  ])('cannot be %j', async (aggregates, text) => {
    const body = { aggregates, resource_provider_generation: 0 };
    const { status, json } = await rest('PUT', `${await provider()}/aggregates`, { body });
    expect(status).toBe(400);
    expect(json.errors[0].detail.split('\n').at(-1)).toContain(text);
  });
});

describe('/resource_classes', () => {
  test('lists all with links', async () => {
    const { json } = await rest('GET', '/resource_classes');
    const found = json.resource_classes;
    expect(found.find(({ name }) => name === 'VCPU')).toEqual({
      name: 'VCPU',
      links: [{ rel: 'self', href: '/placement/resource_classes/VCPU' }],
    });
  });

  test('POST creates a class once', async () => {
    const body = { name: 'CUSTOM_POSTED' };
    expect(await rest('POST', '/resource_classes', { body })).toMatchObject({ status: 201, text: '' });
    expect((await rest('POST', '/resource_classes', { body })).status).toBe(409);
    expect((await rest('POST', '/resource_classes', { body: { name: 'IRON' } })).status).toBe(400);
  });

  test('PUT renames a class with its inventories up to 1.6', async () => {
    const path = await provider();
    await rest('PUT', '/resource_classes/CUSTOM_OLD');
    const inventories = { CUSTOM_OLD: { total: 4 } };
    await rest('PUT', `${path}/inventories`, { body: { inventories, resource_provider_generation: 0 } });
    const rename = (from: string, to: string) =>
      rest('PUT', `/resource_classes/${from}`, { version: 6, body: { name: to } });
    expect(await rename('CUSTOM_OLD', 'CUSTOM_NEW')).toMatchObject({
      status: 200,
      json: { name: 'CUSTOM_NEW' },
    });
    expect((await rename('CUSTOM_NEW', 'CUSTOM_NEW')).status).toBe(200);
    expect((await rename('CUSTOM_OLD', 'CUSTOM_NEW')).status).toBe(404);
    expect((await rename('VCPU', 'CUSTOM_VCPU')).status).toBe(400);
    const { json } = await rest('GET', `${path}/inventories`);
    expect(Object.keys(json.inventories)).toEqual(['CUSTOM_NEW']);
    expect((await rest('DELETE', '/resource_classes/CUSTOM_NEW')).status).toBe(409);
  });
});

describe('/usages', () => {
  test('are sums of a project, and from 1.38 by type', async () => {
    const path = await provider();
    const inventories = { VCPU: { total: 16 }, DISK_GB: { total: 16 } };
    await rest('PUT', `${path}/inventories`, { body: { inventories, resource_provider_generation: 0 } });
    const uuid = path.split('/').at(-1)!;
    const owner = { projectId: 'project', userId: 'user' };
    await claimed(api, { [uuid]: { VCPU: 2 } }, { ...owner, consumerType: 'INSTANCE' });
    await claimed(api, { [uuid]: { VCPU: 1, DISK_GB: 3 } }, { ...owner, consumerType: null });
    const usages = async (query: string, version = 39) =>
      (await rest('GET', `/usages?project_id=project${query}`, { version })).json.usages;
    expect(await usages('', 37)).toEqual({ VCPU: 3, DISK_GB: 3 });
    const untyped = { consumer_count: 1, VCPU: 1, DISK_GB: 3 };
    const instances = { consumer_count: 1, VCPU: 2 };
    expect(await usages('')).toEqual({ INSTANCE: instances, unknown: untyped });
    expect(await usages('&consumer_type=INSTANCE')).toEqual({ INSTANCE: instances });
    expect(await usages('&consumer_type=unknown&user_id=user')).toEqual({ unknown: untyped });
    expect(await usages('&consumer_type=all')).toEqual({ all: { consumer_count: 2, VCPU: 3, DISK_GB: 3 } });
    expect(await usages('&consumer_type=COW')).toEqual({});
    expect(await usages('&user_id=nobody')).toEqual({});
  });

  test.each([
    '',
    'project_id=',
    'project_id=p&user_id=',
    'project_id=p&dummy=1',
    'project_id=p&consumer_type=cow',
  ])('?%s is 400', async (query) => expect((await rest('GET', `/usages?${query}`)).status).toBe(400));
});
