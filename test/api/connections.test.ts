import { beforeAll, expect, test } from '@jest/globals';
import { useApi, type Answer } from '../support/api.js';
import { getNamedType, isObjectType } from 'graphql';
import { buildSchema } from '../../src/schema/schema.js';
import { claimed } from '../support/claims.js';
import { createProviders, insertAllocation } from '../support/createProviders.js';
import type { Page } from '../support/shapes.js';

/*
 * Every field of the schema that gives a connection, found by reflection, is walked forwards and backwards: the laws are the same for
 * all of them.
 */

const schema = buildSchema();

/** A field that gives a connection, as `Type.field`. */
const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type)
    ? Object.values(type.getFields()).flatMap((field) => {
        const target = getNamedType(field.type);
        return isObjectType(target) && 'pageInfo' in target.getFields()
          ? [{ path: `${type.name}.${field.name}`, field }]
          : [];
      })
    : [],
);

const ZONE = 'aaaaaaaa-0000-4000-8000-000000000001';
const VCPU = 'resourceClass: "VCPU"';

/** How to ask for each of them, with more arguments in place of `$`; several orders of one field are several lists. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'Query.resourceProviders': [
    'list: resourceProviders($)',
    `list: resourceProviders(orderBy: [{ utilization: { ${VCPU}, direction: DESC } }], $)`,
    `list: resourceProviders(orderBy: [{ treeUsed: { ${VCPU} } }, { name: DESC }], $)`,
    'list: resourceProviders(orderBy: { createdAt: ASC }, $)',
    'list: resourceProviders(filter: { nameContains: "h" }, $)',
    'list: resourceProviders(filter: { hasTraitInTree: "HW_NUMA_ROOT" }, $)',
  ],
  'Query.aggregates': ['list: aggregates($)'],
  'Query.consumers': [
    'list: consumers($)',
    `list: consumers(orderBy: [{ used: { ${VCPU}, direction: DESC } }], $)`,
    `list: consumers(orderBy: [{ type: DESC }, { projectId: ASC }], $)`,
    'list: consumers(orderBy: [{ updatedAt: ASC }, { userId: ASC }, { age: DESC }], $)',
  ],
  'Query.projects': [
    'list: projects($)',
    'list: projects(orderBy: { consumerCount: DESC }, $)',
    `list: projects(orderBy: [{ used: { ${VCPU} } }, { age: ASC }], $)`,
  ],
  'Query.users': ['list: users($)', 'list: users(orderBy: { id: DESC }, $)'],
  'Query.fleetTotals': [
    'list: fleetTotals(groupBy: TREE, $)',
    'list: fleetTotals(groupBy: TREE, orderBy: [{ utilization: ASC }, { capacity: DESC }], $)',
  ],
  'Query.audit': ['list: audit($)'],
  'Trait.resourceProviders': ['owner: trait(name: "HW_NUMA_ROOT") { list: resourceProviders($) #}'],
  'Aggregate.resourceProviders': [
    `owner: aggregate(by: { uuid: "${ZONE}" }) { list: resourceProviders($) #}`,
  ],
  'ResourceProvider.allocations': [
    'owner: resourceProvider(by: { name: "h 0" }) { list: allocations($) #}',
    `owner: resourceProvider(by: { name: "h 0" }) { list: allocations(${VCPU}, consumerType: { name: "INSTANCE" }, $) #}`,
  ],
  'Project.consumers': [
    'owner: project(projectId: "project-0") { list: consumers($) #}',
    `owner: project(projectId: "project-0") { list: consumers(orderBy: [{ used: { ${VCPU} } }], $) #}`,
  ],
  'User.consumers': [
    'owner: user(userId: "user-0") { list: consumers($) #}',
    'owner: user(userId: "user-0") { list: consumers(orderBy: { age: DESC }, $) #}',
  ],
  'ConsumerType.consumers': [
    'owner: consumerTypes { list: consumers($) #}',
    'owner: consumerTypes { list: consumers(orderBy: { projectId: DESC }, $) #}',
  ],
  'ResourceProvider.treeConsumers': [
    'owner: resourceProvider(by: { name: "h 0" }) { list: treeConsumers($) #}',
  ],
};

const { api, database } = useApi({ hasBackground: false });

/** Six hosts with some equal figures, seven consumers of h0, findings of three checks. */
beforeAll(async () => {
  for (let at = 5; at >= 0; at--) {
    const uuids = await createProviders(api, {
      name: `h ${at}`,
      inventories: { VCPU: 8 + 8 * (at % 2), ...(at < 2 && { DISK_GB: 100 }) },
      traits: at > 0 ? ['HW_NUMA_ROOT'] : [],
      aggregates: [ZONE, `aaaaaaaa-0000-4000-8000-00000000001${at}`],
      children: at === 3 ? [{ name: 'h3-child' }] : [],
    });
    for (let consumer = 0; consumer < (at === 0 ? 7 : 1); consumer++)
      await claimed(
        api,
        { [uuids[`h ${at}`]]: { VCPU: 1 + (at % 3), ...(consumer === 2 && { DISK_GB: 5 }) } },
        {
          projectId: `project-${(at + consumer) % 3}`,
          userId: `user-${consumer}`,
          consumerType: consumer % 2 === 0 ? 'INSTANCE' : null,
        },
      );
    if (at > 2) await insertAllocation(database, uuids[`h ${at}`], 'VCPU', 20);
  }
}, 60_000);

interface Lists {
  readonly list?: Page<object>;
  readonly owner?: { list: Page<object> } | { list: Page<object> }[];
}

/** What tells the objects of a list apart. */
const NODES: Readonly<Record<string, string>> = {
  Allocation: 'amount consumer { uuid } resourceClass { name }',
  AuditFinding: 'check message',
  FleetTotal: 'group { __typename ... on ResourceProvider { name } } resourceClass { name }',
  Project: 'projectId',
  User: 'userId',
};

function ask(list: string, path: string, args: string): Promise<Answer<Lists>> {
  const { field } = fields.find((each) => each.path === path)!;
  const node = getNamedType(field.type).name.replace('Connection', '');
  const selection = `{ edges { cursor node { ${NODES[node] ?? 'uuid'} } } nodes { ${NODES[node] ?? 'uuid'} } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const document = list.includes('#')
    ? list.replace('$', args).replace('#', selection)
    : `${list.replace('$', args)} ${selection}`;
  return api.query<Lists>(`{ ${document} }`);
}

async function page(list: string, path: string, args: string): Promise<Page<object>> {
  const { data, errors } = await ask(list, path, args);
  expect(errors).toBeUndefined();
  const found = data.list ?? [data.owner!].flat()[0].list;
  expect(found.nodes).toEqual(found.edges.map(({ node }) => node));
  expect(found.pageInfo).toMatchObject({
    startCursor: found.edges[0]?.cursor ?? null,
    endCursor: found.edges.at(-1)?.cursor ?? null,
  });
  return found;
}

test.each(fields.map(({ path, field }) => [path, field] as const))(
  '%s can be read from either end',
  (path, field) => {
    const args = field.args.map(({ name }) => name);
    expect(args).toEqual(expect.arrayContaining(['first', 'after', 'last', 'before']));
    expect(LISTS[path]).toBeDefined(); // a new connection needs a line there
  },
);

const cases = Object.entries(LISTS).flatMap(([path, lists]) => lists.map((list) => [list, path] as const));

test.each(cases)('%s: the pages from the front and from the back are the same list', async (list, path) => {
  const whole = (await page(list, path, 'first: 1000')).edges;
  expect(whole.length).toBeGreaterThan(2);
  expect(new Set(whole.map(({ cursor }) => cursor)).size).toBe(whole.length);
  expect((await page(list, path, 'last: 1000')).edges).toEqual(whole);
  const size = Math.max(2, Math.ceil(whole.length / 4));
  for (const isForwards of [true, false]) {
    const seen: object[] = [];
    for (let bound = ''; ;) {
      const { edges, pageInfo, totalCount } = await page(
        list,
        path,
        `${isForwards ? 'first' : 'last'}: ${size}${bound}`,
      );
      expect(totalCount).toBe(whole.length);
      expect(isForwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(seen.length > 0);
      seen.splice(isForwards ? seen.length : 0, 0, ...edges);
      if (!(isForwards ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break;
      bound = isForwards ? `, after: "${edges.at(-1)!.cursor}"` : `, before: "${edges[0].cursor}"`;
    }
    expect(seen).toEqual(whole);
  }
  const between = `first: 1000, after: "${whole[0].cursor}", before: "${whole.at(-1)!.cursor}"`;
  expect((await page(list, path, between)).edges).toEqual(whole.slice(1, -1));
});

test.each(cases)('%s: an empty page tells whether there is more', async (list, path) => {
  const { edges, totalCount, pageInfo } = await page(list, path, 'first: 0');
  expect({ edges, pageInfo }).toMatchObject({
    edges: [],
    pageInfo: { hasNextPage: true, hasPreviousPage: false },
  });
  expect(totalCount).toBeGreaterThan(2);
});

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

test.each(cases)('%s: bad sizes and cursors are INVALID_INPUT', async (list, path) => {
  for (const [args, argument] of [
    ['first: -1', 'first'],
    ['first: 1001', 'first'],
    ['last: -1', 'last'],
    ['last: 1001', 'last'],
    ['last: 1, before: "nonsense"', 'before'],
    ...['nonsense', '', encoded('[1,2]'), encoded('id:1x'), encoded('another:5')].map((cursor) => [
      `after: "${cursor}"`,
      'after',
    ]),
  ]) {
    const { errors } = await ask(list, path, args);
    expect([args, errors?.[0]]).toMatchObject([
      args,
      { extensions: { code: 'INVALID_INPUT', path: [argument] } },
    ]);
  }
});
