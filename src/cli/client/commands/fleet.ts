import * as api from '../../../generated/client/operations.js';
import { readProvider } from '../arguments.js';
import { command, type Command } from '../command.js';
import { Failure } from '../failure.js';
import { asEnum, choice, flag, number, text, texts } from '../options.js';
import { list } from '../output.js';

const USAGE = { class: 'resourceClass.name', used: 'used' };
const TOTALS = {
  ...USAGE,
  capacity: 'capacity',
  free: 'available',
  utilization: ({ utilization }: api.TotalFieldsFragment) =>
    utilization == null ? '-' : `${(utilization * 100).toFixed(1)}%`,
};

function groupOf({ group }: api.TotalFieldsFragment): string | undefined {
  return group?.__typename === 'Aggregate' ? (group.aggregateName ?? group.uuid) : group?.name;
}

export const USAGE_COMMANDS: readonly Command[] = [
  command(
    'usage [provider]',
    'show the usage by class: of a provider, of a project, or of the fleet',
    {
      projectId: text('--project <id>', 'the usage of this project'),
      userId: text('--user <id>', 'only its consumers of this user'),
      groupBy: choice<api.FleetGrouping>('--by <group>', 'divide the fleet into groups', [
        'tree',
        'aggregate',
        'trait',
      ]),
    },
    async (client, { projectId, userId, groupBy }, provider?: string) => {
      if ([provider, projectId, groupBy].filter((each) => each !== undefined).length > 1)
        throw Failure.usage('name a provider, or --project, or --by, and not several of them');
      if (projectId === undefined && userId !== undefined)
        throw Failure.usage('--user is given together with --project');
      if (provider !== undefined)
        return list((await readProvider(client, api.ShowProviderUsageDocument, provider)).usages, USAGE);
      if (projectId !== undefined) {
        const { usages } = await client.run(api.ShowProjectUsageDocument, { projectId, userId });
        const rows = usages!.byType.flatMap(({ type, usages: all }) => all.map((of) => ({ type, ...of })));
        return { data: usages, blocks: list(rows, { type: 'type.name', ...USAGE }).blocks };
      }
      const totals = await client.pages(api.ShowTotalsDocument, { groupBy }, (data) => data.fleetTotals);
      return list(totals, groupBy === undefined ? TOTALS : { [groupBy.toLowerCase()]: groupOf, ...TOTALS });
    },
  ),
  command(
    'top [class]',
    'list the fullest trees by the utilization of a class (VCPU)',
    {
      limit: number('--limit <number>', 'number of trees', 1, 10),
      least: flag('--least', 'list the emptiest trees instead'),
    },
    async (client, { limit, least }, resourceClass: string = 'VCPU') => {
      const variables = { resourceClass, direction: least ? ('ASC' as const) : ('DESC' as const) };
      const document = api.TopTreesDocument;
      const roots = await client.pages(document, variables, (data) => data.resourceProviders, limit);
      const rows = roots.flatMap(({ treeTotals, ...root }) =>
        treeTotals.map((total) => ({ ...root, ...total })),
      );
      return list(rows, { root: 'name', ...TOTALS });
    },
  ),
];

export const AUDIT = command(
  'audit',
  'list inconsistencies of the stored data; findings are no failure',
  {
    checks: texts(
      '--check <check>',
      'only this check, such as over-capacity; repeatable',
      asEnum<api.AuditCheck>,
    ),
  },
  async (client, { checks }) => {
    const findings = await client.pages(api.AuditDocument, { checks }, (data) => data.audit);
    return list(findings, { check: 'check', finding: 'message' }, 'nothing is wrong');
  },
);
