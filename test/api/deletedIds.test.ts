import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, nodeId, shown, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

// The global ids of deleted objects, by which clients with a normalized cache forget them.
const { api, database } = useApi();

let hosts = 0;
let name: string;
let host: string;
let child: string;
let consumers: [string, string];
beforeEach(async () => {
  name = `host-${++hosts}`;
  const children = [{ name: `child-${hosts}` }];
  const uuids = await createProviders(api, { name, inventories: { VCPU: 8, DISK_GB: 9 }, children });
  [host, child] = [uuids[name], uuids[`child-${hosts}`]];
  const claim = () => claimed(api, { [host]: { VCPU: 1, DISK_GB: 1 } });
  consumers = [await claim(), await claim()];
});

const idsOf = (...uuids: string[]) => uuids.map((uuid) => nodeId('Consumer', uuid));
const release = (at: number) => takes(consumers[at], 1, {});

test('setAllocations names the deleted consumers', async () => {
  const stays = takes(consumers[1], 1, { [host]: { VCPU: 2 } });
  const ask = (...changes: object[]) =>
    api.mutate('setAllocations', { consumers: changes }, 'consumers { uuid } deletedConsumerIds');
  expect(await ask(release(0), stays)).toEqual({
    __typename: 'SetAllocationsPayload',
    consumers: [{ uuid: consumers[1] }],
    deletedConsumerIds: idsOf(consumers[0]),
  });
  expect(await ask(takes(randomUUID(), null, { [host]: { VCPU: 1 } }))).toMatchObject({
    deletedConsumerIds: [],
  });
});

test('unsetAllocations names the consumer with its last allocation', async () => {
  const unset = (resourceClass: string) =>
    api.mutate(
      'unsetAllocations',
      { consumer: consumers[0], resourceClasses: [resourceClass] },
      'consumer { uuid } deletedConsumerId',
    );
  const __typename = 'UnsetAllocationsPayload';
  expect(await unset('VCPU')).toEqual({
    __typename,
    consumer: { uuid: consumers[0] },
    deletedConsumerId: null,
  });
  expect(await unset('DISK_GB')).toEqual({
    __typename,
    consumer: null,
    deletedConsumerId: nodeId('Consumer', consumers[0]),
  });
});

test('reshape names the consumers that it releases, unless it is a dry run', async () => {
  const inventories = [
    {
      resourceProvider: { uuid: host },
      generation: 3,
      inventories: ['VCPU', 'DISK_GB'].map((resourceClass) => ({ resourceClass, total: 9 })),
    },
  ];
  const reshape = (dryRun: boolean) =>
    api.mutate(
      'reshape',
      { inventories, allocations: [release(0)], dryRun },
      'consumers { uuid } deletedConsumerIds',
    );
  expect(await unchanged(database, () => reshape(true))).toMatchObject({ deletedConsumerIds: [] });
  expect(await reshape(false)).toEqual({
    __typename: 'ReshapePayload',
    consumers: [],
    deletedConsumerIds: idsOf(consumers[0]),
  });
});

test('applyProviderTree names the providers and consumers that it deletes, unless it is a dry run', async () => {
  const apply = (dryRun: boolean, allocations?: object[]) =>
    api.mutate(
      'applyProviderTree',
      { root: { uuid: host, name, children: [] }, allocations, dryRun },
      'deletedResourceProviderIds deletedConsumerIds',
    );
  expect(await unchanged(database, () => apply(true, [release(0)]))).toMatchObject({
    deletedResourceProviderIds: [],
    deletedConsumerIds: [],
  });
  expect(await apply(false, [release(0), release(1)])).toEqual({
    __typename: 'ApplyProviderTreePayload',
    deletedResourceProviderIds: [nodeId('ResourceProvider', child)],
    deletedConsumerIds: idsOf(...consumers),
  });
  expect(await shown(api, consumers[0])).toBeNull();
  expect(await apply(false)).toMatchObject({ deletedResourceProviderIds: [], deletedConsumerIds: [] });
});
