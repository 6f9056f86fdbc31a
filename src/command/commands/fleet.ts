import * as api from '../../generated/client/operations.js';
import { groupName, readProvider } from '../arguments.js';
import type { Client } from '../client.js';
import { command, listCommand, type Command } from '../command.js';
import { deviceTables, isOfDevices } from '../devices.js';
import { Failure } from '../failure.js';
import { choice, choices, flag, LIMIT, number, text } from '../options.js';
import { isForPeople, list, percent, tableOf, type Output } from '../output.js';
import { indented } from './provider.js';

const utilizationOf = ({ utilization }: { utilization?: number | null }): string =>
  utilization == null ? '-' : percent(utilization);

const USED = { class: 'resourceClass.name', used: 'used' };
const TOTALS = { ...USED, capacity: 'capacity', free: 'available', utilization: utilizationOf };

type Total = api.TotalFieldsFragment;

const groupOf = ({ group }: Total): string | undefined => (group ? groupName(group) : undefined);

const listOf = ({ fleetTotals }: api.ShowTotalsQuery) => fleetTotals;

/** Shows the usage of a project by type, and its named workloads. */
function projectUsage({ usages, workloads }: api.ShowProjectUsageQuery): Output {
  const rows = usages!.byType.flatMap(({ type, usages: all }) => all.map((of) => ({ type, ...of })));
  const { blocks } = list(rows, { type: 'type.name', ...USED });
  const named = workloads!.nodes.flatMap(({ name, members }) =>
    members.map((member) => ({ workload: name, member: member.name, consumers: member.consumerCount })),
  );
  return { data: usages, blocks: named.length === 0 ? blocks : [...blocks, tableOf(named)] };
}

export const USAGE_COMMANDS: readonly Command[] = [
  command(
    'usage [provider]',
    'show the usage by class: of a provider and its descendants, of a project, or of the fleet',
    {
      projectId: text('--project <id>', 'the usage of this project'),
      userId: text('--user <id>', 'only its consumers of this user'),
      groupBy: choice<api.FleetGrouping>('--by <group>', 'divide the fleet into groups', {
        TREE: true,
        AGGREGATE: true,
        TRAIT: true,
      }),
      limit: LIMIT,
    },
    async (client, { projectId, userId, groupBy, limit }, provider?: string) => {
      if ([provider, projectId, groupBy].filter((each) => each !== undefined).length > 1)
        throw Failure.usage('name a provider, or --project, or --by, and not several of them');
      if (projectId === undefined && userId !== undefined)
        throw Failure.usage('--user is given together with --project');
      if (provider !== undefined)
        return usageOf(client, await readProvider(client, api.ShowTreeUsageDocument, provider));
      if (projectId !== undefined) {
        return projectUsage(await client.run(api.ShowProjectUsageDocument, { projectId, userId }));
      }
      const totals = { document: api.ShowTotalsDocument, variables: { groupBy }, listOf };
      const columns = groupBy === undefined ? TOTALS : { [groupBy.toLowerCase()]: groupOf, ...TOTALS };
      return { pages: client.pages(totals, limit), columns };
    },
  ),
  command(
    'top [class]',
    'list the fullest trees by the utilization of a class (VCPU)',
    {
      limit: number('--limit <number>', 'number of trees or groups', 1, 10),
      least: flag('--least', 'list the emptiest instead'),
      by: choice<'TREE' | 'ZONE' | 'RACK'>(
        '--by <group>',
        'list groups: zones are aggregates with a name, racks those without',
        { TREE: true, ZONE: true, RACK: true },
        'tree',
      ),
    },
    async (client, { limit, least, by }, resourceClass: string = 'VCPU') => {
      const direction: api.OrderDirection = least ? 'ASC' : 'DESC';
      if (by === 'TREE') {
        const trees = {
          document: api.TopTreesDocument,
          variables: { resourceClass, direction },
          listOf: ({ resourceProviders }: api.TopTreesQuery) => resourceProviders,
        };
        const roots = await client.all(trees, limit);
        const rows = roots.flatMap(({ treeTotals, ...root }) =>
          treeTotals.map((each) => ({ ...root, ...each })),
        );
        return list(rows, { root: 'name', ...TOTALS });
      }
      const isListed = ({ group }: Total): boolean =>
        group?.__typename === 'Aggregate' && (group.aggregateName === null) === (by === 'RACK');
      const groupBy: api.FleetGrouping = 'AGGREGATE';
      const variables = { groupBy, filter: { resourceClass }, orderBy: [{ utilization: direction }] };
      const rows: Total[] = [];
      for await (const page of client.pages({ document: api.ShowTotalsDocument, variables, listOf })) {
        rows.push(...page.rows.filter(isListed));
        if (rows.length >= limit) break;
      }
      return list(rows.slice(0, limit), { [by!.toLowerCase()]: groupOf, ...TOTALS });
    },
  ),
];

/**
 * Shows the inventories of a provider and of its descendants. For people, tables of the devices replace the partitions and
 * slices.
 */
async function usageOf(
  client: Client,
  { descendants, ...top }: NonNullable<api.ShowTreeUsageQuery['resourceProvider']>,
): Promise<Output> {
  const nodes = [top, ...descendants];
  const hasDevices = isForPeople(client.format) && nodes.some(hasCounters);
  const rows = nodes.flatMap((node) =>
    node.inventories
      .filter((each) => !hasDevices || !isOfDevices(node, each))
      .map((each) => ({ uuid: node.uuid, name: node.name, parent: node.parent, ...each })),
  );
  const data = nodes.flatMap(({ uuid, name, inventories }) =>
    inventories.map((each) => ({ resourceProvider: { uuid, name }, ...each })),
  );
  const { blocks, names } = list(
    rows,
    { provider: indented(nodes, client.format), ...TOTALS },
    'no inventories',
  );
  if (!hasDevices) return { data, blocks, names };
  const consumers = await client.all({
    document: api.ListConsumersDocument,
    variables: { filter: { inTree: { uuid: top.uuid } } },
    listOf: (found: api.ListConsumersQuery) => found.consumers,
  });
  return { data, blocks: [...(rows.length > 0 ? blocks : []), ...deviceTables(nodes, consumers)], names };
}

const hasCounters = ({ inventories }: api.TreeUsageFragment): boolean =>
  inventories.some(({ isCounter }) => isCounter);

export const AUDIT = listCommand(
  'audit',
  'list inconsistencies of the stored data; findings are no failure',
  {
    checks: choices<api.AuditCheck>('--check <check>', 'only these checks', {
      BROKEN_TREE: true,
      DANGLING_ALLOCATION: true,
      EMPTY_CONSUMER: true,
      LOST_COUNTER: true,
      LOST_REQUEST: true,
      MISSING_CONSUMPTION: true,
      OVER_CAPACITY: true,
      QUOTA_USAGE: true,
      SEVERAL_TREES: true,
      UNIT_VIOLATION: true,
      UNKNOWN_REFERENCE: true,
      UUID_SPELLING: true,
    }),
  },
  (variables) => ({
    document: api.AuditDocument,
    variables,
    listOf: ({ audit }: api.AuditQuery) => audit,
    columns: { check: 'check', finding: 'message' },
    none: 'no findings',
  }),
);
