import { describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, requestOf, type Takes } from '../support/claims.js';
import { aggregate, forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import type { Amount, Named, ProviderPart, Total } from '../support/shapes.js';

const { database, api } = useApi({ hasBackground: false });

const provider = (name: string): string => uuidOf('provider', name);
const ref = (name: string) => ({ uuid: provider(name) });

/** Amounts by the names of providers. */
const on = (byName: Takes): Takes =>
  Object.fromEntries(Object.entries(byName).map(([name, amounts]) => [provider(name), amounts]));

const placesOf = (parts: readonly ProviderPart[] | undefined): string[] | null =>
  parts
    ?.flatMap(({ resourceProvider, resources }) =>
      resources.map((each) => `${resourceProvider.name} ${each.resourceClass.name}:${each.amount}`),
    )
    .sort() ?? null;

const sumsOf = (amounts: readonly Amount[]): string[] =>
  amounts.map(({ resourceClass, amount }) => `${resourceClass.name}:${amount}`);

const PARTS = 'resourceProvider { name } resources { resourceClass { name } amount }';

interface Drain {
  readonly complete: boolean;
  readonly moves: {
    readonly movedToSharing: Amount[];
    readonly movedFromSharing: Amount[];
    readonly allocationRequest: { readonly allocations: ProviderPart[] } | null;
  }[];
  readonly totalsAfter: Total[];
}

async function drain(root: object, { whatIf, requests = [] }: { whatIf?: object; requests?: object[] } = {}) {
  const { planDrain } = await api.read<{ planDrain: Drain }>(
    `query ($root: ProviderRef!, $whatIf: WhatIfInput, $requests: [DrainRequestInput!]!) {
      planDrain(from: { providers: [$root] }, whatIf: $whatIf, requests: $requests) {
        complete
        moves {
          movedToSharing { resourceClass { name } amount }
          movedFromSharing { resourceClass { name } amount }
          allocationRequest { allocations { ${PARTS} } }
        }
        totalsAfter { resourceClass { name } capacity used }
      }
    }`,
    { root, whatIf, requests },
  );
  return {
    complete: planDrain.complete,
    places: planDrain.moves.map(({ allocationRequest }) => placesOf(allocationRequest?.allocations)),
    moves: planDrain.moves,
    totals: Object.fromEntries(
      planDrain.totalsAfter.map(({ resourceClass, capacity, used }) => [
        resourceClass.name,
        [used, capacity],
      ]),
    ),
  };
}

interface Rebalance {
  readonly optimal: boolean;
  readonly before: { readonly faultyConsumerCount: number | null };
  readonly moves: { readonly to: ProviderPart[] }[];
}

async function rebalance(input: object, whatIf?: object) {
  const { planRebalance } = await api.read<{ planRebalance: Rebalance }>(
    `query ($input: RebalanceInput!, $whatIf: WhatIfInput) {
      planRebalance(input: $input, whatIf: $whatIf) {
        optimal before { faultyConsumerCount } moves { to { ${PARTS} } }
      }
    }`,
    { input, whatIf },
  );
  const { optimal, before, moves } = planRebalance;
  return { optimal, faulty: before.faultyConsumerCount, places: moves.map(({ to }) => placesOf(to)) };
}

describe('FIX counts no fault for a consumer of a pool', () => {
  const FLEET = `
    host1  VCPU:8 @pool @fast +CUSTOM_FAST
    host2  VCPU:8 @pool
    other  VCPU:8 @slow +CUSTOM_SLOW
    pool   DISK_GB:100 @pool sharing
  `;
  const disk = (request: object) => ({ ...requestOf({ DISK_GB: 10 }), ...request });
  const faultsOf = async (request: object): Promise<number | null> => {
    await loadForest(database, forest(FLEET));
    const uuid = await claimed(api, on({ pool: { DISK_GB: 10 } }));
    return (await rebalance({ goal: 'FIX', requests: [{ consumers: { uuid }, request }] })).faulty;
  };

  test('whose request names an aggregate of a host that the pool serves', async () => {
    expect(await faultsOf(disk({ rootMemberOf: [{ uuid: aggregate('fast') }] }))).toBe(0);
    expect(await faultsOf(disk({ rootMemberOf: [{ uuid: aggregate('slow') }] }))).toBe(1);
  });

  test('whose request names a trait of a host, or excludes the tree of the pool as anchor', async () => {
    expect(await faultsOf(disk({ rootRequiredTraits: ['CUSTOM_FAST'] }))).toBe(0);
    expect(await faultsOf(disk({ rootRequiredTraits: ['CUSTOM_SLOW'] }))).toBe(1);
    expect(await faultsOf(disk({ rootForbiddenTraits: ['MISC_SHARES_VIA_AGGREGATE'] }))).toBe(0);
  });
});

describe('a what-if that removes a pool', () => {
  const POOL = 'pool  DISK_GB:100 @pool sharing';
  const HOSTS = `
    old   VCPU:8 @pool @spare
    new   VCPU:8 @pool
    spare DISK_GB:100 @spare sharing
  `;

  test('plans as for the fleet without the pool and the allocations on it', async () => {
    const whatIf = { remove: { providers: [ref('pool')] } };
    await loadForest(database, forest(HOSTS + POOL));
    await claimed(api, on({ old: { VCPU: 2 }, pool: { DISK_GB: 60 } }));
    await claimed(api, on({ new: { VCPU: 1 } }));
    await claimed(api, on({ pool: { DISK_GB: 1 } }));
    const imagined = [
      await drain(ref('old'), { whatIf }),
      await rebalance({ goal: 'FREE_HOSTS', maxMoves: 1 }, whatIf),
    ];
    await loadForest(database, forest(HOSTS));
    await claimed(api, on({ old: { VCPU: 2 } }));
    await claimed(api, on({ new: { VCPU: 1 } }));
    expect(imagined).toEqual([await drain(ref('old')), await rebalance({ goal: 'FREE_HOSTS', maxMoves: 1 })]);
    expect(imagined[0]).toMatchObject({ complete: true, places: [['new VCPU:2']] });
  });
});

describe('a drain', () => {
  test('reports storage that moves from a pool to a disk of the new host', async () => {
    await loadForest(
      database,
      forest('old VCPU:8 @pool\npool DISK_GB:100 @pool sharing\nnew VCPU:8 DISK_GB:80'),
    );
    const uuid = await claimed(api, on({ old: { VCPU: 2 }, pool: { DISK_GB: 60 } }));
    const request = requestOf({ VCPU: 2, DISK_GB: 50 });
    for (const [requests, moved] of [
      [[], 60],
      [[{ consumers: { uuid }, request }], 50],
    ] as const) {
      const { places, moves } = await drain(ref('old'), { requests: [...requests] });
      expect(places).toEqual([[`new DISK_GB:${moved}`, 'new VCPU:2']]);
      expect(sumsOf(moves[0].movedFromSharing)).toEqual([`DISK_GB:${moved}`]);
      expect(moves[0].movedToSharing).toEqual([]);
    }
  });

  test('reports both directions if two disks change places', async () => {
    await loadForest(
      database,
      forest(`
        old        VCPU:8 DISK_GB:60 @a
        pool       DISK_GB:90 @a sharing
        new        VCPU:8 @b
          newdisk  DISK_GB:20
        other      DISK_GB:90 @b sharing
      `),
    );
    await claimed(api, on({ old: { VCPU: 2, DISK_GB: 60 }, pool: { DISK_GB: 20 } }));
    const {
      places,
      moves: [move],
    } = await drain(ref('old'));
    expect(places).toEqual([['new VCPU:2', 'newdisk DISK_GB:20', 'other DISK_GB:60']]);
    expect(sumsOf(move.movedToSharing)).toEqual(['DISK_GB:60']);
    expect(sumsOf(move.movedFromSharing)).toEqual(['DISK_GB:20']);
  });

  test('has totals without the storage of consumers that cannot move', async () => {
    await loadForest(database, forest('old VCPU:8 @pool\npool DISK_GB:100 @pool sharing\nnew VCPU:2 @pool'));
    await claimed(api, on({ old: { VCPU: 2 }, pool: { DISK_GB: 10 } }));
    await claimed(api, on({ old: { VCPU: 4 }, pool: { DISK_GB: 60 } }));
    expect((await drain(ref('old'))).totals).toEqual({ VCPU: [2, 2], DISK_GB: [10, 100] });
  });
});

describe('planRebalance', () => {
  test('moves shared amounts to another pool at hosts that the first does not serve', async () => {
    await loadForest(
      database,
      forest(`
        old    VCPU:8 @a
        new    VCPU:8 @b
        pool1  DISK_GB:100 @a sharing
        pool2  DISK_GB:100 @b sharing
      `),
    );
    await claimed(api, on({ old: { VCPU: 2 }, pool1: { DISK_GB: 60 } }));
    await claimed(api, on({ new: { VCPU: 4 }, pool2: { DISK_GB: 20 } }));
    await claimed(api, on({ new: { VCPU: 1 }, pool2: { DISK_GB: 20 } }));
    const found = await rebalance({ goal: 'FREE_HOSTS' });
    expect(found).toMatchObject({ optimal: true, places: [['new VCPU:2', 'pool2 DISK_GB:60']] });
  });

  test('keeps shared amounts on their pool at hosts that it serves, and local disks local', async () => {
    await loadForest(
      database,
      forest(`
        old    VCPU:8 DISK_GB:10 @a
        new    VCPU:8 DISK_GB:1 @a @b
        pool1  DISK_GB:100 @a sharing
        pool2  DISK_GB:100 @b sharing
      `),
    );
    await claimed(api, on({ old: { VCPU: 2 }, pool1: { DISK_GB: 60 } }));
    await claimed(api, on({ new: { VCPU: 4 } }));
    await claimed(api, on({ new: { VCPU: 1 } }));
    expect((await rebalance({ goal: 'FREE_HOSTS' })).places).toEqual([['new VCPU:2', 'pool1 DISK_GB:60']]);
    await claimed(api, on({ old: { DISK_GB: 2 } }));
    expect((await rebalance({ goal: 'FREE_HOSTS', maxMoves: 1 })).places).toEqual([]);
  });
});

test('the name of a copy in answers can be used in the other arguments', async () => {
  await loadForest(database, forest('host VCPU:8 @zone\n  node VCPU:4\nother VCPU:1'));
  const whatIf = { add: [{ copyOf: { name: 'other' } }, { copyOf: { name: 'node' }, count: 2 }] };
  const candidates = (name: string) =>
    api.query<{
      allocationCandidates: { allocationRequests: { allocations: { resourceProvider: Named }[] }[] };
    }>(
      `query ($request: AllocationCandidatesInput!, $whatIf: WhatIfInput) {
        allocationCandidates(request: $request, whatIf: $whatIf) {
          allocationRequests { allocations { resourceProvider { name } } }
        }
      }`,
      { request: requestOf({ VCPU: 4 }, { inSubtree: { name } }), whatIf },
    );
  const found = await candidates('node (copy 2.2)');
  expect(found.data.allocationCandidates.allocationRequests).toEqual([
    { allocations: [{ resourceProvider: { name: 'node (copy 2.2)' } }] },
  ]);
  for (const name of [
    'node (copy 2.3)',
    'node (copy 1.1)',
    'other (copy 2.1)',
    'node (copy 3.1)',
    'x (copy 2.1)',
  ])
    expect((await candidates(name)).errors?.[0]).toMatchObject({
      message: expect.stringContaining(`no resource provider has the name "${name}"`),
      extensions: { code: 'INVALID_INPUT' },
    });
  expect(await drain({ name: 'host (copy 2.1)' }, { whatIf })).toMatchObject({ complete: true, places: [] });
});
