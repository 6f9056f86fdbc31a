import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startApi, type Api } from '../support/api.js';
import { claimed, claimInput, shown, usedOf } from '../support/claims.js';
import { groupBy } from '../../src/domain/collections.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { addConsumers } from '../support/manyConsumers.js';
import { unchanged } from '../support/unchanged.js';

let database: TestDatabase;
let api: Api;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database, { hasBackground: false });
});

afterAll(async () => {
  expect(api.logged).toEqual([]);
  await api.close();
  await database.close();
});

const provider = (name: string): string => uuidOf('provider', name);
const [OLD, NODE, STORAGE] = ['old', 'numa', 'storage'].map(provider);

/** A host to drain and two others; all share the storage. */
beforeEach(() =>
  loadForest(
    database,
    forest(`
      old      @rack  VCPU:4
        numa   VCPU:12
      host1    VCPU:8  @rack +CUSTOM_FAST
      host2    VCPU:6  @rack
      storage  DISK_GB:100 @rack sharing
    `),
  ),
);

const DOCUMENT = `query ($host: UUID!, $requests: [DrainRequestInput!]!) {
  planDrain(resourceProvider: { uuid: $host }, requests: $requests) {
    root { name }
    complete
    moves {
      consumer { uuid generation projectId userId }
      requestIndex
      derivedResources { resourceClass { name } amount }
      allocationRequest { score allocations { resourceProvider { uuid name } resources { resourceClass { name } amount } } }
      explanation { summary combination { constraint eliminated } }
    }
    totalsBefore { resourceClass { name } capacity used }
    totalsAfter { resourceClass { name } capacity used }
  }
}`;

interface Total {
  readonly resourceClass: { readonly name: string };
  readonly capacity: number;
  readonly used: number;
}

interface Amount {
  readonly resourceClass: { readonly name: string };
  readonly amount: number;
}

const amountsOf = (resources: readonly Amount[]) =>
  resources.map(({ resourceClass, amount }) => ({ resourceClass: resourceClass.name, amount }));

interface Plan {
  readonly root: { readonly name: string };
  readonly complete: boolean;
  readonly moves: {
    readonly consumer: { uuid: string; generation: number; projectId: string; userId: string };
    readonly requestIndex: number | null;
    readonly derivedResources: Amount[] | null;
    readonly allocationRequest: {
      readonly allocations: {
        readonly resourceProvider: { readonly uuid: string; readonly name: string };
        readonly resources: Amount[];
      }[];
    } | null;
    readonly explanation: { readonly summary: string; readonly combination: object[] } | null;
  }[];
  readonly totalsBefore: Total[];
  readonly totalsAfter: Total[];
}

async function plan(host: string, requests: object[] = []): Promise<Plan> {
  const { data, errors } = await api.query<{ planDrain: Plan }>(DOCUMENT, { host, requests });
  expect(errors).toBeUndefined();
  return data.planDrain;
}

/** By consumer, in the order of the plan, the providers that it would go to; null: none. */
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

const vcpu = (amount: number, more: object = {}) => ({
  groups: [{ resources: [{ resourceClass: 'VCPU', amount }] }],
  ...more,
});

test('more than 1000 consumers are rejected before their allocations are read', async () => {
  await addConsumers(database, NODE, 1001);
  const statements = await api.statements(async () => {
    const { errors } = await api.query(DOCUMENT, { host: NODE, requests: [] });
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path: ['resourceProvider'] } }]);
  });
  expect(statements.filter((sql) => sql.includes('`a`.`used`'))).toEqual([]);
});

describe('a plan', () => {
  test('fits together: the largest first, what it has elsewhere with it, nothing written', async () => {
    const small = await claimed(api, { [NODE]: { VCPU: 2 } });
    const large = await claimed(api, { [NODE]: { VCPU: 7 }, [STORAGE]: { DISK_GB: 60 } });
    const middle = await claimed(api, { [OLD]: { VCPU: 4 } });
    await claimed(api, { [provider('host1')]: { VCPU: 1 } });
    const found = await unchanged(database, () => plan(NODE));
    expect(found).toMatchObject({ root: { name: 'old' }, complete: true });
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

  test('says what cannot go, and why', async () => {
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
      combination: [{ constraint: 'NOT_IN_TREES', eliminated: 1 }, { constraint: 'TREE_LACKS_GROUP' }],
    });
    expect(totals(found.totalsAfter).VCPU).toEqual([14, 14]);
  });

  test('uses the requests that are given: of the consumer, else of its type', async () => {
    const owner = { consumerType: 'INSTANCE' };
    const own = await claimed(api, { [NODE]: { VCPU: 1 } }, owner);
    const ofType = await claimed(api, { [NODE]: { VCPU: 3 } }, owner);
    const other = await claimed(api, { [NODE]: { VCPU: 2 } });
    const fast = vcpu(3);
    const requests = [
      {
        consumers: { type: 'INSTANCE' },
        request: { groups: [{ ...fast.groups[0], requiredTraits: [['CUSTOM_FAST']] }] },
      },
      {
        consumers: { uuid: own },
        request: vcpu(5, { orderBy: [{ freeShare: { resourceClass: 'VCPU', strategy: 'PACK' } }] }),
      },
    ];
    const found = await plan(OLD, requests);
    expect(found.moves.map(({ consumer, requestIndex }) => [consumer.uuid, requestIndex])).toEqual([
      [own, 1],
      [ofType, 0],
      [other, null],
    ]);
    expect(goals(found).slice(0, 2)).toEqual([
      [own, 'host2'],
      [ofType, 'host1'],
    ]);
    expect(found.moves[0].allocationRequest).toMatchObject({ score: [1 / 6] });
  });

  test('consumers to be away from are where the plan has put them', async () => {
    const consumers: string[] = [];
    for (let n = 0; n < 3; n++) consumers.push(await claimed(api, { [NODE]: { VCPU: 1 } }));
    const requests = [
      ...consumers.map((consumer) => ({
        consumers: { uuid: consumer },
        request: vcpu(1, { awayFromConsumers: consumers.filter((other) => other !== consumer) }),
      })),
    ];
    const found = goals(await plan(OLD, requests)).map(([, goal]) => goal);
    expect(found.slice(0, 2).sort()).toEqual(['host1', 'host2']);
    expect(found[2]).toBeNull();
  });

  test('of a tree in which nothing is, and of no tree', async () => {
    expect(await plan(provider('host2'))).toMatchObject({ complete: true, moves: [] });
    expect(await plan(randomUUID())).toBeNull();
  });

  test('of a sharing provider: its consumers go to what else has the class', async () => {
    const one = await claimed(api, { [provider('host1')]: { VCPU: 1 }, [STORAGE]: { DISK_GB: 1 } });
    expect(goals(await plan(STORAGE))).toEqual([[one, null]]);
  });
});

describe('INVALID_INPUT, with the path', () => {
  const [one] = [randomUUID()];
  test.each<[string, object[], string[]]>([
    [
      'for the same twice',
      [
        { consumers: { uuid: one }, request: vcpu(1) },
        { consumers: { uuid: one }, request: vcpu(2) },
      ],
      ['requests', '1'],
    ],
    [
      'a request that is malformed',
      [{ consumers: { type: 'A' }, request: { groups: [] } }],
      ['requests', '0', 'request', 'groups'],
    ],
  ])('%s', async (_title, requests, path) => {
    const { errors } = await api.query(DOCUMENT, { host: OLD, requests });
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path } }]);
  });
});

test('carried out by claims in batches, while others claim: the host is empty, nothing is lost, the audit is clean', async () => {
  const hosts = Array.from({ length: 12 }, (_, n) => `host${n} VCPU:16 @rack`);
  await loadForest(
    database,
    forest(['old VCPU:64 @rack', ...hosts, 'storage DISK_GB:1000 @rack sharing'].join('\n')),
  );
  const consumers: string[] = [];
  for (let n = 0; n < 24; n++)
    consumers.push(await claimed(api, { [OLD]: { VCPU: 1 + (n % 2) }, [STORAGE]: { DISK_GB: 10 } }));
  const others = Promise.all(
    Array.from({ length: 40 }, () =>
      api.mutate(
        'claim',
        claimInput(vcpu(2, { notInTrees: [{ uuid: OLD }] }), [
          { consumer: randomUUID(), projectId: 'p', userId: 'u' },
        ]),
      ),
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
  const { data } = await api.query<{ audit: { totalCount: number } }>('{ audit { totalCount } }');
  expect(data.audit.totalCount).toBe(0);

  /** Batches of equal requests; what is left after one pass, because it had changed, is planned anew. */
  async function drain(): Promise<void> {
    for (let pass = 0; pass < 5; pass++) {
      const { moves } = await plan(OLD);
      if (moves.length === 0) return;
      const batches = groupBy(moves, ({ derivedResources }) => JSON.stringify(amountsOf(derivedResources!)));
      for (const [resources, batch] of batches) {
        for (let at = 0; at < batch.length; at += 5) {
          const request = {
            groups: [{ resources: JSON.parse(resources) as object[] }],
            notInTrees: [{ uuid: OLD }],
          };
          const moving = batch
            .slice(at, at + 5)
            .map(({ consumer: { uuid, generation, projectId, userId } }) => ({
              ...{ consumer: uuid, generation, projectId, userId },
            }));
          await api.mutate('claim', claimInput(request, moving));
        }
      }
    }
  }
});
