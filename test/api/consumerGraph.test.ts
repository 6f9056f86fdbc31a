import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';

const { api, database } = useApi({ hasBackground: false });

let host: string;
/** By project, user and type, oldest first. */
const uuids: Record<string, string[]> = {};

const PROJECTS = ['p', 'q'];
const USERS = ['u', 'v'];
const TYPES = ['INSTANCE', 'VOLUME', null];

/** Two consumers of each project, user and type. */
beforeAll(async () => {
  ({ host } = await createProviders(api, { name: 'host', inventories: { VCPU: 1000 } }));
  let amount = 0;
  for (let round = 0; round < 2; round++)
    for (const projectId of PROJECTS)
      for (const userId of USERS)
        for (const consumerType of TYPES) {
          const uuid = await claimed(
            api,
            { [host]: { VCPU: ++amount } },
            { projectId, userId, consumerType },
          );
          for (const owner of [`project ${projectId}`, `user ${userId}`, `type ${consumerType}`])
            (uuids[owner] ??= []).push(uuid);
        }
});

interface Consumers {
  readonly nodes: readonly { readonly uuid: string }[];
  readonly totalCount: number;
}

const of = ({ nodes }: Consumers): string[] => nodes.map(({ uuid }) => uuid);

test('a consumer has its project, its user and its type', async () => {
  const [uuid] = uuids['type null'];
  const selection = 'type { name } project { projectId consumerCount } user { userId consumerCount }';
  const { one, untyped } = await api.read<Record<string, object>>(
    `{ one: consumer(uuid: "${uuids['project p'][0]}") { ${selection} projectId userId }
       untyped: consumer(uuid: "${uuid}") { ${selection} } }`,
  );
  const owners = { project: { projectId: 'p', consumerCount: 12 }, user: { userId: 'u', consumerCount: 12 } };
  expect(one).toEqual({ type: { name: 'INSTANCE' }, ...owners, projectId: 'p', userId: 'u' });
  expect(untyped).toEqual({ type: null, ...owners });
});

test('a consumer whose project and user another program has lost has neither', async () => {
  const uuid = await claimed(api, { [host]: { VCPU: 1 } }, { projectId: 'lost', userId: 'lost' });
  await database.pool.query('UPDATE consumers SET project_id = -1, user_id = -1 WHERE uuid = ?', [uuid]);
  expect(
    await api.read(`{ consumer(uuid: "${uuid}") { project { id } user { id } projectId userId } }`),
  ).toEqual({
    consumer: { project: null, user: null, projectId: null, userId: null },
  });
  await api.mutate('deleteConsumer', { consumer: uuid });
});

describe('consumers of projects, users and types', () => {
  const LISTS = [
    [
      'project',
      'projects(first: 3) { nodes { name: projectId consumers(ARGS) { nodes { uuid } totalCount } } }',
    ],
    ['user', 'users(first: 3) { nodes { name: userId consumers(ARGS) { nodes { uuid } totalCount } } }'],
    ['type', 'consumerTypes { name consumers(ARGS) { nodes { uuid } totalCount } }'],
  ] as const;

  async function lists(document: string, args: string): Promise<[string, Consumers][]> {
    const { list } = await api.read<{ list: Named[] | { nodes: Named[] } }>(
      `{ list: ${document.replace('ARGS', args)} }`,
    );
    const all = 'nodes' in list ? list.nodes : list;
    return all.map(({ name, consumers }) => [name, consumers]);
  }

  interface Named {
    readonly name: string;
    readonly consumers: Consumers;
  }

  test.each(LISTS)('of a %s: by age and by use', async (kind, document) => {
    for (const [args, expected] of [
      ['first: 100', (all: string[]) => all],
      ['first: 2, orderBy: { age: DESC }', (all: string[]) => all.slice(-2).reverse()],
      [
        'first: 3, orderBy: { used: { resourceClass: "VCPU", direction: DESC } }',
        (all: string[]) => all.slice(-3).reverse(),
      ],
    ] as const) {
      const found = (await lists(document, args)).filter(([name]) => uuids[`${kind} ${name}`]);
      expect(found.length).toBe(2);
      for (const [name, consumers] of found) {
        const all = uuids[`${kind} ${name}`];
        expect([args, of(consumers)]).toEqual([args, expected(all)]);
        expect(consumers.totalCount).toBe(all.length);
      }
    }
  });

  test.each([
    ['orderBy: { used: { resourceClass: "CUSTOM_NONE" } }', 'orderBy.0.used.resourceClass'],
    ['orderBy: [{ age: ASC }, { age: ASC }]', 'orderBy.1'],
  ])('(%s) is INVALID_INPUT', async (args, path) => {
    expect(
      await api.failure(`{ project(projectId: "p") { consumers(${args}) { totalCount } } }`),
    ).toMatchObject(invalidInput(path));
  });
});

test.each([
  ['consumers(first: 2) { nodes { uuid } }', 1],
  ['project(projectId: "p") { consumers(first: 2) { nodes { uuid } } }', 2],
  ['resourceProvider(by: { name: "host" }) { treeConsumers(first: 2) { nodes { uuid } } }', 2],
  ['resourceProvider(by: { name: "host" }) { allocations(first: 2) { nodes { consumer { uuid } } } }', 2],
])('one statement reads a page of consumers and whether more follow: %s', async (field, statements) => {
  const document = `{ ${field.replace('nodes', 'pageInfo { hasNextPage } nodes')} }`;
  expect(await api.statements(() => api.read(document))).toHaveLength(statements);
});

describe('statements do not grow with the number of objects', () => {
  const count = (document: string) => api.statements(() => api.read(document));

  test.each([
    // consumers; types, projects and users; counts of each
    [
      'consumers with project, user and type',
      7,
      'consumers(first: $) { nodes { type { name consumerCount } project { projectId consumerCount } user { userId consumerCount } } }',
    ],
    [
      'projects with consumers',
      4,
      'projects(first: $) { nodes { consumers(first: 2) { nodes { uuid } totalCount } } }',
    ],
    [
      'users with consumers',
      4,
      'users(first: $) { nodes { consumers(first: 2) { nodes { uuid } totalCount } } }',
    ],
    [
      'projects with consumers by use',
      6,
      'projects(first: $) { nodes { consumers(first: 2, orderBy: { used: { resourceClass: "VCPU" } }) { nodes { uuid } totalCount } } }',
    ],
  ])('%s', async (_what, most, document) => {
    const one = await count(`{ ${document.replace('$', '1')} }`);
    const many = await count(`{ ${document.replace('$', '10')} }`);
    expect(many.length).toBeLessThanOrEqual(one.length + 1);
    expect(many.length).toBeLessThanOrEqual(most + 1);
  });
});
