import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { accessOf, VIEWERS, type ViewerKind } from '../../docs/generate/access.js';
import { buildSchema } from '../../src/api/schema.js';
import type { Role } from '../../src/model/viewer.js';
import { startApi, type Answer } from '../support/api.js';
import { nodeId } from '../support/claims.js';
import { postJson } from '../support/httpPost.js';
import { cases } from '../support/length.js';
import { argumentsFor, createCloud, OTHER, OWN, type Cloud } from './cloud.js';
import { Documents } from './documents.js';
import { useGuardedApi } from './guardedApi.js';
import { TOKENS, type Name } from './viewers.js';

const schema = buildSchema();
const access = accessOf(schema);
/** A field of these without access is FORBIDDEN. Any other one is null, or a parent of it is FORBIDDEN or null. */
const ROOTS = new Set(['Query', 'Mutation', 'Subscription']);
const fields = [...access.keys()].filter((key) => !key.includes('('));

/** In a short run, each viewer asks for a third of the fields. */
const PARTS = cases(1, 3);

let cloud: Cloud;
const { api, unguarded, database } = useGuardedApi({
  fill: async (open) => (cloud = await createCloud(open)),
});

async function ask(viewer: Name, query: string): Promise<Answer<Record<string, unknown> | null>> {
  const isSubscription = query.startsWith('subscription');
  const abort = new AbortController();
  const headers = {
    authorization: `Bearer ${TOKENS[viewer]}`,
    accept: isSubscription ? 'text/event-stream' : 'application/json',
  };
  const response = await postJson(api.url, { query }, headers, { signal: abort.signal });
  expect(response.status).toBe(200);
  if (!isSubscription) return (await response.json()) as Answer<Record<string, unknown> | null>;
  // an event comes when something changes; a refusal at once
  const first = await Promise.race([response.body!.getReader().read(), sleep(500)]);
  abort.abort();
  const [, data] = /^data: (.*)$/m.exec(Buffer.from(first?.value ?? []).toString()) ?? [];
  return data === undefined ? { data: {} } : (JSON.parse(data) as Answer<null>);
}

const codes = ({ errors = [] }: Answer<unknown>): string[] => errors.map(({ extensions: { code } }) => code);

/**
 * Sends documents of one kind with one root field each as one document, or as several if it costs too much. Returns
 * the answer of each root field.
 */
async function askTogether(viewer: Name, documents: readonly string[]): Promise<Answer<unknown>[]> {
  const [kind] = documents[0].split(' ');
  const roots = documents.map(
    (document, at) => `a${at}: ${document.slice(`${kind} { `.length, -' }'.length)}`,
  );
  const answer = await ask(viewer, `${kind} { ${roots.join(' ')} }`);
  const { data, errors = [] } = answer;
  if (roots.length === 1) return [{ data: data?.a0, errors }];
  if (codes(answer).includes('LIMIT_EXCEEDED')) {
    const half = Math.ceil(documents.length / 2);
    const [some, others] = [documents.slice(0, half), documents.slice(half)];
    return [...(await askTogether(viewer, some)), ...(await askTogether(viewer, others))];
  }
  const found = roots.map((_, at) => ({
    data: data?.[`a${at}`],
    errors: errors.filter(({ path }) => path?.[0] === `a${at}`),
  }));
  expect(found.flatMap((each) => each.errors)).toHaveLength(errors.length);
  return found;
}

/** For readers of a project, the way to a field uses only fields that they may use, if possible. */
function documentsFor(viewer: ViewerKind): Documents {
  return new Documents(schema, argumentsFor(cloud), (field) => access.get(field)![viewer] !== 'no');
}

describe('the table of fields by role, answer by answer', () => {
  test.each(VIEWERS)('%s', async (viewer) => {
    const [own, all] = [documentsFor(viewer), documentsFor('service')];
    const part = fields.filter((_, at) => at % PARTS === VIEWERS.indexOf(viewer) % PARTS);
    const asked = part.map((field) => ({ field, document: own.document(field) ?? all.document(field)! }));
    const wrong: string[] = [];
    const check = async (some: typeof asked): Promise<void> => {
      const documents = some.map(({ document }) => document);
      for (const [at, answer] of (await askTogether(viewer, documents)).entries()) {
        const { field, document } = some[at];
        const [type, name] = field.split('.');
        const isRejected = codes(answer).join() === 'FORBIDDEN';
        const isHidden =
          !ROOTS.has(type) && !new RegExp(`"${name}":[^n]`).test(JSON.stringify(answer.data ?? null));
        const isAllowed = access.get(field)![viewer] !== 'no';
        const hasErrors = codes(answer).length > 0;
        if (isAllowed ? hasErrors : !isRejected && (!isHidden || hasErrors))
          wrong.push(`${document}: ${JSON.stringify(answer)}`);
      }
    };
    // one audit runs at a time, so one document has all of them
    const kinds = [/^query \{ audit\b/, /^query(?! \{ audit\b)/, /^mutation/, /^subscription/];
    const groups = kinds.flatMap((kind, position) => {
      const ofKind = asked.filter(({ document }) => kind.test(document));
      const size = [ofKind.length, 20, 1, 1][position];
      return Array.from({ length: Math.ceil(ofKind.length / size) }, (_, at) =>
        ofKind.slice(at * size, (at + 1) * size),
      );
    });
    // together, because subscriptions wait for an event
    for (let at = 0; at < groups.length; at += 5) await Promise.all(groups.slice(at, at + 5).map(check));
    expect(wrong).toEqual([]);
  });
});

test.each(['reader', 'reader of a project', 'member', 'admin'] as const)(
  '%s: only the roles admin and service make room for a workload',
  async (viewer) => {
    const { errors } = await ask(
      viewer,
      `{ planWorkload(
           input: { members: { name: "a", requests: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }
                    consumers: { consumer: "00000000-0000-4000-8000-00000000dead", projectId: "a", userId: "a" } } }
           makeRoom: { movable: { projects: ["${OWN}"] } }
         ) { outcome } }`,
    );
    if (viewer === 'admin') return expect(errors).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: 'makeRoom requires the role admin or service',
        path: ['planWorkload'],
        extensions: { code: 'FORBIDDEN', path: ['makeRoom'] },
      },
    ]);
  },
);

describe('readers of a project', () => {
  const VIEWER = 'reader of a project';

  test.each([VIEWER, 'member'] as const)(
    '%s: sees the consumers of the project, but no providers',
    async (viewer) => {
      const { data } = await ask(
        viewer,
        `{ consumers { totalCount nodes { uuid allocations { amount consumer { uuid } resourceClass { name } } } }
         projects { totalCount nodes { projectId consumerCount usages { used } } }
         usages(projectId: "${OWN}") { consumerCount usages { used } byType { type { name consumerCount } } }
         consumer(uuid: "${cloud.own}") { projectId } }`,
      );
      expect(data).toEqual({
        consumers: {
          totalCount: 1,
          nodes: [
            {
              uuid: cloud.own,
              allocations: [{ amount: 2, consumer: { uuid: cloud.own }, resourceClass: { name: 'VCPU' } }],
            },
          ],
        },
        projects: { totalCount: 1, nodes: [{ projectId: OWN, consumerCount: 1, usages: [{ used: 2 }] }] },
        usages: {
          consumerCount: 1,
          usages: [{ used: 2 }],
          byType: [{ type: { name: 'INSTANCE', consumerCount: null } }],
        },
        consumer: { projectId: OWN },
      });
    },
  );

  test('keeps the rest of a response: what its role hides is null, and other projects are absent', async () => {
    const found = await ask(
      VIEWER,
      `{ consumer(uuid: "${cloud.own}") {
           type { name consumerCount consumers { totalCount nodes { uuid } } }
           project { projectId consumers { nodes { uuid } } } user { userId } userId
           allocations { amount resourceProvider { name } } providerAllocations { resources { amount } }
         }
         resourceProviders { totalCount } }`,
    );
    expect(found.data).toEqual({
      consumer: {
        type: {
          name: 'INSTANCE',
          consumerCount: null,
          consumers: { totalCount: 1, nodes: [{ uuid: cloud.own }] },
        },
        project: { projectId: OWN, consumers: { nodes: [{ uuid: cloud.own }] } },
        user: null,
        userId: 'user',
        allocations: [{ amount: 2, resourceProvider: null }],
        providerAllocations: null,
      },
      resourceProviders: null,
    });
    expect(found.errors).toMatchObject([
      {
        message: 'resourceProviders requires the role admin or service, or reader of the whole cloud',
        path: ['resourceProviders'],
        extensions: { code: 'FORBIDDEN', path: [] },
      },
    ]);
  });

  test('finds nothing of another project', async () => {
    const id = nodeId('Consumer', cloud.other);
    const found = await ask(
      VIEWER,
      `{ consumer(uuid: "${cloud.other}") { uuid } node(id: "${id}") { id } nodes(ids: ["${id}"]) { id } }`,
    );
    expect(found).toMatchObject({ data: { consumer: null, node: null, nodes: [null] } });
    expect(found.errors).toBeUndefined();
  });

  test.each([
    ['usages', `(projectId: "${OTHER}") { consumerCount }`, 'projectId'],
    ['consumers', `(filter: { projectId: "${OTHER}" }) { totalCount }`, 'filter.projectId'],
    [
      'consumers',
      '(filter: { inTree: { uuid: "00000000-0000-4000-8000-00000000dead" } }) { totalCount }',
      'filter.inTree.uuid',
    ],
  ])('may not ask for %s%s', async (field, rest, path) => {
    const { data, errors } = await ask(VIEWER, `{ ${field}${rest} }`);
    expect(data).toEqual({ [field]: null });
    expect(errors).toMatchObject([
      { path: [field], extensions: { code: 'FORBIDDEN', path: path.split('.') } },
    ]);
    expect(errors![0].message).toContain(`${path}: readers of a project`);
  });

  test.each(['ResourceProvider', 'Trait', 'Aggregate', 'ResourceClass'])(
    'may not ask for a %s by id',
    async (type) => {
      const id = nodeId(type, cloud.provider);
      expect(codes(await ask(VIEWER, `{ node(id: "${id}") { id } }`))).toEqual(['FORBIDDEN']);
    },
  );

  test('with the role admin are admins', async () => {
    const { data } = await ask(
      'adminOfProject',
      '{ consumers { totalCount } resourceProviders { totalCount } }',
    );
    expect(data).toEqual({ consumers: { totalCount: 2 }, resourceProviders: { totalCount: 1 } });
  });
});

test('a viewer of a project whose id differs by a blank sees nothing of the project', async () => {
  const viewer = { userId: 'u', roles: new Set<Role>(['reader']), projectId: `${OWN} `, expiresAt: null };
  const authenticator = { authenticate: () => viewer, close: () => undefined };
  const other = await startApi(database, { authenticator });
  try {
    for (const order of ['', '(orderBy: [{ consumerCount: DESC }])', '(orderBy: [{ age: ASC }])'])
      expect(await other.read(`{ projects${order} { totalCount nodes { projectId } } }`)).toEqual({
        projects: { totalCount: 0, nodes: [] },
      });
    expect(await other.read(`{ consumers { totalCount } consumer(uuid: "${cloud.own}") { uuid } }`)).toEqual({
      consumers: { totalCount: 0 },
      consumer: null,
    });
  } finally {
    await other.close();
  }
});

test('a reshape within applyProviderTree is for services', async () => {
  const document =
    'mutation { applyProviderTree(input: { root: { name: "host" }, allocations: [], dryRun: true }) { __typename } }';
  expect(codes(await ask('admin', document))).toEqual(['FORBIDDEN']);
  expect(codes(await ask('service', document))).toEqual([]);
});

test('a reader writes nothing', async () => {
  const before = await state();
  await ask('reader', 'mutation { a: createTrait(input: { name: "CUSTOM_BY_READER" }) { __typename } }');
  expect(await state()).toEqual(before);
});

const state = async () =>
  (await unguarded.query('{ traits(filter: { startsWith: "CUSTOM_" }) { name } }')).data;
