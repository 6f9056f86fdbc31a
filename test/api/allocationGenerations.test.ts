import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, generations, setAllocations, shown, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
let clouds = 0;
/** Three fresh hosts, children of one root, each with VCPU 8 and DISK_GB 100, all at generation 1; the root is at 0. */
let root: string;
let a: string;
let b: string;
let c: string;

beforeEach(async () => {
  const name = (letter: string) => `${letter}-${clouds}`;
  clouds += 1;
  const children = ['a', 'b', 'c'].map((letter) => ({
    name: name(letter),
    inventories: { VCPU: 8, DISK_GB: 100 },
  }));
  const made = await createProviders(api, { name: name('root'), children });
  [root, a, b, c] = ['root', 'a', 'b', 'c'].map((letter) => made[name(letter)]);
});

const hosts = () => generations(api, a, b, c);
const generationOf = async (consumer: string) => (await shown(api, consumer))?.generation;

describe('providers whose use changes are bumped once, and no others (decision D5)', () => {
  test('every provider that a claim draws on, however many classes it gives (rule 60)', async () => {
    await claimed(api, { [a]: { VCPU: 1, DISK_GB: 1 }, [b]: { VCPU: 1 } });
    expect(await hosts()).toEqual([2, 2, 1]);
    expect(await generations(api, root)).toEqual([0]);
  });

  test('a provider that several consumers of one write draw on, once (rule 64)', async () => {
    const claim = () => takes(randomUUID(), null, { [a]: { VCPU: 1 } });
    await setAllocations(api, claim(), claim(), claim());
    expect(await hosts()).toEqual([2, 1, 1]);
  });

  test('the provider that a consumer leaves as well as the one that it moves to (rule 61)', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 } });
    await setAllocations(api, takes(uuid, 1, { [b]: { VCPU: 1 } }));
    expect(await hosts()).toEqual([3, 2, 1]);
  });

  test('every provider that an emptied consumer was on (rule 62)', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 }, [b]: { DISK_GB: 1 } });
    await setAllocations(api, takes(uuid, 1, {}));
    expect(await hosts()).toEqual([3, 3, 1]);
  });

  test('every provider that a consumer was on whose allocations are deleted (rule 63)', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1, DISK_GB: 1 }, [b]: { DISK_GB: 1 } });
    await api.mutate('deleteConsumer', { consumer: uuid });
    expect(await hosts()).toEqual([3, 3, 1]);
  });

  test('not one that the write names without a change', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 }, [b]: { VCPU: 1 } });
    await setAllocations(api, takes(uuid, 1, { [a]: { VCPU: 1 }, [b]: { VCPU: 2 }, [c]: { VCPU: 1 } }));
    expect(await hosts()).toEqual([2, 3, 2]);
  });

  test('one whose classes change though their number does not', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 } });
    await setAllocations(api, takes(uuid, 1, { [a]: { DISK_GB: 1 } }));
    expect(await hosts()).toEqual([3, 1, 1]);
  });

  test('both sides of a swap, once', async () => {
    const [x, y] = [await claimed(api, { [a]: { VCPU: 8 } }), await claimed(api, { [b]: { VCPU: 8 } })];
    expect(await hosts()).toEqual([2, 2, 1]);
    await setAllocations(api, takes(x, 1, { [b]: { VCPU: 8 } }), takes(y, 1, { [a]: { VCPU: 8 } }));
    expect(await hosts()).toEqual([3, 3, 1]);
    expect([await generationOf(x), await generationOf(y)]).toEqual([2, 2]);
  });

  test('also where one consumer takes what another gives, so that the sum stays', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 3 } });
    await setAllocations(api, takes(uuid, 1, {}), takes(randomUUID(), null, { [a]: { VCPU: 3 } }));
    expect(await hosts()).toEqual([3, 1, 1]);
  });

  test('a refused write bumps nothing', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 } });
    const write = () => setAllocations(api, takes(uuid, 1, { [b]: { VCPU: 1 }, [c]: { VCPU: 9 } }));
    expect(await unchanged(database, write)).toMatchObject({ code: 'CAPACITY_EXCEEDED' });
  });

  test('a bumped provider tells when it was changed', async () => {
    await database.pool.query(`UPDATE resource_providers SET updated_at = '2020-01-01' WHERE uuid IN (?)`, [
      [a, b],
    ]);
    await claimed(api, { [a]: { VCPU: 1 } });
    const { data } = await api.query<{ nodes: { updatedAt: string }[] }>(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ResourceProvider { updatedAt } } }',
      { ids: [a, b].map((uuid) => Buffer.from(`ResourceProvider:${uuid}`).toString('base64')) },
    );
    expect(Date.now() - Date.parse(data.nodes[0].updatedAt)).toBeLessThan(60_000);
    expect(data.nodes[1].updatedAt).toBe('2020-01-01T00:00:00.000Z');
  });

  test('whoever has read a provider before a claim cannot write to it after', async () => {
    await claimed(api, { [a]: { VCPU: 1 } });
    const stale = { resourceProvider: { uuid: a }, generation: 1, inventories: { set: [] } };
    expect(await api.mutate('updateResourceProvider', stale)).toMatchObject({
      code: 'PROVIDER_GENERATION_CONFLICT',
      expectedGeneration: 1,
      currentGeneration: 2,
    });
  });
});

describe('consumers that change are bumped once, and no others', () => {
  test('a write that changes nothing bumps nothing', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 }, [b]: { DISK_GB: 2 } }, { consumerType: 'INSTANCE' });
    const reordered = { [b]: { DISK_GB: 2 }, [a]: { VCPU: 1 } };
    for (const owner of [{ consumerType: 'INSTANCE' }, {}]) {
      const write = () => setAllocations(api, takes(uuid, 1, reordered, owner));
      expect(await unchanged(database, write)).toMatchObject({ consumers: [{ uuid, generation: 1 }] });
    }
  });

  test('of a write for two only the one that changes', async () => {
    const [x, y] = [await claimed(api, { [a]: { VCPU: 1 } }), await claimed(api, { [b]: { VCPU: 1 } })];
    await setAllocations(api, takes(x, 1, { [a]: { VCPU: 1 } }), takes(y, 1, { [b]: { VCPU: 2 } }));
    expect([await generationOf(x), await generationOf(y)]).toEqual([1, 2]);
    expect(await hosts()).toEqual([2, 3, 1]);
  });

  test('a new owner bumps the consumer and no provider', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 } });
    await setAllocations(api, takes(uuid, 1, { [a]: { VCPU: 1 } }, { projectId: 'another' }));
    expect(await generationOf(uuid)).toBe(2);
    expect(await hosts()).toEqual([2, 1, 1]);
  });

  test('inventories, renames and moves of a provider bump no consumer', async () => {
    const uuid = await claimed(api, { [a]: { VCPU: 1 } });
    await api.mutate('updateResourceProvider', {
      resourceProvider: { uuid: a },
      generation: 2,
      inventories: { add: [{ resourceClass: 'VCPU', total: 9 }] },
    });
    await api.mutate('updateResourceProvider', {
      resourceProvider: { uuid: a },
      name: randomUUID(),
      parent: { none: true },
    });
    expect(await shown(api, uuid)).toMatchObject({ generation: 1 });
    expect(await hosts()).toEqual([4, 1, 1]);
  });
});
