import { Link } from 'wouter';
import { askedFor } from '../../components/askedFor';
import { DataTable, type Column } from '../../components/dataTable';
import { formatAmount, formatCount, formatTime } from '../../components/format';
import { ProjectLink } from '../../components/projectLink';
import { EmptyState } from '../../components/states';
import type { HostQuery } from '../../generated/host/operations';

export type TreeConsumers = NonNullable<HostQuery['resourceProvider']>['root']['treeConsumers'];
type Consumer = TreeConsumers['nodes'][number];

/** The consumers with allocations in the tree, with all their allocations. */
export function ConsumerTable({ consumers }: { readonly consumers: TreeConsumers }) {
  const { nodes, totalCount } = consumers;
  return (
    <section className="panel" aria-labelledby="consumers">
      <h2 id="consumers">
        {formatCount(totalCount ?? nodes.length, 'consumer')}
        {totalCount !== null && totalCount > nodes.length && (
          <span className="muted"> · the oldest {formatAmount(nodes.length)} of them</span>
        )}
      </h2>
      {nodes.length === 0 ? (
        <EmptyState title="No consumer has allocations on this host." />
      ) : (
        <DataTable caption="Consumers" columns={COLUMNS} rows={nodes} keyOf={({ uuid }) => uuid} />
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Consumer>[] = [
  {
    key: 'consumer',
    title: 'Consumer',
    cell: ({ uuid }) => (
      <Link href={`/consumers/${uuid}`}>
        <code>{uuid}</code>
      </Link>
    ),
  },
  { key: 'type', title: 'Type', cell: ({ type }) => type?.name ?? 'none' },
  {
    key: 'takes',
    title: 'Uses',
    isLong: true,
    cell: ({ allocations }) => allocations.map(amountOf).join(', '),
  },
  { key: 'of', title: 'Providers', isLong: true, cell: ({ allocations }) => providersOf(allocations) },
  {
    key: 'project',
    title: 'Project',
    cell: ({ projectId }) => <ProjectLink id={projectId} />,
  },
  { key: 'user', title: 'User', cell: ({ userId }) => userId },
  { key: 'workload', title: 'Workload', cell: ({ workload }) => workload?.name ?? '' },
  {
    key: 'asked',
    title: 'Asked for',
    isLong: true,
    cell: ({ request }) =>
      request && `${askedFor(request.input)}${request.isOutdated ? ' (has other amounts now)' : ''}`,
  },
  { key: 'created', title: 'Created', cell: ({ createdAt }) => formatTime(createdAt) },
];

const amountOf = ({ amount, resourceClass }: Consumer['allocations'][number]): string =>
  `${formatAmount(amount)} ${resourceClass.name}`;

const providersOf = (allocations: Consumer['allocations']): string =>
  Array.from(new Set(allocations.flatMap(({ resourceProvider }) => resourceProvider?.name ?? []))).join(', ');
