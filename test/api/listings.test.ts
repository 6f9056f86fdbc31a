import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, edit, type Takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import type { Page } from '../support/shapes.js';

const { api } = useApi({ hasBackground: false });
const uuids: Record<string, string> = {};

interface Known {
  readonly uuid: string;
  readonly projectId: string;
  readonly userId: string;
  readonly consumerType: string | null;
  /** `tree class`, of each allocation. */
  readonly takes: readonly string[];
}
const known: Known[] = [];

const [RACK, ZONE, EMPTY] = [1, 2, 3].map((n) => `aaaaaaaa-0000-4000-8000-00000000000${n}`);
const TREE_OF: Readonly<Record<string, string>> = { a: 'a', a1: 'a', b: 'b', ss: 'ss' };

/** Two hosts, one with a child, a storage; and a consumer for each of 2 projects, 2 users, 3 types and 4 ways to take. */
beforeAll(async () => {
  const inventories = { VCPU: 1000, DISK_GB: 1000 };
  Object.assign(
    uuids,
    await createProviders(api, {
      name: 'a',
      inventories,
      aggregates: [RACK],
      children: [{ name: 'a1', inventories: { VGPU: 100 } }],
    }),
    await createProviders(api, { name: 'b', inventories, aggregates: [RACK, ZONE] }),
    await createProviders(api, { name: 'ss', inventories: { DISK_GB: 10_000 }, aggregates: [EMPTY] }),
  );
  await edit(api, uuids.ss, { generation: 2, aggregates: { set: [] } });
  const ways: Takes[] = [
    { a: { VCPU: 1 }, ss: { DISK_GB: 5 } },
    { a: { VCPU: 2 }, a1: { VGPU: 1 } },
    { b: { VCPU: 3, DISK_GB: 1 } },
    { a1: { VGPU: 1 }, b: { VCPU: 1 } },
  ];
  for (const projectId of ['p', 'q']) {
    for (const userId of ['u', 'v']) {
      for (const consumerType of ['INSTANCE', 'MIGRATION', null]) {
        // the last user of a project has no migrations
        if (userId === 'v' && consumerType === 'MIGRATION') continue;
        for (const way of ways) {
          const amounts = Object.fromEntries(
            Object.entries(way).map(([name, takes]) => [uuids[name], takes]),
          );
          const uuid = await claimed(api, amounts, { projectId, userId, consumerType });
          const takes = Object.entries(way).flatMap(([name, each]) =>
            Object.keys(each).map((resourceClass) => `${TREE_OF[name]} ${resourceClass}`),
          );
          known.push({ uuid, projectId, userId, consumerType, takes });
        }
      }
    }
  }
});

/** Reads lists by one document. `args` are the arguments of each. */
async function readLists<T>(list: string, selection: string, args: readonly string[]): Promise<T[][]> {
  const fields = args.map((each, at) => `a${at}: ${list}(${each}) { nodes { ${selection} } totalCount }`);
  const found = await api.read<Record<string, Page<T>>>(`{ ${fields.join(' ')} }`);
  return Object.values(found).map(({ nodes, totalCount }) => {
    expect(totalCount).toBe(nodes.length);
    return [...nodes];
  });
}

interface Filter {
  readonly projectId?: string;
  readonly userId?: string;
  readonly type?: { readonly name: string } | { readonly none: true };
  readonly inTree?: string;
  readonly resourceClass?: string;
}

/** The filter by its words. */
function meets(each: Known, { projectId, userId, type, inTree, resourceClass }: Filter): boolean {
  return (
    each.projectId === (projectId ?? each.projectId) &&
    each.userId === (userId ?? each.userId) &&
    (type === undefined || each.consumerType === ('name' in type ? type.name : null)) &&
    each.takes.some((taken) => {
      const [tree, name] = taken.split(' ');
      return tree === (inTree === undefined ? tree : TREE_OF[inTree]) && name === (resourceClass ?? name);
    })
  );
}

/** Returns the arguments of a list with a filter. */
function filtered({ projectId, userId, type, inTree, resourceClass }: Filter): string {
  const conditions = [
    projectId && `projectId: "${projectId}"`,
    userId && `userId: "${userId}"`,
    type && ('name' in type ? `type: { name: "${type.name}" }` : 'type: { none: true }'),
    inTree && `inTree: { uuid: "${uuids[inTree] ?? inTree}" }`,
    resourceClass && `resourceClass: "${resourceClass}"`,
  ];
  return `first: 50, filter: { ${conditions.filter(Boolean).join(' ')} }`;
}

const consumersOf = async (filters: readonly Filter[]) =>
  (await readLists<{ uuid: string }>('consumers', 'uuid', filters.map(filtered))).map((found) =>
    found.map(({ uuid }) => uuid),
  );

describe('consumers', () => {
  const some = <K extends string, V>(key: K, values: readonly V[]): Partial<Record<K, V>>[] => [
    {},
    ...values.map((value) => ({ [key]: value }) as Record<K, V>),
  ];
  const users = some('userId', ['u', 'v']);
  const projects = some('projectId', ['p']);
  const types = some('type', [{ name: 'INSTANCE' }, { name: 'MIGRATION' }, { none: true as const }]);
  const trees = some('inTree', ['a1', 'ss']);
  const classes = some('resourceClass', ['VGPU', 'DISK_GB']);

  test.each(trees)(
    'meet every condition of a filter, the oldest first: all combinations with %j',
    async (tree) => {
      const filters: Filter[] = projects.flatMap((project) =>
        users.flatMap((user) =>
          types.flatMap((type) => classes.map((one) => ({ ...project, ...user, ...type, ...tree, ...one }))),
        ),
      );
      expect(filters).toHaveLength(72);
      expect(await consumersOf(filters)).toEqual(
        filters.map((filter) => known.filter((each) => meets(each, filter)).map(({ uuid }) => uuid)),
      );
    },
  );

  test('an unknown project, user, type or tree has no consumers', async () => {
    const unknown: Filter[] = [
      { projectId: 'nobody' },
      { userId: 'nobody' },
      { type: { name: 'NOTHING' } },
      { inTree: 'cccccccc-0000-4000-8000-000000000009' },
      { projectId: 'p', userId: 'nobody', resourceClass: 'VCPU' },
    ];
    expect(await consumersOf(unknown)).toEqual(unknown.map(() => []));
  });

  test.each([
    ['an empty project', { projectId: '' }, 'filter.projectId'],
    ['a user that is too long', { userId: 'u'.repeat(256) }, 'filter.userId'],
    ['a type in lower case', { type: { name: 'instance' } }, 'filter.type.name'],
    ['a type that is not none', { type: { none: false } }, 'filter.type.none'],
    ['an unknown class (decision D12)', { resourceClass: 'CUSTOM_NONE' }, 'filter.resourceClass'],
  ])('%s is INVALID_INPUT', async (_what, filter, path) => {
    expect(
      await api.failure('query ($filter: ConsumerFilter) { consumers(filter: $filter) { totalCount } }', {
        filter,
      }),
    ).toMatchObject(invalidInput(path));
  });

  test('with all that they have take a bounded number of statements', async () => {
    const document = `{ consumers(filter: { projectId: "p", userId: "u", type: { name: "INSTANCE" }, resourceClass: "VCPU" }, first: 100) {
      totalCount nodes { uuid projectId allocations { amount resourceProvider { name } resourceClass { name } } } } }`;
    // class, project, user; ids and rows of the page, the count; allocations
    expect(await api.statements(() => api.query(document))).toHaveLength(6);
  });
});

test('consumer types, by name, with how many consumers each has', async () => {
  let answer: unknown;
  const statements = await api.statements(async () => {
    answer = (await api.query('{ consumerTypes { name consumerCount } }')).data;
  });
  expect(answer).toEqual({
    consumerTypes: [
      { name: 'INSTANCE', consumerCount: 16 },
      { name: 'MIGRATION', consumerCount: 8 },
    ],
  });
  expect(statements).toHaveLength(2);
});

test('aggregates, by uuid, with their members: all, with members, or without', async () => {
  const rack = { uuid: RACK, resourceProviders: { nodes: [{ name: 'a' }, { name: 'b' }], totalCount: 2 } };
  const zone = { uuid: ZONE, resourceProviders: { nodes: [{ name: 'b' }], totalCount: 1 } };
  const empty = { uuid: EMPTY, resourceProviders: { nodes: [], totalCount: 0 } };
  const selection = 'uuid resourceProviders { nodes { name } totalCount }';
  const filters = ['{}', '{ associated: true }', '{ associated: false }'].map(
    (filter) => `filter: ${filter}`,
  );
  const lists = [[rack, zone, empty], [rack, zone], [empty]];
  expect(await readLists('aggregates', selection, filters)).toEqual(lists);
  const read = () => readLists('aggregates', selection, ['first: 100']);
  expect(await api.statements(read)).toHaveLength(4);
});

test('projects are listed by id, with their consumers and the amounts of usages', async () => {
  const selection = 'usages { resourceClass { name } used }';
  let projects: object[] = [];
  const read = () => readLists<object>('projects', `projectId consumerCount ${selection}`, ['first: 100']);
  expect(await api.statements(async () => void ([projects] = await read()))).toHaveLength(4);
  const { p, q } = await api.read<Record<string, object>>(
    `{ p: usages(projectId: "p") { ${selection} } q: usages(projectId: "q") { ${selection} } }`,
  );
  expect(projects).toEqual([
    { projectId: 'p', consumerCount: 20, ...p },
    { projectId: 'q', consumerCount: 20, ...q },
  ]);
});
