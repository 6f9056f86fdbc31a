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

export const USAGE_COMMANDS: readonly Command[] = [
  command(
    'usage [provider]',
    'show the usage by class: of a provider, of a project, or of the fleet',
    {
      projectId: text('--project <id>', 'the usage of this project'),
      userId: text('--user <id>', 'only its consumers of this user'),
      consumerType: text('--type <type>', 'only its consumers of this type'),
      groupBy: choice<api.FleetGrouping>('--by <group>', 'divide the fleet into groups', [
        'tree',
        'aggregate',
        'trait',
      ]),
    },
    async (client, { projectId, userId, consumerType, groupBy }, provider?: string) => {
      if ([provider, projectId, groupBy].filter((each) => each !== undefined).length > 1)
        throw Failure.usage('name a provider, or --project, or --by, and not several of them');
      if (projectId === undefined && (userId !== undefined || consumerType !== undefined))
        throw Failure.usage('--user and --type are given together with --project');
      if (provider !== undefined)
        return list((await readProvider(client, api.ShowProviderUsageDocument, provider)).usages, USAGE);
      if (projectId !== undefined) {
        const variables = { projectId, userId, consumerType };
        const { usages } = await client.run(api.ShowProjectUsageDocument, variables);
        const rows = usages.flatMap((each) =>
          each.usages.map((of) => ({ type: each.consumerType ?? 'unknown', ...of })),
        );
        return { data: usages, blocks: list(rows, { type: 'type', ...USAGE }).blocks };
      }
      const totals = await client.pages(api.ShowTotalsDocument, { groupBy }, (data) => data.fleetTotals);
      return list(totals, groupBy === undefined ? TOTALS : { [groupBy]: 'group', ...TOTALS });
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
