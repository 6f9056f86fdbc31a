import { beforeEach, describe, expect, test } from '@jest/globals';
import { startApi, useApi } from '../support/api.js';
import { claimed, claimInput, newConsumers, requestOf, shown } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';

const DISABLED = 'COMPUTE_STATUS_DISABLED';
const { database, api } = useApi({
  hasBackground: false,
  excludedRootTraits: [DISABLED, 'CUSTOM_QUARANTINE', 'CUSTOM_NEVER_CREATED'],
});

const [CLOSED, SUSPECT, OPEN] = ['closed', 'suspect', 'open'].map((name) => uuidOf('provider', name));

useForest(
  database,
  `
    closed   VCPU:8 +${DISABLED}
    suspect  VCPU:8 +CUSTOM_QUARANTINE
    open     VCPU:4
  `,
);

const VCPU = requestOf({ VCPU: 2 });
const DOCUMENT = `query ($request: AllocationCandidatesInput!) {
  allocationCandidates(request: $request) {
    excludedRoots
    allocationRequests { allocations { resourceProvider { name } } }
  }
  headroom(request: $request) { count }
}`;

interface Found {
  readonly allocationCandidates: {
    readonly excludedRoots: number;
    readonly allocationRequests: { allocations: { resourceProvider: { name: string } }[] }[];
  };
  readonly headroom: { readonly count: number };
}

async function found(request: object, server: Pick<typeof api, 'read'> = api) {
  const { allocationCandidates: all, headroom } = await server.read<Found>(DOCUMENT, { request });
  const hosts = all.allocationRequests.map(
    ({ allocations: [{ resourceProvider }] }) => resourceProvider.name,
  );
  return { hosts: hosts.sort(), excludedRoots: all.excludedRoots, headroom: headroom.count };
}

describe('a search', () => {
  test('excludes roots with any of the traits, and states their number', async () => {
    expect(await found(VCPU)).toEqual({ hosts: ['open'], excludedRoots: 2, headroom: 2 });
  });

  test('includes them all with includeExcluded', async () => {
    const all = { hosts: ['closed', 'open', 'suspect'], excludedRoots: 0, headroom: 10 };
    expect(await found({ ...VCPU, includeExcluded: true })).toEqual(all);
  });

  test('includes those whose trait it requires, of the root or of a group', async () => {
    const closed = { hosts: ['closed'], excludedRoots: 1, headroom: 4 };
    expect(await found({ ...VCPU, rootRequiredTraits: [[DISABLED]] })).toEqual(closed);
    expect(await found(requestOf({ VCPU: 2 }, { requiredTraits: [[DISABLED]] }))).toEqual(closed);
    const granular = { suffix: 'a', requiredTraits: [['CUSTOM_QUARANTINE', DISABLED]] };
    expect(await found(requestOf({ VCPU: 2 }, granular))).toMatchObject({ hosts: ['closed', 'suspect'] });
  });

  test('explains the exclusion, also beside candidates that are written as text', async () => {
    const document = `query ($request: AllocationCandidatesInput!) {
      allocationCandidates(request: $request) {
        excludedRoots
        explanation { summary excludedRoots combination { constraint eliminated } }
      }
    }`;
    expect(await api.read(document, { request: requestOf({ VCPU: 6 }) })).toMatchObject({
      allocationCandidates: {
        excludedRoots: 2,
        explanation: { excludedRoots: 2, combination: [{ constraint: 'EXCLUDED_ROOTS', eliminated: 2 }, {}] },
      },
    });
  });

  test('excludes nothing on a server without the setting', async () => {
    const other = await startApi(database, { hasBackground: false });
    expect(await found(VCPU, other)).toMatchObject({
      hosts: ['closed', 'open', 'suspect'],
      excludedRoots: 0,
    });
    await other.close();
  });
});

describe('a claim', () => {
  test('never chooses an excluded root for a new consumer', async () => {
    const claim = await api.mutate('claim', claimInput(requestOf({ VCPU: 5 }), newConsumers()));
    expect(claim.__typename).toBe('NoCandidatesError');
    const planned = await api.read<{ planWorkload: { plans: object[]; failure: object | null } }>(
      'query ($input: ClaimInput!) { planWorkload(input: $input) { plans { optimal } failure { message } } }',
      { input: claimInput(requestOf({ VCPU: 5 }), newConsumers()) },
    );
    expect(planned.planWorkload).toMatchObject({ plans: [], failure: {} });
  });

  test('resizes a consumer on its own excluded root, but moves none to another', async () => {
    const consumer = await claimed(api, { [CLOSED]: { VCPU: 2 } });
    const { generation } = (await shown(api, consumer))!;
    const owner = { consumer, generation, projectId: 'p', userId: 'u' };
    await api.mutate('claim', claimInput(requestOf({ VCPU: 6 }), [owner]), 'claims { consumer { uuid } }');
    expect((await shown(api, consumer))!.has).toEqual({ closed: { VCPU: 6 } });
    const away = { ...requestOf({ VCPU: 6 }), notInTrees: [{ uuid: CLOSED }] };
    const moved = await api.mutate('claim', claimInput(away, [{ ...owner, generation: generation + 1 }]));
    expect(moved.__typename).toBe('NoCandidatesError');
  });
});

describe('a plan', () => {
  let consumer: string;

  beforeEach(async () => {
    consumer = await claimed(api, { [OPEN]: { VCPU: 4 } });
  });

  const drained = async (requests: object[] = []) => {
    const document = `query ($from: TreesInput!, $requests: [DrainRequestInput!]!) {
      planDrain(from: $from, requests: $requests) { complete moves { explanation { excludedRoots } } }
    }`;
    const from = { providers: [{ uuid: OPEN }] };
    return (await api.read<{ planDrain: object }>(document, { from, requests })).planDrain;
  };

  test('drains no consumer to an excluded root, unless its request includes it', async () => {
    const stays = { complete: false, moves: [{ explanation: { excludedRoots: 2 } }] };
    expect(await drained()).toMatchObject({ complete: false });
    const request = requestOf({ VCPU: 4 });
    expect(await drained([{ consumers: { uuid: consumer }, request }])).toEqual(stays);
    const including = { ...request, includeExcluded: true };
    expect(await drained([{ consumers: { uuid: consumer }, request: including }])).toMatchObject({
      complete: true,
    });
  });

  test('a rebalance moves no consumer to an excluded root, and a consumer there is no fault', async () => {
    const there = await claimed(api, { [SUSPECT]: { VCPU: 2 } });
    const planned = async (input: object) => {
      const document = `query ($input: RebalanceInput!) {
        planRebalance(input: $input) { outcome before { faultyConsumerCount } moves { consumer { uuid } } }
      }`;
      return (await api.read<{ planRebalance: object }>(document, { input })).planRebalance;
    };
    const requests = [{ consumers: { uuid: there }, request: VCPU }];
    const none = { outcome: 'NOTHING_WORTH_MOVING', moves: [] };
    expect(await planned({ goal: 'FIX', requests })).toEqual({ ...none, before: { faultyConsumerCount: 0 } });
    expect(await planned({ goal: 'EVEN_OUT' })).toMatchObject(none);
  });
});
