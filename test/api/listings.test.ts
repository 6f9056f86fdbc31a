import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi, type Answer } from '../support/api.js';
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

const PAGE = 'totalCount pageInfo { hasNextPage hasPreviousPage endCursor }';

/** Reads a list page by page, and checks that the pages fit together. */
async function readAll<T>(
  list: string,
  selection: string,
  filter: object | undefined,
  first: number,
): Promise<T[]> {
  const all: T[] = [];
  for (let after: string | null = null, more = true; more;) {
    const declared =
      filter === undefined ? '' : `, $filter: ${list[0].toUpperCase()}${list.slice(1, -1)}Filter`;
    const answer: Answer<Record<string, Page<T>>> = await api.query(
      `query ($first: Int, $after: String${declared}) {
         ${list}(first: $first, after: $after${filter === undefined ? '' : ', filter: $filter'}) { nodes { ${selection} } ${PAGE} }
       }`,
      { first, after, filter },
    );
    expect(answer.errors).toBeUndefined();
    const page = answer.data[list];
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    all.push(...page.nodes);
    ({ hasNextPage: more, endCursor: after } = page.pageInfo);
    expect(page.nodes.length).toBe(more ? first : page.totalCount - (all.length - page.nodes.length));
  }
  return all;
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

const consumersOf = async (filter: Filter, first = 100) => {
  const inTree = filter.inTree && { uuid: uuids[filter.inTree] ?? filter.inTree };
  const found = await readAll<{ uuid: string }>('consumers', 'uuid', { ...filter, inTree }, first);
  return found.map(({ uuid }) => uuid);
};

describe('consumers', () => {
  const some = <K extends string, V>(key: K, values: readonly V[]): Partial<Record<K, V>>[] => [
    {},
    ...values.map((value) => ({ [key]: value }) as Record<K, V>),
  ];
  const filters: Filter[] = some('projectId', ['p']).flatMap((project) =>
    some('userId', ['u', 'v']).flatMap((user) =>
      some('type', [{ name: 'INSTANCE' }, { name: 'MIGRATION' }, { none: true as const }]).flatMap((type) =>
        some('inTree', ['a1', 'ss']).flatMap((tree) =>
          some('resourceClass', ['VGPU', 'DISK_GB']).map((one) => ({
            ...project,
            ...user,
            ...type,
            ...tree,
            ...one,
          })),
        ),
      ),
    ),
  );

  test('meet every condition of a filter, the oldest first: all 216 combinations', async () => {
    expect(filters).toHaveLength(216);
    for (const filter of filters) {
      const expected = known.filter((each) => meets(each, filter)).map(({ uuid }) => uuid);
      expect([filter, await consumersOf(filter)]).toEqual([filter, expected]);
    }
  });

  test('page by page, of any size', async () => {
    for (const filter of [{}, { userId: 'v' }, { inTree: 'b', resourceClass: 'VCPU' }]) {
      const expected = known.filter((each) => meets(each, filter)).map(({ uuid }) => uuid);
      for (const first of [1, 7, 40]) expect(await consumersOf(filter, first)).toEqual(expected);
    }
  });

  test('of a project, user, type or tree that nobody knows there are none', async () => {
    for (const filter of [
      { projectId: 'nobody' },
      { userId: 'nobody' },
      { type: { name: 'NOTHING' } },
      { inTree: 'cccccccc-0000-4000-8000-000000000009' },
      { projectId: 'p', userId: 'nobody', resourceClass: 'VCPU' },
    ]) {
      expect(await consumersOf(filter)).toEqual([]);
    }
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

describe('aggregates', () => {
  const selection = 'uuid resourceProviders { nodes { name } totalCount }';
  const rack = { uuid: RACK, resourceProviders: { nodes: [{ name: 'a' }, { name: 'b' }], totalCount: 2 } };
  const zone = { uuid: ZONE, resourceProviders: { nodes: [{ name: 'b' }], totalCount: 1 } };
  const empty = { uuid: EMPTY, resourceProviders: { nodes: [], totalCount: 0 } };

  test('by uuid, with their members, page by page of any size', async () => {
    for (const first of [1, 2, 3, 100]) {
      expect(await readAll('aggregates', selection, undefined, first)).toEqual([rack, zone, empty]);
    }
  });

  test('with members, or without', async () => {
    expect(await readAll('aggregates', selection, { associated: true }, 1)).toEqual([rack, zone]);
    expect(await readAll('aggregates', selection, { associated: false }, 1)).toEqual([empty]);
    expect(await readAll('aggregates', selection, {}, 10)).toHaveLength(3);
  });

  test('take a bounded number of statements', async () => {
    expect(await api.statements(() => readAll('aggregates', selection, undefined, 100))).toHaveLength(4);
  });
});

describe('projects', () => {
  const selection = 'projectId consumerCount usages { resourceClass { name } used }';

  test('by id, with their consumers and what those use, as usages says it', async () => {
    for (const first of [1, 2, 3]) {
      const projects = await readAll<{ projectId: string; consumerCount: number; usages: unknown }>(
        'projects',
        selection,
        undefined,
        first,
      );
      expect(projects.map(({ projectId, consumerCount }) => [projectId, consumerCount])).toEqual([
        ['p', 20],
        ['q', 20],
      ]);
      const { data } = await api.query<{ usages: { usages: unknown } }>(
        '{ usages(projectId: "p") { usages { resourceClass { name } used } } }',
      );
      expect(projects[0].usages).toEqual(data.usages.usages);
    }
  });

  test('take a bounded number of statements', async () => {
    expect(await api.statements(() => readAll('projects', selection, undefined, 100))).toHaveLength(4);
  });
});
