import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { claimed } from '../support/claims.js';
import { useRest } from './rest.js';

const { rest, api } = useRest();

let count = 0;

/** Creates a provider and returns its path. */
async function provider(): Promise<string> {
  const { json } = await rest('POST', '/resource_providers', { body: { name: `provider-${count++}` } });
  return `/resource_providers/${json.uuid}`;
}

const uuidOf = (path: string): string => path.split('/').at(-1)!;

const generationOf = async (path: string): Promise<number> => (await rest('GET', path)).json.generation;

const set = (path: string, generation: number, inventories: object, version = 39) =>
  rest('PUT', `${path}/inventories`, {
    body: { resource_provider_generation: generation, inventories },
    version,
  });

test('amounts that are not given have defaults', async () => {
  const path = await provider();
  const { status, json, headers } = await set(path, 0, { VCPU: { total: 8 } });
  const inventory = {
    total: 8,
    reserved: 0,
    min_unit: 1,
    max_unit: 2_147_483_647,
    step_size: 1,
    allocation_ratio: 1,
  };
  expect(status).toBe(200);
  expect(json).toEqual({ resource_provider_generation: 1, inventories: { VCPU: inventory } });
  expect((await rest('GET', `${path}/inventories`)).json).toEqual(json);
  expect(headers.get('last-modified')).toMatch(/GMT$/);
  const one = await rest('GET', `${path}/inventories/VCPU`);
  expect(one.json).toEqual({ ...inventory, resource_provider_generation: 1 });
});

test('each write counts, also one that changes nothing', async () => {
  const path = await provider();
  const inventories = { VCPU: { total: 8 } };
  for (const generation of [0, 1]) {
    const { json } = await set(path, generation, inventories);
    expect(json.resource_provider_generation).toBe(generation + 1);
  }
  expect((await rest('DELETE', `${path}/inventories`)).status).toBe(204);
  expect((await rest('DELETE', `${path}/inventories`)).status).toBe(204);
  expect(await generationOf(path)).toBe(4);
});

test('an old generation is a conflict that names no consumer', async () => {
  const path = await provider();
  const { status, json } = await set(path, 7, { VCPU: { total: 8 } }, 1);
  expect(status).toBe(409);
  expect(json.errors[0].code).toBe('placement.concurrent_update');
  expect(json.errors[0].detail).toContain('resource provider generation conflict');
  expect(json.errors[0].detail).not.toContain('consumer generation conflict');
  expect(await generationOf(path)).toBe(0);
});

describe('POST', () => {
  test('creates an inventory, once', async () => {
    const path = await provider();
    const body = { resource_class: 'DISK_GB', total: 10, reserved: 2 };
    const created = await rest('POST', `${path}/inventories`, { body });
    expect(created).toMatchObject({ status: 201, json: { total: 10, resource_provider_generation: 1 } });
    expect(created.headers.get('location')).toMatch(
      new RegExp(`^http://.*/placement${path}/inventories/DISK_GB$`),
    );
    const again = await rest('POST', `${path}/inventories`, { body });
    expect(again).toMatchObject({ status: 409, json: { errors: [{ code: 'placement.concurrent_update' }] } });
  });
});

describe('a class that the provider does not have', () => {
  test.each([
    ['GET', 404, 'MEMORY_MB', 'No inventory of class MEMORY_MB for '],
    ['DELETE', 404, 'MEMORY_MB', 'No inventory of class MEMORY_MB found for delete'],
    ['PUT', 400, 'MEMORY_MB', 'No inventory record with resource class'],
    ['GET', 404, 'CUSTOM_UNKNOWN', 'No inventory of class CUSTOM_UNKNOWN for '],
    ['DELETE', 404, 'CUSTOM_UNKNOWN', 'No inventory of class CUSTOM_UNKNOWN found for delete'],
    ['PUT', 404, 'CUSTOM_UNKNOWN', 'No such resource class CUSTOM_UNKNOWN'],
  ])('%s is %i: %s', async (method, status, name, text) => {
    const path = await provider();
    const body = method === 'PUT' ? { total: 1, resource_provider_generation: 0 } : undefined;
    const answer = await rest(method, `${path}/inventories/${name}`, { body });
    expect(answer.status).toBe(status);
    expect(answer.json.errors[0].detail).toContain(text);
  });
});

test('an inventory in use cannot be removed, and all classes in use are named', async () => {
  const path = await provider();
  await set(path, 0, { VCPU: { total: 8 }, DISK_GB: { total: 8 }, MEMORY_MB: { total: 8 } });
  await claimed(api, { [uuidOf(path)]: { VCPU: 1, DISK_GB: 1 } });
  const all = await rest('DELETE', `${path}/inventories`);
  expect(all).toMatchObject({ status: 409, json: { errors: [{ code: 'placement.inventory.inuse' }] } });
  const text = `Inventory for 'VCPU, DISK_GB' on resource provider '${uuidOf(path)}' in use`;
  expect(all.json.errors[0].detail).toContain(text);
  const empty = { inventories: {}, resource_provider_generation: await generationOf(path) };
  const replaced = await rest('PUT', `${path}/inventories`, { body: empty });
  expect(replaced.json.errors[0].detail).toContain(
    `There was a conflict when trying to complete your request.\n\n update conflict: ${text}`, // for Nova's tests
  );
  const one = await rest('DELETE', `${path}/inventories/VCPU`);
  expect(one).toMatchObject({ status: 409, json: { errors: [{ code: 'placement.concurrent_update' }] } });
  expect((await rest('DELETE', `${path}/inventories/MEMORY_MB`)).status).toBe(204);
  const used = { VCPU: 1, DISK_GB: 1 };
  expect((await rest('GET', `${path}/usages`)).json).toEqual({
    resource_provider_generation: await generationOf(path),
    usages: used,
  });
});

describe('a reserved amount', () => {
  test.each([
    [25, 8, 'greater than or equal to total'],
    [26, 9, 'greater than total'],
    [26, 8, null],
  ])('at 1.%i of %i of 8', async (version, reserved, text) => {
    const path = await provider();
    const { status, json } = await set(path, 0, { VCPU: { total: 8, reserved } }, version);
    expect(status).toBe(text === null ? 200 : 400);
    if (text !== null) expect(json.errors[0].detail).toContain(text);
  });
});

describe('bad input', () => {
  test.each([
    [{ VCPU: { total: 0 } }, '0 is less than the minimum of 1'],
    [{ VCPU: { total: 2 ** 31 } }, "Failed validating 'maximum' in schema"],
    [{ VCPU: { total: '8' } }, "'8' is not of type 'integer'"],
    [
      { VCPU: { total: 8, colour: 'red' } },
      "Additional properties are not allowed ('colour' was unexpected)",
    ],
    [{ VCPU: {} }, "'total' is a required property"],
    [{ VCPU: { total: 8, allocation_ratio: 0 } }, 'Unable to update inventory'],
    [{ vcpu: { total: 8 } }, 'does not match any of the regexes'],
    [{ NO_SUCH_CLASS: { total: 8 } }, 'Unknown resource class in inventory'],
    [[], "[] is not of type 'object'"],
  ])('%j is 400', async (inventories, text) => {
    const path = await provider();
    const { status, json } = await set(path, 0, inventories);
    expect(status).toBe(400);
    expect(json.errors[0].detail.split('\n').at(-1)).toContain(text);
    expect(await generationOf(path)).toBe(0);
  });

  test('for an unknown provider is 404', async () => {
    const { status, json } = await set(`/resource_providers/${randomUUID()}`, 0, []);
    expect(status).toBe(404);
    expect(json.errors[0].detail).toContain('No resource provider with uuid ');
  });
});
