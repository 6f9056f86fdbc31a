import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { clientOf } from '../client/client.js';
import { useApi } from '../support/api.js';
import { requestOf, takes, type Takes } from '../support/claims.js';
import { insertLongCatalog, LONG, longNames } from '../support/longLists.js';

const { api } = useApi({ fill: insertLongCatalog });
const { json } = clientOf(api);

const HOST = randomUUID();
const devices = longNames('pci-').map((name) => ({ name, uuid: randomUUID() }));

beforeAll(async () => {
  const inventories = [{ resourceClass: 'CUSTOM_CLASS_0001', total: 1 }];
  const children = devices.map((device) => ({ ...device, inventories }));
  await api.mutate('applyProviderTree', { root: { uuid: HOST, name: 'host', children } });
});

test('Ironic: each kind of node has a resource class, and a list of 1,001 kinds is whole', async () => {
  const names = (await json<{ name: string }[]>('class list')).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(longNames('CUSTOM_CLASS_')));
});

test('Nova: each PCI device is a provider below its host, and a host with 1,001 is shown whole', async () => {
  expect(await json('provider show host')).toMatchObject({ children: { length: LONG } });
});

test('Nova: an instance that moves shows all its allocations, however many', async () => {
  const instance = randomUUID();
  const byDevice: Takes = Object.fromEntries(devices.map(({ uuid }) => [uuid, { CUSTOM_CLASS_0001: 1 }]));
  const payload = await api.mutate(
    'setAllocations',
    { consumers: [takes(instance, null, byDevice)] },
    'consumers { generation allocations { amount resourceProvider { generation } } }',
  );
  expect(payload).toMatchObject({ consumers: [{ generation: 1, allocations: { length: LONG } }] });
  await api.mutate('deleteConsumer', { consumer: instance });
});

test('Relay: a store keeps one state of each object of an answer, so a claim shows each provider in one', async () => {
  const { claims } = await api.mutate<{ claims: object[] }>(
    'claim',
    {
      members: [
        {
          name: 'one',
          requests: [requestOf({ CUSTOM_CLASS_0001: 1 })],
          consumers: [{ consumer: randomUUID(), projectId: 'p', userId: 'u' }],
        },
      ],
    },
    `claims {
      consumer { allocations { resourceProvider { uuid generation } } }
      allocationRequest { allocations { resourceProvider { uuid generation } } }
    }`,
  );
  const [, uuid, generation] = /"uuid":"([^"]+)","generation":(\d+)/.exec(JSON.stringify(claims))!;
  const placed = [{ resourceProvider: { uuid, generation: Number(generation) } }];
  expect(claims).toEqual([{ consumer: { allocations: placed }, allocationRequest: { allocations: placed } }]);
});
