import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { getNamedType, isObjectType } from 'graphql';
import { useApi } from '../support/api.js';
import { buildSchema } from '../../src/api/schema.js';
import { claimed, claimInput, requestOf } from '../support/claims.js';
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
  'Query.aggregates': ['list: aggregates($)', 'list: aggregates(filter: { associated: true }, $)'],
  'Query.consumers': [
    'list: consumers($)',
    'list: consumers(filter: { userId: "user-0" }, $)',
    `list: consumers(filter: { inTree: { name: "h 0" }, ${VCPU} }, $)`,
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
  'Query.quotas': [
    'list: quotas($)',
    'list: quotas(orderBy: [{ share: DESC }, { limit: ASC }], $)',
    'list: quotas(orderBy: { used: ASC }, $)',
    'list: quotas(filter: { projectId: "project-0" }, orderBy: { resourceClass: DESC }, $)',
  ],
  'Query.workloads': ['list: workloads($)', 'list: workloads(projectId: "project-0", $)'],
  'FleetOwner.trees': ['owner: fleetOwners { list: trees($) #}'],
  'FleetOwner.resourceProviders': ['owner: fleetOwners { list: resourceProviders($) #}'],
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

/** Six hosts with some equal figures, at least seven consumers of h0, findings of three checks; roots of an owner. */
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
  await written('applyProviderTrees', {
    owner: 'fleet',
    trees: [1, 2, 3, 4].map((at) => ({ name: `owned ${at}` })),
  });
  for (const [at, name] of ['w 2', 'w 0', 'w 1', 'w 0'].entries()) {
    const owner = { projectId: `project-${at === 3 ? 1 : 0}`, userId: 'user-0' };
    const input = claimInput(requestOf({ VCPU: 1 }), [{ consumer: randomUUID(), ...owner }]);
    await written('claim', { ...input, workload: { name } });
  }
  const limits = ['VCPU', 'DISK_GB', null].map((resourceClass) => ({ resourceClass, limit: 100 }));
  await written('setQuotas', {
    projects: [0, 1].map((at) => ({ projectId: `project-${at}`, limits: limits.slice(at) })),
    groups: [{ group: 'team', projects: ['project-1', 'project-2'], limits }],
    defaults: limits,
  });
}, 60_000);

async function written(field: string, input: object): Promise<void> {
  const { __typename: type, message } = await api.mutate<{ __typename: string; message?: string }>(
    field,
    input,
  );
  if (!type.endsWith('Payload')) throw new Error(message);
}

/** Two of these fields cost too much for one document. */
const COSTLY = ['Query.audit', 'ConsumerType.consumers'];

type Owned = { readonly list: Page<object> };
type Lists = Readonly<Record<string, Page<object> | Owned | Owned[]>>;

/** What tells the objects of a list apart. */
const NODES: Readonly<Record<string, string>> = {
  Allocation: 'amount consumer { uuid } resourceClass { name }',
  AuditFinding: 'check message',
  Quota: 'kind limit resourceClass { name } project { projectId } group { name }',
  Workload: 'name projectId',
  FleetTotal: 'group { __typename ... on ResourceProvider { name } } resourceClass { name }',
  Project: 'projectId',
  User: 'userId',
};

/** Asks for a list once for each text of arguments, as the fields p0, p1, ... */
async function ask(list: string, path: string, args: readonly string[]) {
  const { field } = fields.find((each) => each.path === path)!;
  const node = NODES[getNamedType(field.type).name.replace('Connection', '')] ?? 'uuid';
  const selection = `{ edges { cursor node { ${node} } } nodes { ${node} } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const parts = args.map((each, at) =>
    (list.includes('#') ? list : `${list} #`)
      .replace(/^\w+/, `p${at}`)
      .replace('$', each)
      .replace('#', selection),
  );
  const documents = COSTLY.includes(path) ? parts : [parts.join(' ')];
  const answers = [];
  for (const document of documents) answers.push(await api.query<Lists>(`{ ${document} }`));
  return {
    data: Object.assign({}, ...answers.map(({ data }) => data)) as Lists,
    errors: answers.flatMap(({ errors = [] }) => errors),
  };
}

async function pages(list: string, path: string, ...args: string[]): Promise<Page<object>[]> {
  const { data, errors } = await ask(list, path, args);
  expect(errors).toEqual([]);
  return args.map((_, at) => {
    const [found] = [data[`p${at}`]].flat();
    const page = 'list' in found ? found.list : found;
    expect(page.nodes).toEqual(page.edges.map(({ node }) => node));
    expect(page.pageInfo).toMatchObject({
      startCursor: page.edges[0]?.cursor ?? null,
      endCursor: page.edges.at(-1)?.cursor ?? null,
    });
    return page;
  });
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
  const [{ edges: whole }] = await pages(list, path, 'first: 1000');
  expect(whole.length).toBeGreaterThan(2);
  expect(new Set(whole.map(({ cursor }) => cursor)).size).toBe(whole.length);
  const between = `first: 100, after: "${whole[0].cursor}", before: "${whole.at(-1)!.cursor}"`;
  const [inner, none] = await pages(list, path, between, 'first: 0');
  expect(inner.edges).toEqual(whole.slice(1, -1));
  expect(none).toMatchObject({
    edges: [],
    totalCount: whole.length,
    pageInfo: { hasNextPage: true, hasPreviousPage: false },
  });
  const size = Math.max(2, Math.ceil(whole.length / 4));
  const [front, back]: (typeof whole)[number][][] = [[], []];
  for (let after = '', before = '', isEnd = false; !isEnd;) {
    const [next, previous] = await pages(list, path, `first: ${size}${after}`, `last: ${size}${before}`);
    const isBegin = front.length === 0;
    front.push(...next.edges);
    back.unshift(...previous.edges);
    isEnd = front.length === whole.length;
    expect(next).toMatchObject({
      totalCount: whole.length,
      pageInfo: { hasPreviousPage: !isBegin, hasNextPage: !isEnd },
    });
    expect(previous).toMatchObject({
      totalCount: whole.length,
      pageInfo: { hasPreviousPage: !isEnd, hasNextPage: !isBegin },
    });
    expect(next.edges.length).toBeGreaterThan(0);
    after = `, after: "${next.pageInfo.endCursor}"`;
    before = `, before: "${previous.pageInfo.startCursor}"`;
  }
  expect([front, back]).toEqual([whole, whole]);
});

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

const INVALID = [
  ...['first: -1', 'first: 1001', 'last: -1', 'last: 1001'],
  'before: "nonsense", last: 1',
  ...['nonsense', '', encoded('[1,2]'), encoded('id:1x'), encoded('another:5')].map((at) => `after: "${at}"`),
];

test.each(cases)('%s: bad sizes and cursors are INVALID_INPUT', async (list, path) => {
  const { errors } = await ask(list, path, INVALID);
  const found = errors.map((error) => [error.path![0], error.extensions.code, error.extensions.path]);
  const expected = INVALID.map((args, at) => [`p${at}`, 'INVALID_INPUT', [args.split(':')[0]]]);
  expect(Object.fromEntries(found.map((each) => [each[0], each]))).toEqual(
    Object.fromEntries(expected.map((each) => [each[0], each])),
  );
});
