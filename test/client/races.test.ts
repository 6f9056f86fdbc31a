import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, setAllocations, shown, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { runClient, runProcess } from './client.js';

const { api } = useApi();
let proxy: Server | undefined;

afterEach(() => {
  proxy?.closeAllConnections();
  proxy?.close();
});

/** The address of a proxy to the server that does something before it passes on the first such mutation. */
async function beforeFirst(mutation: string, interfere: () => Promise<unknown>): Promise<string> {
  let isFirst = true;
  proxy = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      if (isFirst && body.includes(`mutation ${mutation}`)) {
        isFirst = false;
        await interfere();
      }
      const answer = await fetch(api.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      response.setHeader('content-type', answer.headers.get('content-type')!).end(await answer.text());
    })().catch(() => response.destroy()); // the server of the test may have ended
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function hosts(...names: string[]): Promise<string[]> {
  const shared = names.map((name) => ({ name, inventories: { VCPU: 8 } }));
  return Promise.all(shared.map(async (host) => (await createProviders(api, host))[host.name]));
}

test('a move keeps the amounts of a resize that happens while it searches', async () => {
  const [host] = await hosts('move-from', 'move-to');
  const consumer = await claimed(api, { [host]: { VCPU: 1 } });
  const url = await beforeFirst('Claim', () =>
    setAllocations(api, takes(consumer, 1, { [host]: { VCPU: 3 } })),
  );
  expect(await runClient(url, ['move', consumer])).toMatchObject({ code: 0 });
  expect((await shown(api, consumer))?.has).toEqual({ 'move-to': { VCPU: 3 } });
});

test('a move leaves the current tree unless the user allows it, and may use the same shared storage', async () => {
  const [host] = await hosts('only-host');
  const aggregate = randomUUID();
  const { storage } = await createProviders(api, {
    name: 'storage',
    inventories: { DISK_GB: 100 },
    traits: ['MISC_SHARES_VIA_AGGREGATE'],
    aggregates: [aggregate],
  });
  await api.mutate('updateResourceProvider', {
    resourceProvider: { uuid: host },
    aggregates: { add: [{ uuid: aggregate }] },
  });
  const consumer = await claimed(api, { [host]: { VCPU: 1 }, [storage]: { DISK_GB: 10 } });
  const request = ['VCPU=2', 'DISK_GB=10', '--member-of', aggregate];
  expect((await runClient(api.url, ['move', consumer, ...request])).code).toBe(5);
  expect(await runClient(api.url, ['move', consumer, ...request, '--allow-same-tree'])).toMatchObject({
    code: 0,
  });
  expect((await shown(api, consumer))?.has).toEqual({
    'only-host': { VCPU: 2 },
    storage: { DISK_GB: 10 },
  });
  const [other] = await hosts('other-host');
  await api.mutate('updateResourceProvider', {
    resourceProvider: { uuid: other },
    aggregates: { add: [{ uuid: aggregate }] },
  });
  expect(await runClient(api.url, ['move', consumer, ...request])).toMatchObject({ code: 0 });
  expect((await shown(api, consumer))?.has).toEqual({
    'other-host': { VCPU: 2 },
    storage: { DISK_GB: 10 },
  });
});

test('a drain succeeds when another drain moves the last consumer at the same time', async () => {
  const [host] = await hosts('drained');
  const consumer = await claimed(api, { [host]: { VCPU: 2 } });
  const url = await beforeFirst('SetAllocations', () => runProcess(api.url, ['drain', 'drained']));
  expect(await runClient(url, ['drain', 'drained'])).toMatchObject({ code: 0 });
  expect(Object.keys((await shown(api, consumer))!.has)).not.toContain('drained');
});

test('inventory set --aggregate stops when the outcome of a write is unknown', async () => {
  const aggregate = randomUUID();
  await hosts('set-1', 'set-2');
  for (const name of ['set-1', 'set-2'])
    expect(await runClient(api.url, ['aggregate', 'add', name, aggregate])).toMatchObject({ code: 0 });
  const url = await beforeFirst('UpdateProvider', () => Promise.resolve(proxy!.closeAllConnections()));
  const { code, error } = await runClient(url, ['inventory', 'set', '--aggregate', aggregate, 'VCPU=4']);
  expect({ code, error }).toEqual({
    code: 8,
    error: expect.stringMatching(/^error: the connection to \S+ was lost/) as unknown,
  });
});
