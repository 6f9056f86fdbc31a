import { Fragment } from 'react';
import { Link } from 'wouter';
import { useViewer } from '../../api/viewer';
import { DataTable, type Column, type Sorting } from '../../components/dataTable';
import { HostLink } from '../../components/destination';
import { formatAmounts, formatCount, formatTime } from '../../components/format';
import { ProjectLink } from '../../components/projectLink';
import { EmptyState } from '../../components/states';
import type { ConsumersQuery } from '../../generated/consumers/operations';
import { amountsIn, sumByClass } from '../../components/amounts';
import { NO_TYPE } from './consumerSearch';
import { Pager } from './pager';

type Consumers = NonNullable<ConsumersQuery['consumers']>;
type Consumer = Consumers['nodes'][number];

interface ConsumerTableProps {
  readonly consumers: Consumers;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  /** Whether all consumers use one class, so that its amounts can sort them. */
  readonly isOfClass: boolean;
}

/** A page of consumers with their amounts and hosts. */
export function ConsumerTable({ consumers, sorting, onSort, isOfClass }: ConsumerTableProps) {
  const { nodes, totalCount, pageInfo } = consumers;
  const { may } = useViewer();
  return (
    <section className="panel" aria-labelledby="consumers">
      <div className="panel-head">
        <h2 id="consumers">{formatCount(totalCount ?? nodes.length, 'consumer')}</h2>
        <Pager ends={pageInfo} />
      </div>
      {nodes.length === 0 ? (
        <EmptyState title="No consumer matches." />
      ) : (
        <DataTable
          caption="Consumers"
          columns={columnsOf(isOfClass, may('hosts'))}
          rows={nodes}
          keyOf={({ uuid }) => uuid}
          sorting={sorting}
          onSort={onSort}
        />
      )}
    </section>
  );
}

function columnsOf(isOfClass: boolean, hasHosts: boolean): readonly Column<Consumer>[] {
  const columns: readonly Column<Consumer>[] = [
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
      key: 'type',
      title: 'Type',
      isSortable: true,
      cell: ({ type }) => type?.name ?? NO_TYPE,
    },
    {
      key: 'projectId',
      title: 'Project',
      isSortable: true,
      cell: ({ projectId }) => <ProjectLink id={projectId} />,
    },
    { key: 'userId', title: 'User', isSortable: true, cell: ({ userId }) => userId },
    {
      key: 'used',
      title: 'Uses',
      isLong: true,
      isSortable: isOfClass,
      cell: ({ allocations }) => formatAmounts(amountsIn(sumByClass(allocations))),
    },
    {
      key: 'hosts',
      title: 'Hosts',
      isLong: true,
      cell: ({ allocations }) => <Roots allocations={allocations} />,
    },
    { key: 'age', title: 'Created', isSortable: true, cell: ({ createdAt }) => formatTime(createdAt) },
    {
      key: 'updatedAt',
      title: 'Changed',
      isSortable: true,
      cell: ({ updatedAt }) => formatTime(updatedAt),
    },
  ];
  return hasHosts ? columns : columns.filter(({ key }) => key !== 'hosts');
}

function Roots({ allocations }: Pick<Consumer, 'allocations'>) {
  const names = new Set(allocations.flatMap(({ resourceProvider }) => resourceProvider?.root.name ?? []));
  return Array.from(names, (name, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <HostLink name={name} />
    </Fragment>
  ));
}
