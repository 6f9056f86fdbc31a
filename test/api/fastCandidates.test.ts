import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { execute } from '@graphql-tools/executor';
import { parse, validate } from 'graphql';
import { postJson } from '../support/httpPost.js';
import { readDatabaseId } from '../../src/store/database/databaseId.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { Loaders } from '../../src/api/loaders/loaders.js';
import { buildSchema } from '../../src/api/schema.js';
import { LiveSnapshot } from '../../src/store/live/liveSnapshot.js';
import { createProcess } from '../../src/server/process.js';
import { Operations } from '../../src/model/operation/operation.js';
import { cases } from '../support/length.js';
import { apiAt, useApi, type Answer } from '../support/api.js';
import { amounts, requestOf } from '../support/claims.js';
import { serve } from '../http/server.js';
import { randomDocument } from './randomDocument.js';

const schema = buildSchema();

const { database, api } = useApi({ fill: (empty) => loadDemoData(empty, { hosts: 100 }) });
let live: LiveSnapshot;

beforeAll(() => {
  live = new LiveSnapshot(database);
});

/** The answer of Yoga's executor, field by field, through the resolvers. */
async function resolved(document: string, variableValues: Record<string, unknown>): Promise<Answer<unknown>> {
  const operation = new Operations().begin();
  const loaders = new Loaders(database, database.reads, operation);
  const databaseId = () => readDatabaseId(database.pool);
  const contextValue = {
    database,
    databaseId,
    snapshots: live,
    loaders,
    operation,
    viewer: null,
    excludedRootTraits: [],
  };
  const result = await execute({ schema, document: parse(document), variableValues, contextValue });
  return JSON.parse(JSON.stringify(result)) as Answer<unknown>;
}

const GROUP = { resources: amounts({ VCPU: 4, MEMORY_MB: 8192, DISK_GB: 20 }) };

const WHOLE = `query ($request: AllocationCandidatesInput!, $limit: Int) {
  allocationCandidates(request: $request, limit: $limit) {
    allocationRequests {
      allocations { resourceProvider { uuid } resources { resourceClass { name } amount } }
      mappings { suffix resourceProviders { uuid } }
    }
    providerSummaries {
      resourceProvider { id uuid name generation parent { uuid } root { uuid } }
      resources { resourceClass { name } capacity used }
      traitNames
    }
    complete
    seed
  }
}`;

const REQUESTS = [
  { groups: [GROUP], seed: 1 },
  { ...requestOf({ VGPU: 5 }), seed: 2 },
  { groups: [{ ...GROUP, memberOf: [[{ uuid: '00000000-0000-4000-8000-000000000000' }]] }], seed: 3 },
  {
    groups: [
      { resources: [GROUP.resources[2]] },
      { suffix: '_NODE', resources: GROUP.resources.slice(0, 2) },
      { suffix: '_NET', resources: amounts({ SRIOV_NET_VF: 1 }) },
      { suffix: '_ROOT', requiredTraits: [['HW_NUMA_ROOT']] },
    ],
    sameSubtree: [{ groups: ['_NODE', '_NET', '_ROOT'] }],
    seed: 4,
  },
  { groups: [{ ...GROUP, requiredTraits: [['NO_SUCH_TRAIT']] }], seed: 5 },
];

/** The number of random documents. */
const RUNS = cases(300, 100);

const inOrder = (
  errors: readonly { readonly message: string; readonly path?: readonly (string | number)[] }[],
) =>
  errors
    .map(({ message, path }) => ({ message, path }))
    .sort((a, b) => (String(a.path) < String(b.path) ? -1 : 1));

describe('candidates laid out as text are what the executor gives', () => {
  test('for random documents: aliases, fragments, directives, variables, nulls and errors', async () => {
    let compared = 0;
    await assertEnough(
      fc.asyncProperty(
        fc.gen(),
        fc.constantFrom(...REQUESTS),
        fc.constantFrom(0, 1, 3, 7),
        async (draw, request, limit) => {
          const document = randomDocument(schema, draw);
          if (validate(schema, parse(document)).length > 0) return;
          const variables = { request, limit, no: false };
          const expected = await resolved(document, variables);
          const answer = await api.query(document, variables);
          if (answer.errors?.[0].extensions.code === 'LIMIT_EXCEEDED') return;
          compared++;
          expect(JSON.stringify(answer.data)).toBe(JSON.stringify(expected.data));
          // fields are rejected side by side, in no order
          expect(answer.errors && inOrder(answer.errors)).toEqual(
            expected.errors && inOrder(expected.errors),
          );
        },
      ),
      { numRuns: RUNS },
      () => compared > 0.6 * RUNS,
    );
  }, 120_000);

  test.each(REQUESTS.slice(0, 4))(
    'for the whole answer without a limit, streamed when long (%#)',
    async (request) => {
      const { data } = await api.query(WHOLE, { request });
      expect(JSON.stringify(data)).toBe(JSON.stringify((await resolved(WHOLE, { request })).data));
    },
  );
});

const PROVIDER = 'id uuid name generation label parent { uuid } root { uuid }';
const AMOUNTS = '{ resourceClass { id name isStandard } capacity used }';

interface Described {
  readonly amounts: readonly { readonly resourceClass: { readonly name: string } }[];
}

const byClass = <T extends Described>(described: T): T => ({
  ...described,
  amounts: described.amounts.toSorted((a, b) => (a.resourceClass.name < b.resourceClass.name ? -1 : 1)),
});

test.each([REQUESTS[0], REQUESTS[3]])(
  'summaries equal the providers in the database (%#)',
  async (request) => {
    const { data } = await api.query<{
      allocationCandidates: {
        providerSummaries: (Described & { provider: { uuid: string }; traitNames: string[] })[];
      };
    }>(
      `query ($request: AllocationCandidatesInput!) {
      allocationCandidates(request: $request, limit: 3) {
        providerSummaries { provider: resourceProvider { ${PROVIDER} } amounts: resources ${AMOUNTS} traitNames }
      }
    }`,
      { request },
    );
    const summaries = data.allocationCandidates.providerSummaries;
    expect(summaries.length).toBeGreaterThan(3);
    expect(summaries.some(({ traitNames }) => traitNames.length > 1)).toBe(true);
    for (const { provider, traitNames, ...summary } of summaries) {
      const stored = await api.query<{
        provider: { uuid: string };
        details: Described & { traits: { name: string }[] };
      }>(
        `query ($uuid: UUID!) {
        provider: resourceProvider(by: { uuid: $uuid }) { ${PROVIDER} }
        details: resourceProvider(by: { uuid: $uuid }) { amounts: inventories ${AMOUNTS} traits { name } }
      }`,
        { uuid: provider.uuid },
      );
      const { traits, ...amounts } = stored.data.details;
      expect(stored.data.provider).toEqual(provider);
      expect(byClass(amounts)).toEqual(byClass(summary));
      expect(traitNames).toEqual(traits.map(({ name }) => name));
    }
  },
);

test('an explanation is left to graphql-js, and all that is selected beside it', async () => {
  const document = WHOLE.replace(
    'complete',
    'complete explanation { satisfiableWhenEmpty summary groups { suffix considered remaining } }',
  );
  const variables = { request: REQUESTS[1] };
  const { data } = await api.query<{ allocationCandidates: { explanation: object } }>(document, variables);
  expect(data.allocationCandidates.explanation).toMatchObject({ satisfiableWhenEmpty: false });
  expect(JSON.stringify(data)).toBe(JSON.stringify((await resolved(document, variables)).data));
});

test('a search begins in the last snapshot during the freshness check', async () => {
  const snapshot = await live.current();
  let begin = () => {};
  const seen = () => (begin(), snapshot.classes);
  const speculative = Object.create(snapshot, { classes: { get: seen } }) as typeof snapshot;
  let isEarly = false;
  let begun = Promise.resolve(false);
  const current = async () => {
    isEarly = await Promise.race([begun, sleep(1_000, false)]);
    return snapshot;
  };
  const snapshots = { current, speculative, fullLoads: 1, recheck: () => Promise.resolve([]) };
  const { server, url } = await serve({ ...createProcess(database), snapshots });
  const query =
    '{ allocationCandidates(request: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }, limit: 1) { complete } }';
  try {
    // A search waits for the freshness check if other work has used the turn of the event loop.
    for (let tried = 0; !isEarly && tried < 5; tried++) {
      begun = new Promise((resolve) => (begin = () => resolve(true)));
      const answer = await apiAt(url).read(query);
      expect(answer).toMatchObject({ allocationCandidates: { complete: false } });
    }
    expect(isEarly).toBe(true);
  } finally {
    await server.close();
  }
});

test('a long answer is one event for a client that takes events alone', async () => {
  const body = { query: WHOLE, variables: { request: REQUESTS[0] } };
  const response = await postJson(api.url, body, { accept: 'text/event-stream' });
  const [, data] = /event: next\ndata: (.*)/.exec(await response.text())!;
  const { data: expected } = await resolved(WHOLE, body.variables);
  expect((JSON.parse(data) as Answer<object>).data).toEqual(expected);
});
