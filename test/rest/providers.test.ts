import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useRest } from './rest.js';

const { rest } = useRest();

const create = async (name: string, more: object = {}): Promise<string> => {
  const { json } = await rest('POST', '/resource_providers', { body: { name, ...more } });
  return json.uuid;
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

test.each([
  ['a name of 200 characters outside of the basic plane', '\u{1f5a5}'.repeat(200), 200, undefined],
  ['a name of 201 characters', 'x'.repeat(201), 400, 'is too long'],
  ['a name of millions of characters', 'x'.repeat(3_000_000), 400, 'is too long'],
])('POST of %s', async (_, name, status, detail) => {
  const answer = await rest('POST', '/resource_providers', { version: 20, body: { name } });
  expect(answer.status).toBe(status);
  if (detail !== undefined) expect(answer.json.errors[0].detail).toContain(detail);
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

test('lists parents first, in the order of creation: Cyborg deletes a tree from the end of the list', async () => {
  const root = await create('z-root');
  const [child, sibling] = [
    await create('y-child', { parent_provider_uuid: root }),
    await create('a-child', { parent_provider_uuid: root }),
  ];
  const grandchild = await create('b-grandchild', { parent_provider_uuid: child });
  for (const member of [root, grandchild]) {
    const { json } = await rest('GET', `/resource_providers?in_tree=${member}`);
    expect(json.resource_providers.map(({ uuid }) => uuid)).toEqual([root, child, sibling, grandchild]);
  }
  for (const uuid of [grandchild, sibling, child, root])
    expect((await rest('DELETE', `/resource_providers/${uuid}`)).status).toBe(204);
});

const listed = async (query: string, version = 39): Promise<string[]> => {
  const { json } = await rest('GET', `/resource_providers?${query}`, { version });
  return json.resource_providers.map(({ name }) => name);
};

describe('the list', () => {
  test('is empty for an unknown name, and whole for an empty query or an empty name', async () => {
    await create('of the list');
    expect(await listed('name=nobody')).toEqual([]);
    expect(await listed('name=of+the+list')).toEqual(['of the list']);
    expect(await listed('')).toContain('of the list');
    expect(await listed('name=')).toContain('of the list');
  });

  test('filters by resources, traits and aggregates', async () => {
    const [small, large] = [await create('small'), await create('large')];
    const aggregate = randomUUID();
    for (const [uuid, total] of [
      [small, 4],
      [large, 32],
    ] as const) {
      const inventories = { VCPU: { total } };
      const body = { inventories, resource_provider_generation: 0 };
      await rest('PUT', `/resource_providers/${uuid}/inventories`, { body });
      await rest('PUT', `/resource_providers/${uuid}/aggregates`, { version: 1, body: [aggregate] });
    }
    const body = { traits: ['HW_CPU_X86_AVX2'], resource_provider_generation: 2 };
    expect((await rest('PUT', `/resource_providers/${large}/traits`, { body })).status).toBe(200);
    expect(await listed('resources=VCPU:8')).toEqual(['large']);
    expect(await listed('resources=VCPU:2')).toEqual(['small', 'large']);
    expect(await listed(`member_of=${aggregate}&required=!HW_CPU_X86_AVX2`)).toEqual(['small']);
    expect(await listed(`member_of=in:${aggregate},${randomUUID()}`)).toEqual(['small', 'large']);
    expect(await listed('required=in:HW_CPU_X86_AVX2,HW_CPU_X86_SGX')).toEqual(['large']);
    expect(await listed(`required=HW_CPU_X86_SGX&required=HW_CPU_X86_AVX2`, 38)).toEqual(['large']);
    expect(await listed(`member_of=!${aggregate}&name=large`)).toEqual([]);
  });

  test.each([
    ['bogus=1', 39],
    ['limit=1', 39],
    ['marker=x', 39],
    ['uuid=spam', 39],
    ['in_tree=spam', 39],
    ["member_of=['a']", 39],
    ["resources={'VCPU': 1}", 39],
    ['resources=', 39],
    ['resources=VCPU:0', 39],
    ['resources=VCPU:1:2', 39],
    ['resources=NO_SUCH_CLASS:1', 39],
    ['required=', 39],
    ['required=NO_SUCH_TRAIT', 39],
    ['required=in:HW_CPU_X86_AVX2', 38],
    ['required=!HW_CPU_X86_AVX2', 21],
    ['required=HW_CPU_X86_AVX2', 17],
    ['in_tree=5e08ea53-c4c6-448e-9334-ac4953de3cfa', 13],
    ['resources=VCPU:1', 3],
    ['member_of=5e08ea53-c4c6-448e-9334-ac4953de3cfa', 2],
  ])('?%s at 1.%i is 400', async (query, version) => {
    const { status, json } = await rest('GET', `/resource_providers?${query}`, { version });
    expect(status).toBe(400);
    expect(json.errors[0].title).toBe('Bad Request');
  });

  test('names all unknown traits, sorted', async () => {
    const { json } = await rest('GET', '/resource_providers?required=NONE_B,HW_CPU_X86_AVX2,!NONE_A');
    expect(json.errors[0].detail).toContain('No such trait(s): NONE_A, NONE_B.');
  });
});

describe('a name and a uuid', () => {
  test('are unique, which different texts say', async () => {
    const uuid = await create('unique');
    const conflict = async (body: object) => {
      const { status, json } = await rest('POST', '/resource_providers', { body, version: 1 });
      expect([status, json.errors[0].code]).toEqual([409, 'placement.duplicate_name']);
      return json.errors[0].detail;
    };
    expect(await conflict({ name: 'unique' })).toContain(
      'Conflicting resource provider name: unique already exists',
    );
    const ofUuid = await conflict({ name: 'other', uuid: uuid.replaceAll('-', '') });
    expect(ofUuid).toContain(`Conflicting resource provider uuid: ${uuid} already exists`);
    expect(ofUuid).not.toContain('Conflicting resource provider name:');
  });
});

describe('a uuid and a name that both exist are rejected for the uuid, so that Nova uses the existing provider', () => {
  const conflict = (uuid: string) => {
    const detail = expect.stringContaining(
      `\n\n Conflicting resource provider uuid: ${uuid} already exists.`,
    ) as unknown;
    return { status: 409, json: { errors: [{ code: 'placement.duplicate_name', detail }] } };
  };

  test('whether one provider has both or two have one each, and with a parent', async () => {
    const [parent, other] = [await create('parent of both'), await create('other of both')];
    const body = { name: 'both', uuid: randomUUID(), parent_provider_uuid: parent };
    await create(body.name, body);
    for (const again of [body, { name: body.name, uuid: body.uuid }, { ...body, uuid: other }])
      expect(await rest('POST', '/resource_providers', { body: again })).toMatchObject(conflict(again.uuid));
  });

  test('when two equal requests come at once', async () => {
    for (let at = 0; at < 20; at++) {
      const body = { name: `at once ${at}`, uuid: randomUUID() };
      const answers = await Promise.all([1, 2].map(() => rest('POST', '/resource_providers', { body })));
      const lost = answers.filter(({ status }) => status !== 200);
      expect(lost).toMatchObject([conflict(body.uuid)]);
    }
  });
});

describe('PUT', () => {
  const put = (uuid: string, body: object, version = 39) =>
    rest('PUT', `/resource_providers/${uuid}`, { body, version });

  test('renames without counting', async () => {
    const uuid = await create('before');
    expect((await put(uuid, { name: 'after' })).json).toMatchObject({ name: 'after', generation: 0 });
    await create('taken');
    const { status, json } = await put(uuid, { name: 'taken' });
    expect([status, json.errors[0].code]).toEqual([409, 'placement.duplicate_name']);
  });

  test('sets the first parent from 1.14 on, and another or none from 1.37', async () => {
    const [uuid, one, other] = [
      await create('moving'),
      await create('parent one'),
      await create('parent other'),
    ];
    const move = (parent: string | null, version: number) =>
      put(uuid, { name: 'moving', parent_provider_uuid: parent }, version);
    expect((await move(one, 14)).json).toMatchObject({
      parent_provider_uuid: one,
      root_provider_uuid: one,
      generation: 0,
    });
    expect((await move(one, 36)).status).toBe(200);
    const refusals = [await move(other, 36), await move(null, 36)];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400]);
    expect(refusals[0].json.errors[0].detail).toContain('re-parenting a provider is not currently allowed');
    expect(refusals[1].json.errors[0].detail).toContain('un-parenting a provider is not currently allowed');
    expect((await move(other, 37)).json.parent_provider_uuid).toBe(other);
    expect((await move(null, 37)).json).toMatchObject({
      parent_provider_uuid: null,
      root_provider_uuid: uuid,
    });
  });

  test('rejects a loop, an unknown parent and an unknown member', async () => {
    const uuid = await create('of no loop');
    const text = async (more: object) => {
      const { status, json } = await put(uuid, { name: 'of no loop', ...more });
      expect(status).toBe(400);
      return json.errors[0].detail;
    };
    for (const parent of [uuid, uuid.toUpperCase()])
      expect(await text({ parent_provider_uuid: parent })).toContain(
        'creating loop in the provider tree is not allowed.',
      );
    expect(await text({ parent_provider_uuid: randomUUID() })).toContain(
      'parent provider UUID does not exist',
    );
    expect(await text({ uuid })).toContain('Additional properties are not allowed');
  });
});

test('DELETE is 204, refuses a parent, and is 404 afterwards', async () => {
  const parent = await create('a parent');
  const child = await create('a child', { parent_provider_uuid: parent });
  const remove = (uuid: string) => rest('DELETE', `/resource_providers/${uuid}`);
  const { status, json } = await remove(parent);
  expect([status, json.errors[0].code]).toEqual([409, 'placement.resource_provider.cannot_delete_parent']);
  expect((await remove(child)).status).toBe(204);
  expect((await remove(parent)).status).toBe(204);
  const again = await remove(parent);
  expect(again.status).toBe(404);
  expect(again.json.errors[0].detail).toContain(`No resource provider with uuid ${parent} found for delete`);
});

test('a list of hundreds is sent in parts', async () => {
  const names = Array.from({ length: 600 }, (_, at) => `many-${at}`);
  await Promise.all(names.map((name) => create(name)));
  const { json } = await rest('GET', '/resource_providers');
  const found = json.resource_providers.filter(({ name }) => name.startsWith('many-'));
  expect(found).toHaveLength(600);
});
