import { readUsageReport, type UsageReport } from '../consumer/usages.js';
import type { RestAnswer, RestRequest } from './answer.js';
import { has } from './microversion.js';

/** The name of consumers without a type, and of all consumers. */
export const UNTYPED = 'unknown';
const ALL = 'all';

/** Shows what the consumers of a project use: in total, and from 1.38 by their type. */
export async function total({ query, version, context }: RestRequest): Promise<RestAnswer> {
  const last = (name: string): string | null => query.getAll(name).at(-1) ?? null;
  const report = await readUsageReport(context.database, {
    projectId: last('project_id')!,
    userId: last('user_id'),
  });
  const usages = has.consumerTypes(version) ? byType(report, last('consumer_type')) : amountsOf(report);
  return { status: 200, body: { usages }, lastModified: new Date() };
}

type Usages = Pick<UsageReport, 'usages' | 'consumerCount'>;

function amountsOf({ usages }: Pick<Usages, 'usages'>): Record<string, number> {
  return Object.fromEntries(usages.map(({ resourceClass, used }) => [resourceClass, used]));
}

function byType(report: UsageReport, wanted: string | null): object {
  const groups: (readonly [type: string, usages: Usages])[] =
    wanted === ALL
      ? [[ALL, report]]
      : report.byType.map((usages) => [usages.type ?? UNTYPED, usages] as const);
  const shown = groups.filter(([type, { consumerCount }]) => consumerCount > 0 && (wanted ?? type) === type);
  return Object.fromEntries(
    shown.map(([type, usages]) => [type, { consumer_count: usages.consumerCount, ...amountsOf(usages) }]),
  );
}
