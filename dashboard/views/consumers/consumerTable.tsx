import { Link } from 'wouter';
import { DataTable, type Column, type Sorting } from '../../components/dataTable';
import { formatAmount, formatCount, formatTime } from '../../components/format';
import { ProjectLink } from '../../components/projectLink';
import { EmptyState } from '../../components/states';
import type { ConsumersQuery } from '../../generated/consumers/operations';
import { sumByClass } from './amounts';
import { NO_TYPE } from './consumerSearch';
import { Pager } from './pager';

type Consumers = NonNullable<ConsumersQuery['consumers']>;
type Consumer = Consumers['nodes'][number];

interface ConsumerTableProps {
  readonly consumers: Consumers;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  /** Whether consumers are of one class, by whose amounts they can be sorted. */
  readonly isOfClass: boolean;
}

/** A page of consumers, with what they take and where. */
export function ConsumerTable({ consumers, sorting, onSort, isOfClass }: ConsumerTableProps) {
  const { nodes, totalCount, pageInfo } = consumers;
  return (
    <section className="panel" aria-labelledby="consumers">
      <div className="panel-head">
        <h2 id="consumers">{formatCount(totalCount ?? nodes.length, 'consumer')}</h2>
        <Pager ends={pageInfo} />
      </div>
      {nodes.length === 0 ? (
        <EmptyState title="There are no such consumers." />
      ) : (
        <DataTable
          caption="Consumers"
          columns={columnsOf(isOfClass)}
          rows={nodes}
          keyOf={({ uuid }) => uuid}
          sorting={sorting}
          onSort={onSort}
        />
      )}
    </section>
  );
}

function columnsOf(isOfClass: boolean): readonly Column<Consumer>[] {
  return [
    {
      key: 'consumer',
      title: 'Consumer',
      cell: ({ uuid }) => (
        <Link href={`/consumers/${uuid}`}>
          <code>{uuid}</code>
        </Link>
      ),
    },
    {
      key: 'CONSUMER_TYPE',
      title: 'Type',
      isSortable: true,
      cell: ({ type }) => type?.name ?? NO_TYPE,
    },
    {
      key: 'PROJECT_ID',
      title: 'Project',
      isSortable: true,
      cell: ({ projectId }) => <ProjectLink id={projectId} />,
    },
    { key: 'USER_ID', title: 'User', isSortable: true, cell: ({ userId }) => userId },
    {
      key: 'USED',
      title: 'Takes',
      isSortable: isOfClass,
      cell: ({ allocations }) =>
        Array.from(sumByClass(allocations), ([name, amount]) => `${formatAmount(amount)} ${name}`).join(', '),
    },
    { key: 'of', title: 'Of', cell: ({ allocations }) => <Roots allocations={allocations} /> },
    { key: 'AGE', title: 'Created', isSortable: true, cell: ({ createdAt }) => formatTime(createdAt) },
    {
      key: 'UPDATED_AT',
      title: 'Changed',
      isSortable: true,
      cell: ({ updatedAt }) => formatTime(updatedAt),
    },
  ];
}

function Roots({ allocations }: Pick<Consumer, 'allocations'>) {
  const names = new Set(allocations.flatMap(({ resourceProvider }) => resourceProvider?.root.name ?? []));
  return Array.from(names, (name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <Link href={`/hosts/${encodeURIComponent(name)}`}>{name}</Link>
    </span>
  ));
}
