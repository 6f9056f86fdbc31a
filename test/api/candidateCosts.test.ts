import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OPERATION_LIMITS, type OperationLimits } from '../../src/model/operation/admission.js';
import { startApi, useApi, type Answer, type Api } from '../support/api.js';
import { requestOf } from '../support/claims.js';

const { database, api } = useApi();

/** The candidates of the request: one in each child. */
const FOUND = 1_500;
const REQUEST = requestOf({ VCPU: 1 });
/** The cost of a search for the request, which has two lists of one entry. */
const OF_SEARCH = 120;

const servers: Api[] = [];
async function serverWith(limits: Partial<OperationLimits>): Promise<Api> {
  const server = await startApi(database, { limits: { ...OPERATION_LIMITS, ...limits } });
  servers.push(server);
  return server;
}

beforeAll(async () => {
  const inventories = [{ resourceClass: 'VCPU', total: 1 }];
  const children = Array.from({ length: FOUND }, (_, at) => ({ name: `child-${at}`, inventories }));
  await api.mutate('applyProviderTree', { root: { name: 'root', children } });
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

interface Candidates {
  readonly allocationCandidates: { readonly allocationRequests: object[]; readonly complete: boolean } | null;
}

const WRITTEN = 'allocations { resourceProvider { name } resources { amount } }';

const ask = (server: Api, selection: string, rest = '', limit?: number): Promise<Answer<Candidates>> =>
  server.query(
    `query ($request: AllocationCandidatesInput!, $limit: Int) {
       allocationCandidates(request: $request, limit: $limit) {
         complete allocationRequests { ${selection} } ${rest}
       }
     }`,
    { request: REQUEST, limit },
  );

test('with more candidates allowed, a search without limit is charged for 1,000 and then for what it found', async () => {
  const server = await serverWith({ candidates: 100_000 });
  const { data, errors, extensions } = await ask(server, WRITTEN);
  expect(errors).toBeUndefined();
  expect(data.allocationCandidates).toMatchObject({ complete: true, allocationRequests: { length: FOUND } });
  const { requested, actual } = extensions!.cost!;
  const { extensions: few } = await ask(api, WRITTEN);
  expect(requested).toBe(few!.cost!.requested);
  const ofOne = (requested - OF_SEARCH - 1_000 / 10) / 1_000;
  expect(actual).toBeCloseTo(requested + (FOUND - 1_000) * ofOne, -1);
  expect(few!.cost!.actual).toBe(requested);
});

test('a limit above 1,000 is charged before the search', async () => {
  const server = await serverWith({ candidates: 100_000 });
  const { requested: all } = (await ask(server, WRITTEN, '', FOUND)).extensions!.cost!;
  const { requested } = (await ask(server, WRITTEN)).extensions!.cost!;
  expect(all - OF_SEARCH).toBeCloseTo(((requested - OF_SEARCH) * FOUND) / 1_000, -1);
});

test('the budget bounds what a search finds', async () => {
  const { requested } = (await ask(api, WRITTEN)).extensions!.cost!;
  const server = await serverWith({ candidates: 100_000, cost: requested + 10 });
  const { data, errors } = await ask(server, WRITTEN);
  expect(data).toBeNull();
  expect(errors).toMatchObject([
    {
      message: expect.stringContaining('use `first`, `limit`') as unknown,
      extensions: { code: 'LIMIT_EXCEEDED' },
    },
  ]);
  expect((await ask(server, WRITTEN, '', 10)).errors).toBeUndefined();
});

test('provider summaries beyond the number of candidates are charged', async () => {
  const { extensions } = await ask(
    api,
    'score',
    'providerSummaries { traitNames resourceProvider { name } }',
    1,
  );
  const { requested, actual } = extensions!.cost!;
  expect(actual - requested).toBeGreaterThanOrEqual((2 * (FOUND - 1)) / 10);
});

test('fewer candidates allowed: a search without limit is charged for these', async () => {
  const server = await serverWith({ candidates: 10 });
  const { data, extensions } = await ask(server, 'score');
  expect(data.allocationCandidates).toMatchObject({ complete: false, allocationRequests: { length: 10 } });
  expect(extensions!.cost!.requested).toBeLessThan(200);
});

test('the price of a search grows with its limit, also if no list is selected', async () => {
  const costOf = async (limit: number): Promise<number> => {
    const { extensions } = await api.query(
      `query ($request: AllocationCandidatesInput!, $limit: Int) {
         allocationCandidates(request: $request, limit: $limit) { complete } }`,
      { request: REQUEST, limit },
    );
    return extensions!.cost!.requested;
  };
  expect([await costOf(1), await costOf(10), await costOf(1_000)]).toEqual([121, 121, 220]);
});

const LARGE = `$r: AllocationCandidatesInput!`;
const CONSUMER = `{ consumer: "00000000-0000-4000-8000-000000000001", projectId: "p", userId: "u" }`;
const MEMBER = (requests: string): string =>
  `{ members: [{ name: "m", consumers: [${CONSUMER}], requests: [${requests}] }] }`;
const DRAIN = (at: number): string =>
  `{ consumers: { uuid: "00000000-0000-4000-8000-00000000000${at}" }, request: $r }`;

/** Documents with one and with two references to a request. */
const FIELDS: Record<string, (references: number) => string> = {
  allocationCandidates: (count) =>
    Array.from(
      { length: count },
      (_, at) => `a${at}: allocationCandidates(request: $r, limit: 1) { complete }`,
    ).join(' '),
  headroom: (count) =>
    Array.from({ length: count }, (_, at) => `a${at}: headroom(request: $r) { count }`).join(' '),
  planWorkload: (count) => `planWorkload(input: ${MEMBER('$r '.repeat(count))}) { outcome }`,
  planDrain: (count) =>
    `planDrain(from: { providers: [] }, requests: [${Array.from({ length: count }, (_, at) => DRAIN(at)).join()}]) { complete }`,
};

test.each(Object.keys(FIELDS))(
  '%s costs 10 for each entry of a request, at each reference',
  async (field) => {
    const costOf = async (references: number, names: number): Promise<number> => {
      const requiredTraits = [Array.from({ length: names }, (_, at) => `CUSTOM_T${at}`)];
      const r = { groups: [{ ...REQUEST.groups[0], requiredTraits }] };
      const { extensions } = await api.query(`query (${LARGE}) { ${FIELDS[field](references)} }`, { r });
      return extensions!.cost!.requested;
    };
    expect((await costOf(1, 130)) - (await costOf(1, 30))).toBe(1_000);
    expect((await costOf(2, 130)) - (await costOf(2, 30))).toBe(2_000);
  },
);
