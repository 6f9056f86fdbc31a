import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import {
  claimed,
  claimInput,
  newConsumers,
  requestOf,
  setAllocations,
  shown,
  usedOf,
} from '../support/claims.js';
import { aggregate, forest, uuidOf } from '../support/forest.js';
import { loadForest, useForest } from '../support/loadForest.js';
import { addConsumers, removeConsumers } from '../support/manyConsumers.js';
import type { AllocationRequest, Amount, Named, Total } from '../support/shapes.js';
import { unchanged } from '../support/unchanged.js';

const { database, api } = useApi({ hasBackground: false });

const provider = (name: string): string => uuidOf('provider', name);
const [OLD, NODE, STORAGE] = ['old', 'numa', 'storage'].map(provider);

/** A host to drain and two others; all share the storage. */
useForest(
  database,
  `
    old      @rack  VCPU:4
      numa   VCPU:12
    host1    VCPU:8  @rack +CUSTOM_FAST
    host2    VCPU:6  @rack
    storage  DISK_GB:100 @rack sharing
  `,
);

const DOCUMENT = `query ($from: TreesInput!, $requests: [DrainRequestInput!]!) {
  planDrain(from: $from, requests: $requests) {
    roots { name }
    complete
    moves {
      consumer { uuid generation projectId userId }
      requestIndex
      derivedResources { resourceClass { name } amount }
      movedToSharing { resourceClass { name } amount }
      allocationRequest { score claimToken allocations { resourceProvider { uuid name } resources { resourceClass { name } amount } } }
      explanation { summary combination { constraint eliminated } }
    }
    totalsBefore { resourceClass { name } capacity used }
    totalsAfter { resourceClass { name } capacity used }
  }
}`;

const amountsOf = (resources: readonly Amount[]) =>
  resources.map(({ resourceClass, amount }) => ({ resourceClass: resourceClass.name, amount }));

interface Plan {
  readonly roots: Named[];
  readonly complete: boolean;
  readonly moves: {
    readonly consumer: { uuid: string; generation: number; projectId: string; userId: string };
    readonly requestIndex: number | null;
    readonly derivedResources: Amount[] | null;
    readonly movedToSharing: Amount[];
    readonly allocationRequest: AllocationRequest | null;
    readonly explanation: { readonly summary: string; readonly combination: object[] } | null;
  }[];
  readonly totalsBefore: Total[];
  readonly totalsAfter: Total[];
}

const treeOf = (uuid: string) => ({ providers: [{ uuid }] });

/** Plans to empty the tree of a host, or several trees. */
async function plan(from: string | object, requests: object[] = []): Promise<Plan> {
  const source = typeof from === 'string' ? treeOf(from) : from;
  return (await api.read<{ planDrain: Plan }>(DOCUMENT, { from: source, requests })).planDrain;
}

/** The consumers in the order of the plan, each with its new providers. Null: it has no place. */
const goals = ({ moves }: Plan): [string, string | null][] =>
  moves.map(({ consumer, allocationRequest }) => [
    consumer.uuid,
    allocationRequest?.allocations
      .map(({ resourceProvider }) => resourceProvider.name)
      .sort()
      .join('+') ?? null,
  ]);

const totals = (rows: readonly Total[]): Record<string, [number, number]> =>
  Object.fromEntries(rows.map(({ resourceClass, capacity, used }) => [resourceClass.name, [capacity, used]]));

const vcpu = (amount: number, more: object = {}) => ({ ...requestOf({ VCPU: amount }), ...more });

describe('a plan of more than 1000 consumers', () => {
  const PARTS = `query ($from: TreesInput!, $after: String) {
    planDrain(from: $from, after: $after) {
      complete
      next
      moves {
        consumer { uuid generation projectId userId }
        allocationRequest { claimToken allocations { resourceProvider { name } } }
      }
      totalsAfter { resourceClass { name } capacity used }
    }
  }`;
  type Part = Plan & { readonly next: string | null };
  const part = async (from: object, after: string | null = null): Promise<Part> =>
    (await api.read<{ planDrain: Part }>(PARTS, { from, after })).planDrain;
  const countsByHost = ({ moves }: Plan): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { allocationRequest } of moves) {
      const name = allocationRequest?.allocations[0].resourceProvider.name ?? 'none';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
  const HOSTS = 'old VCPU:9000\n  numa VCPU:9000\nnew1 VCPU:1000\nnew2 VCPU:700';

  test('has parts, each after the moves of those before, whether they are done or not', async () => {
    await loadForest(database, forest(HOSTS));
    await addConsumers(database, NODE, 1001);
    const first = await part(treeOf(OLD));
    expect(first).toMatchObject({ complete: false, next: expect.any(String) });
    expect(countsByHost(first)).toEqual({ new1: 1000 });
    expect(totals(first.totalsAfter).VCPU).toEqual([1700, 1000]);
    const last = await part(treeOf(OLD), first.next);
    expect(last).toMatchObject({ complete: true, next: null });
    expect(countsByHost(last)).toEqual({ new2: 1 });
    expect(totals(last.totalsAfter).VCPU).toEqual([1700, 1001]);
    const consumers = [...first.moves, ...last.moves].map(({ consumer }) => consumer.uuid);
    expect(new Set(consumers).size).toBe(1001);
    const inputs = first.moves.map(({ consumer: { uuid, ...rest }, allocationRequest }) => ({
      ...rest,
      consumer: uuid,
      allocations: { claimToken: allocationRequest!.claimToken },
    }));
    expect(await setAllocations(api, ...inputs)).toMatchObject({ __typename: 'SetAllocationsPayload' });
    expect(await part(treeOf(OLD), first.next)).toEqual(last);
    await removeConsumers(database);
  });

  test('in several trees is complete only if all parts are', async () => {
    await loadForest(database, forest(HOSTS));
    for (const name of ['old', 'numa']) await addConsumers(database, provider(name), 1001);
    await addConsumers(database, provider('new1'), 101);
    const from = { providers: [{ uuid: OLD }, { uuid: provider('new1') }] };
    const found: Part[] = [];
    for (let after: string | null = null; found.length === 0 || after !== null; after = found.at(-1)!.next)
      found.push(await part(from, after));
    expect(found.map(countsByHost)).toEqual([{ new2: 700, none: 300 }, { none: 1000 }, { none: 103 }]);
    expect(found.map(({ complete }) => complete)).toEqual([false, false, false]);
    expect(totals(found[2].totalsAfter).VCPU).toEqual([700, 700]);
    await removeConsumers(database);
  });

  test('rejects a cursor of another plan, a changed one, and more than 4000 consumers before it', async () => {
    await loadForest(database, forest(HOSTS));
    await addConsumers(database, provider('new1'), 4001);
    await addConsumers(database, NODE, 1001);
    const { next } = await part(treeOf(OLD));
    const text = Buffer.from(next!, 'base64url').toString();
    const changed = Buffer.from(text.replace(/:\d/, ':9')).toString('base64url');
    for (const after of ['', 'x', changed])
      expect(await api.failure(PARTS, { from: treeOf(OLD), after })).toMatchObject(invalidInput('after'));
    const other = await api.failure(PARTS, { from: treeOf(provider('new1')), after: next });
    expect(other).toMatchObject(invalidInput('after'));
    // The older consumers arrive.
    await database.pool.query(
      `UPDATE allocations SET resource_provider_id = (SELECT id FROM resource_providers WHERE uuid = ?)
        WHERE resource_provider_id = (SELECT id FROM resource_providers WHERE uuid = ?)`,
      [NODE, provider('new1')],
    );
    expect(await api.failure(PARTS, { from: treeOf(OLD), after: next })).toMatchObject({
      ...invalidInput('after'),
      message: expect.stringContaining('execute their moves first'),
    });
    await removeConsumers(database);
  });
});

describe('a plan', () => {
  test('moves the largest first, with its allocations elsewhere; nothing is written', async () => {
    const small = await claimed(api, { [NODE]: { VCPU: 2 } });
    const large = await claimed(api, { [NODE]: { VCPU: 7 }, [STORAGE]: { DISK_GB: 60 } });
    const middle = await claimed(api, { [OLD]: { VCPU: 4 } });
    await claimed(api, { [provider('host1')]: { VCPU: 1 } });
    const found = await unchanged(database, () => plan(NODE));
    expect(found).toMatchObject({ roots: [{ name: 'old' }], complete: true });
    expect(goals(found)).toEqual([
      [large, 'host1+storage'],
      [middle, 'host2'],
      [small, 'host2'],
    ]);
    expect(found.moves[0]).toMatchObject({
      requestIndex: null,
      derivedResources: [
        { resourceClass: { name: 'VCPU' }, amount: 7 },
        { resourceClass: { name: 'DISK_GB' }, amount: 60 },
      ],
      explanation: null,
    });
    expect(totals(found.totalsBefore)).toEqual({ VCPU: [30, 14], DISK_GB: [100, 60] });
    expect(totals(found.totalsAfter)).toEqual({ VCPU: [14, 14], DISK_GB: [100, 60] });
  });

  test('reports consumers without a place, and why', async () => {
    const [one, two] = [
      await claimed(api, { [NODE]: { VCPU: 8 } }),
      await claimed(api, { [OLD]: { VCPU: 3 } }),
    ];
    await claimed(api, { [provider('host2')]: { VCPU: 6 } });
    const found = await plan(OLD);
    expect(found.complete).toBe(false);
    expect(goals(found)).toEqual([
      [one, 'host1'],
      [two, null],
    ]);
    expect(found.moves[1].explanation).toMatchObject({
      combination: [
        { constraint: 'NOT_IN_TREES', eliminated: 1 },
        { constraint: 'ROOT_TRAITS', eliminated: 0 },
        { constraint: 'TREE_LACKS_GROUP', eliminated: 3 },
      ],
    });
    expect(totals(found.totalsAfter).VCPU).toEqual([14, 14]);
  });

  test('uses the given requests: that of the consumer, else that of its type', async () => {
    const owner = { consumerType: 'INSTANCE' };
    const own = await claimed(api, { [NODE]: { VCPU: 1 } }, owner);
    const ofType = await claimed(api, { [NODE]: { VCPU: 3 } }, owner);
    const other = await claimed(api, { [NODE]: { VCPU: 2 } });
    const requests = [
      {
        consumers: { type: 'INSTANCE' },
        request: requestOf({ VCPU: 3 }, { requiredTraits: [['CUSTOM_FAST']] }),
      },
      {
        consumers: { uuid: own },
        request: vcpu(5, { orderBy: [{ freeShare: { resourceClass: 'VCPU', strategy: 'PACK' } }] }),
      },
    ];
    const found = await plan(OLD, requests);
    expect(found.moves.map(({ consumer, requestIndex }) => [consumer.uuid, requestIndex])).toEqual([
      [ofType, 0],
      [own, 1],
      [other, null],
    ]);
    expect(goals(found).slice(0, 2)).toEqual([
      [ofType, 'host1'],
      [own, 'host1'],
    ]);
    expect(found.moves[1].allocationRequest).toMatchObject({ score: [0] });
  });

  test('a consumer that fits only after another one has moved is planned after it', async () => {
    const onDisk = (amount: number) =>
      claimed(api, { [OLD]: { VCPU: 1 }, [STORAGE]: { DISK_GB: amount } }, { consumerType: 'INSTANCE' });
    const [large, small] = [await onDisk(60), await onDisk(10)];
    const requests = [
      { consumers: { uuid: small }, request: requestOf({ VCPU: 1, DISK_GB: 50 }) },
      { consumers: { uuid: large }, request: requestOf({ VCPU: 1, DISK_GB: 20 }) },
    ];
    expect(goals(await plan(OLD, requests)).map(([consumer, to]) => [consumer, to?.split('+')[1]])).toEqual([
      [large, 'storage'],
      [small, 'storage'],
    ]);
  });

  test('awayFromConsumers means the places of the plan', async () => {
    const consumers: string[] = [];
    for (let n = 0; n < 3; n++) consumers.push(await claimed(api, { [NODE]: { VCPU: 1 } }));
    const requests = consumers.map((consumer) => ({
      consumers: { uuid: consumer },
      request: vcpu(1, { awayFromConsumers: consumers.filter((other) => other !== consumer) }),
    }));
    const found = goals(await plan(OLD, requests)).map(([, goal]) => goal);
    expect(found.slice(0, 2).sort()).toEqual(['host1', 'host2']);
    expect(found[2]).toBeNull();
  });

  test('counts relations of consumers that do not leave, and of consumers without a request', async () => {
    const leaving = await claimed(api, { [NODE]: { VCPU: 1 } });
    const staying = await claimed(api, { [provider('host1')]: { VCPU: 1 } });
    const apart = { consumers: { uuid: staying }, request: vcpu(1, { awayFromConsumers: [leaving] }) };
    expect(goals(await plan(OLD, [apart]))).toEqual([[leaving, 'host2']]);
    const other = await claimed(api, { [NODE]: { VCPU: 1 } });
    const near = { consumers: { uuid: other }, request: vcpu(1, { nearConsumers: [leaving] }) };
    const found = new Map(goals(await plan(OLD, [apart, near])));
    expect([found.get(leaving), found.get(other)]).toEqual(['host2', 'host2']);
  });

  test('of a tree without consumers has no moves', async () => {
    expect(await plan(provider('host2'))).toMatchObject({ complete: true, moves: [] });
  });

  test('of a sharing provider finds no place if no other provider has the class', async () => {
    const one = await claimed(api, { [provider('host1')]: { VCPU: 1 }, [STORAGE]: { DISK_GB: 1 } });
    expect(goals(await plan(STORAGE))).toEqual([[one, null]]);
  });
});

test('a derived request keeps the parts of a NUMA node together, and requires common traits only on request', async () => {
  await loadForest(
    database,
    forest(`
      old
        old0     VCPU:8 MEMORY_MB:8 +CUSTOM_FAST
          old0p  SRIOV_NET_VF:4
      wrong
        wrong0   VCPU:8 MEMORY_MB:1
          wrong0p SRIOV_NET_VF:4
        wrong1   VCPU:1 MEMORY_MB:8
      right
        right0   VCPU:8 MEMORY_MB:8
          right0p SRIOV_NET_VF:4
    `),
  );
  const held = { [provider('old0')]: { VCPU: 2, MEMORY_MB: 2 } };
  const one = await claimed(api, { ...held, [provider('old0p')]: { SRIOV_NET_VF: 1 } });
  const two = await claimed(api, held);
  expect(Object.fromEntries(goals(await plan(OLD)))).toEqual({ [one]: 'right0+right0p', [two]: 'right0' });
  const answer = await api.read(
    'query ($from: TreesInput!) { planDrain(from: $from, keepTraits: true) { complete } }',
    { from: treeOf(OLD) },
  );
  expect(answer).toEqual({ planDrain: { complete: false } });
});

test('sums of amounts that exceed an Int are reported as the largest Int', async () => {
  const amount = 2147483647;
  await loadForest(
    database,
    forest(`
      old       DISK_GB:${amount} @rack VCPU:2
        numa    DISK_GB:${amount}
      host1     VCPU:2 @rack
      storage   DISK_GB:${amount} @rack sharing
      storage2  DISK_GB:${amount} @rack sharing
    `),
  );
  const one = await claimed(api, { [OLD]: { VCPU: 1, DISK_GB: amount }, [NODE]: { DISK_GB: amount } });
  const { moves } = await plan(OLD);
  expect(moves.map(({ consumer }) => consumer.uuid)).toEqual([one]);
  const sum = { resourceClass: 'DISK_GB', amount };
  expect(amountsOf(moves[0].derivedResources!)).toContainEqual(sum);
  expect(amountsOf(moves[0].movedToSharing)).toEqual([sum]);
});

describe('a plan for several trees', () => {
  const HOSTS = `
    old1    VCPU:8 @old
    old2    VCPU:8 @old
    used    VCPU:8(used=1)
    empty1  VCPU:8
    empty2  VCPU:8
  `;
  const [OLD1, OLD2] = ['old1', 'old2'].map(provider);

  test('never moves a consumer from one of them to another, and leaves whole hosts free', async () => {
    await loadForest(database, forest(HOSTS));
    const fill = [OLD1, OLD1, OLD2, OLD2].map((host) => claimed(api, { [host]: { VCPU: 3 } }));
    await Promise.all(fill);
    for (const from of [
      { providers: [{ uuid: OLD1 }, { uuid: OLD2 }] },
      { aggregate: { uuid: aggregate('old') } },
    ]) {
      const found = await plan(from);
      expect(found.roots.map(({ name }) => name).sort()).toEqual(['old1', 'old2']);
      expect(found.complete).toBe(true);
      const hosts = goals(found).map(([, goal]) => goal!);
      expect(hosts.filter((host) => host === 'used')).toHaveLength(2);
      expect(new Set(hosts).size).toBe(2);
      expect(totals(found.totalsAfter).VCPU).toEqual([24, 13]);
    }
  });

  test('places the most constrained first', async () => {
    await loadForest(database, forest('old1 VCPU:9\nold2 VCPU:9\nfast VCPU:4 +CUSTOM_FAST\nslow VCPU:4'));
    const free = await claimed(api, { [OLD1]: { VCPU: 4 } });
    const bound = await claimed(api, { [OLD2]: { VCPU: 3 } });
    const request = requestOf({ VCPU: 3 }, { requiredTraits: ['CUSTOM_FAST'] });
    const found = await plan({ providers: [{ uuid: OLD1 }, { uuid: OLD2 }] }, [
      { consumers: { uuid: bound }, request },
    ]);
    expect(goals(found)).toEqual([
      [bound, 'fast'],
      [free, 'slow'],
    ]);
  });
});

test('invalid trees and requests are INVALID_INPUT with the path', async () => {
  const known = { uuid: OLD };
  const consumers = { uuid: randomUUID() };
  const cases: [from: object, requests: object[], path: string][] = [
    [{ providers: [known, consumers] }, [], 'from.providers.1'],
    [{ providers: [known, known] }, [], 'from.providers.1'],
    [{ providers: [] }, [], 'from.providers'],
    [{ aggregate: consumers }, [], 'from.aggregate'],
    [treeOf(OLD), [vcpu(1), vcpu(2)].map((request) => ({ consumers, request })), 'requests.1'],
    [treeOf(OLD), [{ consumers: { type: 'A' }, request: { groups: [] } }], 'requests.0.request.groups'],
  ];
  for (const [from, requests, path] of cases)
    expect(await api.failure(DOCUMENT, { from, requests })).toMatchObject(invalidInput(path));
});

test('a plan that is executed beside other claims empties the host and loses nothing', async () => {
  const hosts = Array.from({ length: 12 }, (_, n) => `host${n} VCPU:16 @rack`);
  await loadForest(
    database,
    forest(['old VCPU:64 @rack', ...hosts, 'storage DISK_GB:1000 @rack sharing'].join('\n')),
  );
  const consumers: string[] = [];
  for (let n = 0; n < 24; n++)
    consumers.push(await claimed(api, { [OLD]: { VCPU: 1 + (n % 2) }, [STORAGE]: { DISK_GB: 10 } }));
  const others = Promise.all(
    newConsumers(40).map((consumer) =>
      api.mutate('claim', claimInput(vcpu(2, { notInTrees: [{ uuid: OLD }] }), [consumer])),
    ),
  );
  const drained = drain();
  const ends = (await others).map(({ __typename }) => __typename);
  await drained;
  expect(new Set(ends)).toEqual(new Set(['ClaimPayload']));
  expect(await usedOf(api, OLD)).toEqual({ VCPU: 0 });
  for (const [n, consumer] of consumers.entries()) {
    const { has } = (await shown(api, consumer))!;
    const [host] = Object.keys(has).filter((name) => name !== 'storage');
    expect(has).toEqual({ [host]: { VCPU: 1 + (n % 2) }, storage: { DISK_GB: 10 } });
  }
  expect(await api.read('{ audit { totalCount } }')).toEqual({ audit: { totalCount: 0 } });

  /** Executes plans until the host is empty: a move fails if the consumer has changed. */
  async function drain(): Promise<void> {
    for (let pass = 0; pass < 5; pass++) {
      const { moves } = await plan(OLD);
      if (moves.length === 0) return;
      for (const { consumer, allocationRequest } of moves) {
        const { uuid, ...rest } = consumer;
        const { claimToken } = allocationRequest!;
        await setAllocations(api, { ...rest, consumer: uuid, allocations: { claimToken } });
      }
    }
  }
});
