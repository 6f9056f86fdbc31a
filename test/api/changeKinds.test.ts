import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { recordForeignChanges } from '../../src/store/ledger/recordForeignChanges.js';
import { useApi, type Api } from '../support/api.js';
import { edit, takes } from '../support/claims.js';
import { subscribe, type ChangeEvent, type EventStream } from '../support/events.js';

const { api, database } = useApi({ hasBackground: false });
let stream: EventStream<ChangeEvent & { readonly kinds?: readonly string[] }>;

afterEach(() => stream.close());

const SELECTION = 'uuid generation deleted cursor kinds';

async function open(kinds?: readonly string[]): Promise<void> {
  stream = await subscribe(api.url, { kinds }, SELECTION);
}

/** Runs a mutation, and gives what the next events say of each provider, by its name. */
async function kindsOf(names: Record<string, string>, ...write: Parameters<Api['mutate']>): Promise<unknown> {
  const { __typename: type } = await api.mutate(...write);
  expect(type).toMatch(/Payload$/);
  const kinds: Record<string, unknown> = {};
  for (let left = Object.keys(names).length; left > 0; left--) {
    const event = await stream.next();
    const name = Object.entries(names).find(([, uuid]) => uuid === event.uuid)?.[0];
    kinds[name ?? event.uuid] = event.kinds!.join(' ');
  }
  return kinds;
}

const idOf = async (uuid: string): Promise<number> => {
  const [row] = await database.pool.query<{ id: number }[]>(
    'SELECT id FROM resource_providers WHERE uuid = ?',
    [uuid],
  );
  return row.id;
};

test('each write records the changed parts of each provider', async () => {
  await open();
  const [host, part, other] = [randomUUID(), randomUUID(), randomUUID()];
  const consumer = randomUUID();
  for (const [name, uuid, parent] of [
    ['host', host],
    ['part', part, { uuid: host }],
    ['other', other],
  ] as const)
    expect(await kindsOf({ [name]: uuid }, 'createResourceProvider', { name, uuid, parent })).toEqual({
      [name]: 'CREATED',
    });
  const VCPU = (resourceProvider: string, generation: number, total: number) => ({
    resourceProvider: { uuid: resourceProvider },
    generation,
    inventories: { set: [{ resourceClass: 'VCPU', total }] },
  });
  expect(await kindsOf({ host }, 'updateResourceProvider', VCPU(host, 0, 8))).toEqual({ host: 'INVENTORY' });
  expect(await kindsOf({ part }, 'updateResourceProvider', VCPU(part, 0, 8))).toEqual({ part: 'INVENTORY' });
  const traits = { resourceProvider: { uuid: host }, traits: { add: ['HW_CPU_X86_AVX2'] } };
  expect(await kindsOf({ host }, 'updateResourceProvider', traits)).toEqual({ host: 'TRAITS' });
  const aggregates = { resourceProvider: { uuid: host }, aggregates: { add: [{ uuid: randomUUID() }] } };
  expect(await kindsOf({ host }, 'updateResourceProvider', aggregates)).toEqual({ host: 'AGGREGATES' });
  const claim = { consumers: [takes(consumer, null, { [host]: { VCPU: 1 }, [part]: { VCPU: 1 } })] };
  expect(await kindsOf({ host, part }, 'setAllocations', claim)).toEqual({ host: 'USAGE', part: 'USAGE' });
  const unset = { consumer, resourceProviders: [{ uuid: part }] };
  expect(await kindsOf({ part }, 'unsetAllocations', unset)).toEqual({ part: 'USAGE' });
  const reshape = {
    inventories: [{ ...VCPU(part, 3, 9), inventories: [{ resourceClass: 'VCPU', total: 9 }] }],
    allocations: [takes(consumer, 2, { [part]: { VCPU: 1 } })],
  };
  expect(await kindsOf({ host, part }, 'reshape', reshape)).toEqual({
    host: 'USAGE',
    part: 'INVENTORY USAGE',
  });
  const rename = { resourceProvider: { uuid: host }, name: 'renamed' };
  expect(await kindsOf({ host }, 'updateResourceProvider', rename)).toEqual({ host: 'RENAMED' });
  const edits = { name: 'host', traits: { set: [] }, aggregates: { set: [] }, inventories: { add: [] } };
  const several = { resourceProvider: { uuid: host }, parent: { uuid: other }, ...edits };
  expect(await kindsOf({ host, part }, 'updateResourceProvider', several)).toEqual({
    host: 'MOVED RENAMED TRAITS AGGREGATES',
    part: 'MOVED',
  });
  expect(await kindsOf({ part }, 'deleteConsumer', { consumer })).toEqual({ part: 'USAGE' });
  expect(await kindsOf({ part }, 'deleteResourceProvider', { resourceProvider: { uuid: part } })).toEqual({
    part: 'DELETED',
  });
  const [root, child, gone] = [randomUUID(), randomUUID(), host];
  const tree = {
    root: {
      uuid: root,
      name: 'root',
      inventories: [{ resourceClass: 'VCPU', total: 1 }],
      children: [{ uuid: child, name: 'child', traits: ['HW_CPU_X86_AVX'] }],
    },
  };
  expect(await kindsOf({ root, child }, 'applyProviderTree', tree)).toEqual({
    root: 'CREATED INVENTORY',
    child: 'CREATED TRAITS',
  });
  const changed = {
    root: {
      uuid: other,
      name: 'other 2',
      traits: ['HW_CPU_X86_AVX'],
      children: [{ uuid: child, name: 'child' }],
    },
  };
  expect(await kindsOf({ other, child, gone }, 'applyProviderTree', changed)).toEqual({
    other: 'RENAMED TRAITS',
    child: 'MOVED',
    gone: 'DELETED',
  });
});

test('a change by another program has all kinds that it may have', async () => {
  const [known, unknown, gone] = [randomUUID(), randomUUID(), randomUUID()];
  for (const uuid of [known, unknown, gone]) await api.mutate('createResourceProvider', { name: uuid, uuid });
  const [knownId, unknownId, goneId] = [await idOf(known), await idOf(unknown), await idOf(gone)];
  await open();
  const former = [
    { id: knownId, uuid: known, rootId: knownId },
    { id: goneId, uuid: gone, rootId: goneId },
  ];
  await database.pool.query('UPDATE resource_providers SET root_provider_id = NULL WHERE id = ?', [goneId]);
  await database.pool.query('DELETE FROM resource_providers WHERE id = ?', [goneId]);
  await recordForeignChanges(database.ledger, [knownId, unknownId, goneId], former);
  const said: Record<string, string> = {};
  for (let left = 3; left > 0; left--) {
    const { uuid, kinds } = await stream.next();
    said[uuid] = kinds!.join(' ');
  }
  const ANYTHING = 'INVENTORY USAGE TRAITS AGGREGATES';
  expect(said).toEqual({
    [known]: `MOVED RENAMED ${ANYTHING}`,
    [unknown]: `CREATED ${ANYTHING}`,
    [gone]: 'DELETED',
  });
});

test('kinds: only the events of these, live and behind a cursor', async () => {
  await open();
  const [uuid, last] = [randomUUID(), randomUUID()];
  await api.mutate('createResourceProvider', { name: uuid, uuid });
  const { cursor } = await stream.next();
  stream.close();
  const wanted = ['TRAITS', 'DELETED'];
  const [live, behind] = await Promise.all(
    [null, cursor].map((since) => subscribe(api.url, { kinds: wanted, since }, SELECTION)),
  );
  await edit(api, uuid, { name: `${uuid} renamed` });
  await edit(api, uuid, { traits: { add: ['HW_CPU_X86_AVX'] } });
  await edit(api, uuid, { generation: 2, inventories: { add: [{ resourceClass: 'VCPU', total: 1 }] } });
  await api.mutate('deleteResourceProvider', { resourceProvider: { uuid } });
  for (const events of [live, behind]) {
    expect(await events.next()).toMatchObject({ uuid, generation: 2, kinds: ['TRAITS'] });
    expect(await events.next()).toMatchObject({ uuid, generation: null, kinds: ['DELETED'] });
    events.close();
  }
  await open([]);
  await api.mutate('createResourceProvider', { name: last, uuid: last });
  expect(await stream.next()).toMatchObject({ uuid: last, kinds: ['CREATED'] });
});
