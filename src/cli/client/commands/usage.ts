import { Option, type Command } from 'commander';
import {
  AuditDocument,
  ShowProjectUsageDocument,
  ShowProviderUsageDocument,
  ShowTotalsDocument,
  TopTreesDocument,
  type AuditCheck,
  type FleetGrouping,
  type TotalFieldsFragment,
} from '../../../generated/client/operations.js';
import { collect, readProvider, wholeNumber } from '../arguments.js';
import type { Client } from '../client.js';
import { addCommand } from '../command.js';
import { Failure } from '../failure.js';
import { list, type Output } from '../output.js';

interface UsageOptions {
  readonly project?: string;
  readonly user?: string;
  readonly type?: string;
  readonly by?: string;
}

const USAGE = { class: 'resourceClass.name', used: 'used' };
const TOTALS = {
  ...USAGE,
  capacity: 'capacity',
  free: 'available',
  utilization: ({ utilization }: TotalFieldsFragment) =>
    utilization == null ? '-' : `${(utilization * 100).toFixed(1)}%`,
};

export function addUsageCommands(program: Command): void {
  addCommand(
    program,
    'usage [provider]',
    'show the usage by class: of a provider, of a project, or of the fleet',
    [
      ['--project <id>', 'the usage of this project'],
      ['--user <id>', 'only its consumers of this user'],
      ['--type <type>', 'only its consumers of this type'],
      new Option('--by <group>', 'divide the fleet into groups').choices(['tree', 'aggregate', 'trait']),
    ],
    usage,
  );
  addCommand(
    program,
    'top [class]',
    'list the fullest trees by the utilization of a class (VCPU)',
    [
      ['--limit <number>', 'number of trees', wholeNumber(1), 10],
      ['--least', 'list the emptiest trees instead'],
    ],
    async (client, { limit, least }: { limit: number; least?: boolean }, resourceClass: string = 'VCPU') => {
      const variables = { resourceClass, direction: least ? ('ASC' as const) : ('DESC' as const) };
      const roots = await client.pages(TopTreesDocument, variables, (data) => data.resourceProviders, limit);
      const rows = roots.flatMap(({ treeTotals, ...root }) =>
        treeTotals.map((total) => ({ ...root, ...total })),
      );
      return list(rows, { root: 'name', ...TOTALS });
    },
  );
}

export function addAuditCommand(program: Command): void {
  const toCheck = (text: string): AuditCheck => text.toUpperCase().replaceAll('-', '_') as AuditCheck;
  addCommand(
    program,
    'audit',
    'list inconsistencies of the stored data; findings are no failure',
    [['--check <check>', 'only this check, such as over-capacity; repeatable', collect(toCheck)]],
    async (client, { check: checks }: { check?: AuditCheck[] }) => {
      const findings = await client.pages(AuditDocument, { checks }, (data) => data.audit);
      return list(findings, { check: 'check', finding: 'message' }, 'nothing is wrong');
    },
  );
}

async function usage(client: Client, options: UsageOptions, provider?: string): Promise<Output> {
  const { project: projectId, user: userId, type: consumerType, by } = options;
  if ([provider, projectId, by].filter((each) => each !== undefined).length > 1)
    throw Failure.usage('name a provider, or --project, or --by, and not several of them');
  if (projectId === undefined && (userId !== undefined || consumerType !== undefined))
    throw Failure.usage('--user and --type are given together with --project');
  if (provider !== undefined)
    return list((await readProvider(client, ShowProviderUsageDocument, provider)).usages, USAGE);
  if (projectId !== undefined) {
    const { usages } = await client.run(ShowProjectUsageDocument, { projectId, userId, consumerType });
    const rows = usages.flatMap((each) =>
      each.usages.map((of) => ({ type: each.consumerType ?? 'unknown', ...of })),
    );
    return { data: usages, blocks: list(rows, { type: 'type', ...USAGE }).blocks };
  }
  const groupBy = by?.toUpperCase() as FleetGrouping | undefined;
  const totals = await client.pages(ShowTotalsDocument, { groupBy }, ({ fleetTotals }) => fleetTotals);
  return list(totals, by === undefined ? TOTALS : { [by]: 'group', ...TOTALS });
}
