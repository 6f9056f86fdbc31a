import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { inventory } from '../ledger/support.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { useRest } from './rest.js';

const server = useRest();
const { rest } = server;

let made = 0;

/** Creates a provider; its uuid. */
async function stocked(...classes: string[]): Promise<string> {
  const inventories = classes.map((name) => inventory(name, 8));
  return (await createProvider(server.database.ledger, { name: `host ${made++}`, inventories })).uuid;
}

const generationOf = async (uuid: string): Promise<number> =>
  (await rest('GET', `/resource_providers/${uuid}`)).json.generation;

const OWNERS = { project_id: 'project', user_id: 'user' };

const bodyOf = (
  takes: Record<string, Record<string, number>>,
  consumer_generation: number | null = null,
) => ({
  allocations: Object.fromEntries(Object.entries(takes).map(([uuid, resources]) => [uuid, { resources }])),
  ...OWNERS,
  consumer_generation,
  consumer_type: 'INSTANCE',
});

describe('PUT and GET /allocations/{consumer}', () => {
  test('GET of any text is 200 with no allocations', async () => {
    for (const text of [randomUUID(), 'nobody', '%20', 'a%2Fb'])
      expect([text, await rest('GET', `/allocations/${text}`)]).toMatchObject([
        text,
        { status: text.includes('2F') ? 404 : 200 },
      ]);
    expect((await rest('GET', '/allocations/nobody', { version: null })).json).toEqual({ allocations: {} });
  });

  test('a written consumer is read in the order of the body, with the members of each version', async () => {
    const [one, other] = [await stocked('VCPU', 'DISK_GB'), await stocked('VCPU')];
    const consumer = randomUUID();
    const spelled = consumer.toUpperCase();
    const takes: Record<string, Record<string, number>> = {
      [other.toUpperCase()]: { VCPU: 1 },
      [one]: { VCPU: 2, DISK_GB: 3 },
    };
    const put = await rest('PUT', `/allocations/${spelled}`, { body: bodyOf(takes) });
    expect(put).toMatchObject({ status: 204, text: '' });
    expect(put.headers.get('content-type')).toBeNull();
    const allocations = {
      [other]: { generation: 1, resources: { VCPU: 1 } },
      [one]: { generation: 1, resources: { VCPU: 2, DISK_GB: 3 } },
    };
    const read = async (version: number) => (await rest('GET', `/allocations/${spelled}`, { version })).json;
    expect(await read(11)).toEqual({ allocations });
    expect(await read(12)).toEqual({ allocations, ...OWNERS });
    expect(await read(28)).toEqual({ allocations, ...OWNERS, consumer_generation: 1 });
    const newest = await read(39);
    expect(newest).toEqual({ allocations, ...OWNERS, consumer_generation: 1, consumer_type: 'INSTANCE' });
    expect(Object.keys(newest.allocations)).toEqual([other, one]);
    // clients send back what they read, with the generation of each provider
    expect(await rest('PUT', `/allocations/${consumer}`, { body: newest })).toMatchObject({ status: 204 });
    expect([await generationOf(one), (await read(39)).consumer_generation]).toEqual([2, 2]);
  });

  test('below 1.28 a write states no generation; below 1.12 it is a list; below 1.8 it has no owner', async () => {
    const uuid = await stocked('VCPU');
    const consumer = randomUUID();
    const write = (version: number, amount: number) => {
      const resources = { VCPU: amount };
      const listed = {
        allocations: [{ resource_provider: { uuid }, resources }],
        ...(version >= 8 && OWNERS),
      };
      const body = version < 12 ? listed : { allocations: { [uuid]: { resources } }, ...OWNERS };
      return rest('PUT', `/allocations/${consumer}`, { version, body });
    };
    const nobody = '00000000-0000-0000-0000-000000000000';
    expect(await write(0, 1)).toMatchObject({ status: 204 });
    const first = (await rest('GET', `/allocations/${consumer}`)).json;
    expect(first).toMatchObject({ project_id: nobody, user_id: nobody, consumer_type: 'unknown' });
    for (const version of [8, 11, 12, 27])
      expect(await write(version, 1 + (version % 5))).toMatchObject({ status: 204 });
    expect((await rest('GET', `/allocations/${consumer}`)).json).toMatchObject({
      allocations: { [uuid]: { resources: { VCPU: 3 } } },
      ...OWNERS,
      consumer_generation: 5,
    });
    expect(await generationOf(uuid)).toBe(5);
  });

  test('a stale generation is a consumer generation conflict', async () => {
    const uuid = await stocked('VCPU');
    const write = (consumer: string, generation: number | null) =>
      rest('PUT', `/allocations/${consumer}`, { body: bodyOf({ [uuid]: { VCPU: 1 } }, generation) });
    const consumer = randomUUID();
    await write(consumer, null);
    for (const [who, generation, text] of [
      [consumer, null, 'consumer generation conflict - expected 1 but got null'],
      [consumer, 7, 'consumer generation conflict - expected 1 but got 7'],
      [randomUUID(), 5, 'consumer generation conflict - expected null but got 5'],
    ] as const) {
      const { status, json } = await write(who, generation);
      expect([status, json.errors[0]]).toEqual([
        409,
        expect.objectContaining({
          code: 'placement.concurrent_update',
          detail: expect.stringContaining(text),
        }),
      ]);
    }
  });

  test('too much is 409 without the code of a conflict; unknown objects and wrong values are 400', async () => {
    const uuid = await stocked('VCPU');
    const nowhere = randomUUID();
    const write = (body: object | string, consumer: string = randomUUID()) =>
      rest('PUT', `/allocations/${consumer}`, { body });
    for (const [takes, status, text] of [
      [{ [uuid]: { VCPU: 9 } }, 409, 'Unable to allocate inventory'],
      [{ [uuid]: { VCPU: 2 ** 40 } }, 409, 'Unable to allocate inventory'],
      [{ [uuid]: { DISK_GB: 1 } }, 409, 'Unable to allocate inventory'],
      [{ [uuid]: { CUSTOM_NONE: 1 } }, 400, 'CUSTOM_NONE'],
      [{ [nowhere]: { VCPU: 1 } }, 400, `No resource provider with uuid ${nowhere}`],
      [{ [uuid]: { VCPU: 0 } }, 400, 'JSON does not validate'],
      [{ [uuid]: { vcpu: 1 } }, 400, 'JSON does not validate'],
      [{ [uuid]: {} }, 400, 'does not have enough properties'],
      [{ nowhere: { VCPU: 1 } }, 400, 'JSON does not validate'],
    ] as const) {
      const { json, ...answer } = await write(bodyOf(takes));
      expect([text, answer.status, json.errors[0].code]).toEqual([text, status, 'placement.undefined_code']);
      expect(json.errors[0].detail.split('\n').at(-1)).toContain(text);
    }
    expect(await write(bodyOf({ [uuid]: { VCPU: 1 } }), 'nobody')).toMatchObject({ status: 400 });
    expect(await write('{"allocations"')).toMatchObject({ status: 400 });
    expect(await write({ ...bodyOf({ [uuid]: { VCPU: 1 } }), more: 1 })).toMatchObject({ status: 400 });
    expect(await generationOf(uuid)).toBe(0);
  });
});

test('an emptied consumer of nobody leaves no row', async () => {
  const consumer = randomUUID();
  expect(await rest('PUT', `/allocations/${consumer}`, { body: bodyOf({}) })).toMatchObject({ status: 204 });
  expect(await server.database.pool.query('SELECT 1 FROM consumers WHERE uuid = ?', [consumer])).toEqual([]);
});

test('DELETE is 204, counts no generation, and then 404', async () => {
  const uuid = await stocked('VCPU');
  const consumer = randomUUID();
  await rest('PUT', `/allocations/${consumer}`, { body: bodyOf({ [uuid]: { VCPU: 1 } }) });
  expect(await rest('DELETE', `/allocations/${consumer}`, { version: null })).toMatchObject({
    status: 204,
    text: '',
  });
  expect(await generationOf(uuid)).toBe(1);
  const again = await rest('DELETE', `/allocations/${consumer}`);
  expect([again.status, again.json.errors[0].detail]).toEqual([
    404,
    expect.stringContaining(`No allocations for consumer '${consumer}'`),
  ]);
});

test('POST /allocations writes all consumers or none; GET lists them by provider', async () => {
  const [one, other] = [await stocked('VCPU'), await stocked('VCPU')];
  const [mover, stayer] = [randomUUID(), randomUUID()];
  const post = (body: object, version = 39) => rest('POST', '/allocations', { body, version });
  expect(
    await post({ [mover]: bodyOf({ [one]: { VCPU: 5 } }), [stayer]: bodyOf({ [other]: { VCPU: 5 } }) }),
  ).toMatchObject({ status: 204 });
  const swap = { [mover]: bodyOf({ [other]: { VCPU: 5 } }, 1), [stayer]: bodyOf({ [one]: { VCPU: 5 } }, 1) };
  expect(await post({ ...swap, [randomUUID()]: bodyOf({ [one]: { VCPU: 4 } }) })).toMatchObject({
    status: 409,
  });
  expect(await post(swap)).toMatchObject({ status: 204 });
  expect((await rest('GET', `/resource_providers/${other}/allocations`)).json).toEqual({
    allocations: { [mover]: { resources: { VCPU: 5 }, consumer_generation: 2 } },
    resource_provider_generation: 2,
  });
  expect((await rest('GET', `/resource_providers/${one}/allocations`, { version: 27 })).json).toEqual({
    allocations: { [stayer]: { resources: { VCPU: 5 } } },
    resource_provider_generation: 2,
  });
  expect(await post({})).toMatchObject({ status: 400 });
  expect(await post(swap, 12)).toMatchObject({ status: 404 });
});

test.each([2 ** 53 - 1, 2 ** 53, 1e300])('an amount of %d exceeds each capacity', async (amount) => {
  const provider = await stocked('VCPU');
  const body = bodyOf({ [provider]: { VCPU: amount } });
  expect((await rest('PUT', `/allocations/${randomUUID()}`, { body })).status).toBe(409);
});

describe('POST /reshaper', () => {
  const reshape = (body: object) => rest('POST', '/reshaper', { body });
  const given = (generation: number, inventories: Record<string, object>) => ({
    resource_provider_generation: generation,
    inventories,
  });

  test('moves inventories with their allocations', async () => {
    const [from, to] = [await stocked('VCPU', 'DISK_GB'), await stocked()];
    const consumer = randomUUID();
    await rest('PUT', `/allocations/${consumer}`, { body: bodyOf({ [from]: { VCPU: 4, DISK_GB: 1 } }) });
    const inventories = {
      [from]: given(1, { DISK_GB: { total: 8 } }),
      [to]: given(0, { VCPU: { total: 8 } }),
    };
    const moved = bodyOf({ [from]: { DISK_GB: 1 }, [to]: { VCPU: 4 } }, 1);
    expect(await reshape({ inventories, allocations: { [consumer]: moved } })).toMatchObject({
      status: 204,
      text: '',
    });
    expect(Object.keys((await rest('GET', `/allocations/${consumer}`)).json.allocations)).toEqual([from, to]);
    expect([await generationOf(from), await generationOf(to)]).toEqual([4, 3]);
  });

  test('names the first mistake as Placement does', async () => {
    const from = await stocked('VCPU', 'DISK_GB');
    const nowhere = randomUUID();
    const consumer = randomUUID();
    await rest('PUT', `/allocations/${consumer}`, { body: bodyOf({ [from]: { VCPU: 4 } }) });
    const keep = { VCPU: { total: 8 } };
    for (const [inventories, allocations, status, code] of [
      [{ [from]: given(1, {}) }, {}, 409, 'placement.inventory.inuse'],
      [
        { [from]: given(1, {}) },
        { [consumer]: bodyOf({ [from]: { VCPU: 4 } }, 1) },
        409,
        'placement.inventory.inuse',
      ],
      [
        { [from]: given(1, keep) },
        { [consumer]: bodyOf({ [from]: { VCPU: 9 } }, 1) },
        409,
        'placement.undefined_code',
      ],
      // the class that the reshape removes is named last
      [
        { [from]: given(1, keep) },
        { [consumer]: bodyOf({ [from]: { DISK_GB: 1, VCPU: 9 } }, 1) },
        409,
        'placement.undefined_code',
      ],
      [
        { [from]: given(1, keep) },
        { [consumer]: bodyOf({ [from]: { DISK_GB: 1 } }, 1) },
        409,
        'placement.inventory.inuse',
      ],
      [{ [from]: given(0, keep) }, {}, 409, 'placement.concurrent_update'],
      [{ [from]: given(1, keep) }, { [consumer]: bodyOf({}, 7) }, 409, 'placement.concurrent_update'],
      [{ [nowhere]: given(0, keep) }, {}, 400, 'placement.resource_provider.not_found'],
      [
        { [from]: given(1, keep) },
        { [consumer]: bodyOf({ [nowhere]: { VCPU: 1 } }, 1) },
        400,
        'placement.undefined_code',
      ],
      [{ [from]: given(1, { CUSTOM_NONE: { total: 1 } }) }, {}, 400, 'placement.undefined_code'],
      [{}, {}, 400, 'placement.undefined_code'],
    ] as const) {
      const answer = await reshape({ inventories, allocations });
      expect([answer.status, answer.json.errors[0].code]).toEqual([status, code]);
    }
    expect(await generationOf(from)).toBe(1);
  });
});
