import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { generations } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { insertRows } from '../support/insertRows.js';

// Nova: host aggregates become aggregates in Placement, which never deletes them, and mirroring them writes host by host.

const { database, api } = useApi({ hasBackground: false });

const references = (uuids: readonly string[]) => uuids.map((uuid) => ({ uuid }));

test('2,103 aggregates that a cloud has left behind are deleted in three calls', async () => {
  const uuids = Array.from({ length: 2_103 }, () => randomUUID());
  await insertRows(
    database,
    'placement_aggregates',
    'uuid',
    uuids.map((uuid) => [uuid]),
  );
  const tooMany = await api.mutate('deleteAggregates', { aggregates: references(uuids) });
  expect(tooMany).toMatchObject({ code: 'INVALID_INPUT', path: ['aggregates'] });
  for (let at = 0; at < uuids.length; at += 1_000)
    await api.mutate('deleteAggregates', { aggregates: references(uuids.slice(at, at + 1_000)) }, 'uuids');
  expect(await api.read('{ aggregates(first: 1) { totalCount } }')).toEqual({
    aggregates: { totalCount: 0 },
  });
});

test('a thousand hosts join a zone in one call, once each, and leave it in another', async () => {
  const names = Array.from({ length: 1_000 }, (_, n) => `h${n}`);
  await loadForest(database, forest(names.map((name) => `${name} VCPU:1`).join('\n')));
  const hosts = names.map((name) => uuidOf('provider', name));
  const zone = { uuid: randomUUID() };
  const edit = (change: object) => api.mutate('updateAggregateMembers', { aggregate: zone, ...change });
  const members = async (): Promise<unknown> =>
    api.read('query ($zone: AggregateRef!) { aggregate(by: $zone) { resourceProviders { totalCount } } }', {
      zone,
    });
  await edit({ add: references(hosts.slice(0, 10)) });
  await edit({ add: references(hosts) });
  expect(await members()).toEqual({ aggregate: { resourceProviders: { totalCount: 1_000 } } });
  expect(await generations(api, hosts[0], hosts[999])).toEqual([1, 1]);
  const unknown = { add: references([hosts[0], randomUUID()]), remove: references([hosts[5]]) };
  expect(await edit(unknown)).toMatchObject({ code: 'NOT_FOUND', path: ['add', '1'] });
  expect(await api.mutate('deleteAggregates', { aggregates: [zone] })).toMatchObject({
    code: 'AGGREGATE_IN_USE',
    path: ['aggregates', '0'],
  });
  expect(await members()).toEqual({ aggregate: { resourceProviders: { totalCount: 1_000 } } });
  await edit({ remove: references(hosts) });
  expect(await generations(api, hosts[0], hosts[999])).toEqual([2, 2]);
  const deleted = await api.mutate('deleteAggregates', { aggregates: [zone] }, 'uuids');
  expect(deleted).toMatchObject({ uuids: [zone.uuid] });
});
