import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, claimInput, requestOf, shown, usedOf, type Takes } from '../support/claims.js';
import { aggregate, forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import type { Amount, ProviderPart, Total } from '../support/shapes.js';

const { database, api } = useApi({ hasBackground: false });
const provider = (name: string): string => uuidOf('provider', name);
const on = (byName: Takes): Takes =>
  Object.fromEntries(Object.entries(byName).map(([name, amounts]) => [provider(name), amounts]));

const PARTS = 'resourceProvider { name } resources { resourceClass { name } amount }';
const placesOf = (parts: readonly ProviderPart[]): string[] =>
  parts.map(({ resourceProvider, resources }) => `${resourceProvider.name}:${resources[0].amount}`).sort();

// Nova, specification "Migration Allocations" (Queens): a move holds the allocations of both hosts.
test('Nova: a live migration holds two sets of allocations, which count a disk on shared storage twice', async () => {
  await loadForest(database, forest('a VCPU:8 @ceph\nb VCPU:8 @ceph\nceph DISK_GB:100 @ceph sharing'));
  const guest = await claimed(api, on({ a: { VCPU: 4 }, ceph: { DISK_GB: 60 } }));
  const migration = uuidOf('consumer', 'migration');
  const request = { ...requestOf({ VCPU: 4, DISK_GB: 60 }), notInTrees: [{ uuid: provider('a') }] };
  const consumer = { consumer: guest, generation: 1, projectId: 'p', userId: 'u' };
  const answer = await api.mutate(
    'claim',
    claimInput(request, [{ ...consumer, keepOldAs: { consumer: migration, type: 'MIGRATION' } }]),
  );
  expect(answer).toMatchObject({ __typename: 'ClaimPayload' });
  expect((await shown(api, guest))?.has).toEqual({ b: { VCPU: 4 }, ceph: { DISK_GB: 60 } });
  expect((await shown(api, migration))?.has).toEqual({ a: { VCPU: 4 } });
  expect(await usedOf(api, provider('ceph'))).toEqual({ DISK_GB: 60 });
});

test('Nova: an evacuation has to know whether the disk of a guest is on shared storage', async () => {
  await loadForest(database, forest('a VCPU:8 @nfs\nnfs DISK_GB:100 @nfs sharing\nb VCPU:2 DISK_GB:70'));
  await claimed(api, on({ a: { VCPU: 2 }, nfs: { DISK_GB: 60 } }));
  await claimed(api, on({ a: { VCPU: 4 }, nfs: { DISK_GB: 10 } }));
  const { planDrain } = await api.read<{
    planDrain: { moves: { movedFromSharing: Amount[]; movedToSharing: Amount[] }[]; totalsAfter: Total[] };
  }>(
    `query ($a: UUID!) {
      planDrain(from: { providers: { uuid: $a } }) {
        moves { movedFromSharing { amount } movedToSharing { amount } }
        totalsAfter { resourceClass { name } used }
      }
    }`,
    { a: provider('a') },
  );
  expect(planDrain.moves).toEqual([
    { movedFromSharing: [{ amount: 60 }], movedToSharing: [] },
    { movedFromSharing: [], movedToSharing: [] },
  ]);
  expect(planDrain.totalsAfter).toEqual([
    { resourceClass: { name: 'DISK_GB' }, used: 60 },
    { resourceClass: { name: 'VCPU' }, used: 2 },
  ]);
});

test('ProxLB: balancing has to take the storage of guests into account', async () => {
  await loadForest(
    database,
    forest(`
      a     VCPU:8 @ceph1
      b     VCPU:8 @ceph2
      ceph1 DISK_GB:100 @ceph1 sharing
      ceph2 DISK_GB:100 @ceph2 sharing
    `),
  );
  for (let n = 0; n < 4; n++) await claimed(api, on({ a: { VCPU: 2 }, ceph1: { DISK_GB: 20 } }));
  const { planRebalance } = await api.read<{ planRebalance: { moves: { to: ProviderPart[] }[] } }>(
    `{ planRebalance(input: { goal: EVEN_OUT }) { moves { to { ${PARTS} } } } }`,
  );
  expect(planRebalance.moves.map(({ to }) => placesOf(to))).toEqual([
    ['b:2', 'ceph2:20'],
    ['b:2', 'ceph2:20'],
  ]);
});

test('Nova: an aggregate of hosts does not contain the storage that serves them', async () => {
  await loadForest(database, forest('a VCPU:8 @ceph @zone\nb VCPU:8 @ceph\nceph DISK_GB:100 @ceph sharing'));
  const volume = await claimed(api, on({ ceph: { DISK_GB: 10 } }));
  const request = { ...requestOf({ DISK_GB: 10 }), rootMemberOf: [{ uuid: aggregate('zone') }] };
  const answer = await api.read(
    `query ($requests: [DrainRequestInput!]!) {
      planRebalance(input: { goal: FIX, requests: $requests }) {
        outcome before { faultyConsumerCount }
      }
    }`,
    { requests: [{ consumers: { uuid: volume }, request }] },
  );
  expect(answer).toEqual({
    planRebalance: { outcome: 'NOTHING_WORTH_MOVING', before: { faultyConsumerCount: 0 } },
  });
});
