import { Option, type Command } from 'commander';
import {
  ShowProjectUsageDocument,
  ShowProviderUsageDocument,
  ShowTotalsDocument,
  TopTreesDocument,
  type FleetGrouping,
  type TotalFieldsFragment,
} from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { wholeNumber } from '../arguments/amounts.js';
import { known, providerBy } from '../arguments/providers.js';
import type { Client } from '../connection/client.js';
import { Failure } from '../connection/failure.js';
import { allPages } from '../connection/pages.js';
import { list, percent, type Output } from '../output/output.js';

interface UsageOptions {
  readonly project?: string;
  readonly user?: string;
  readonly type?: string;
  readonly by?: string;
}

const GROUPINGS = ['tree', 'aggregate', 'trait'];

export function addUsageCommands(program: Command): void {
  addCommand(
    program,
    'usage [provider]',
    'what is used of each class: of a provider, by a project, or of the fleet',
  )
    .option('--project <id>', 'by the consumers of this project')
    .option('--user <id>', 'only those of this user; with --project')
    .option('--type <type>', 'only those of this type; with --project')
    .addOption(new Option('--by <group>', 'tell parts of the fleet apart').choices(GROUPINGS))
    .action(action(usage));
  addCommand(program, 'top [class]', 'the fullest trees, by use of a class (VCPU)')
    .option('--limit <number>', 'how many', wholeNumber(1), 10)
    .option('--least', 'the emptiest in place of the fullest')
    .action(action(top));
}

async function usage(client: Client, options: UsageOptions, provider?: string): Promise<Output> {
  const { project, user, type, by } = options;
  const subjects = [provider, project, by].filter((each) => each !== undefined);
  if (subjects.length > 1)
    throw Failure.usage('name a provider, or --project, or --by, and not several of them');
  if (project === undefined && (user !== undefined || type !== undefined))
    throw Failure.usage('--user and --type are given together with --project');
  if (provider !== undefined) return ofProvider(client, provider);
  if (project !== undefined) return ofProject(client, project, user, type);
  return ofFleet(client, by?.toUpperCase() as FleetGrouping | undefined);
}

async function ofProvider(client: Client, text: string): Promise<Output> {
  const { resourceProvider } = await client.run(ShowProviderUsageDocument, { by: providerBy(text) });
  return list(known(resourceProvider, text).usages, {
    class: (each) => each.resourceClass.name,
    used: (each) => each.used,
  });
}

async function ofProject(
  client: Client,
  projectId: string,
  userId?: string,
  consumerType?: string,
): Promise<Output> {
  const { usages } = await client.run(ShowProjectUsageDocument, { projectId, userId, consumerType });
  const rows = (usages ?? []).flatMap((each) =>
    each.usages.map((of) => ({ type: each.consumerType, ...of })),
  );
  const { blocks } = list(rows, {
    type: (each) => each.type ?? 'unknown',
    class: (each) => each.resourceClass.name,
    used: (each) => each.used,
  });
  return { data: usages, blocks };
}

const totalColumns = {
  class: (each: TotalFieldsFragment) => each.resourceClass.name,
  used: (each: TotalFieldsFragment) => each.used,
  capacity: (each: TotalFieldsFragment) => each.capacity,
  free: (each: TotalFieldsFragment) => each.available,
  utilization: (each: TotalFieldsFragment) => percent(each.utilization),
};

async function ofFleet(client: Client, groupBy?: FleetGrouping): Promise<Output> {
  const totals = await totalsOf(client, { groupBy });
  if (groupBy === undefined) return list(totals, totalColumns);
  return list(totals, {
    [groupBy.toLowerCase()]: (each: TotalFieldsFragment) => each.group,
    ...totalColumns,
  });
}

function totalsOf(client: Client, variables: { groupBy?: FleetGrouping }) {
  return allPages(
    async (page) => (await client.run(ShowTotalsDocument, { ...variables, ...page })).fleetTotals,
  );
}

async function top(
  client: Client,
  { limit, least = false }: { limit: number; least?: boolean },
  resourceClass = 'VCPU',
): Promise<Output> {
  const direction = least ? 'ASC' : 'DESC';
  const roots = await allPages(
    async (page) =>
      (await client.run(TopTreesDocument, { resourceClass, direction, ...page })).resourceProviders,
    limit,
  );
  const rows = roots.flatMap(({ treeTotals, ...root }) => treeTotals.map((total) => ({ ...root, ...total })));
  return list(rows, { root: (each) => each.name, ...totalColumns });
}
