import { useMemo } from 'react';
import { useLiveQuery } from '../../api/useLiveQuery';
import { useAddress, useNameInPath } from '../../components/addressState';
import { DataTable, type Column } from '../../components/dataTable';
import { formatAmount, formatSize } from '../../components/format';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { ViewHead } from '../../components/viewHead';
import {
  ConsumerChangesDocument,
  ProjectDocument,
  type ProjectQuery,
} from '../../generated/consumers/operations';
import { consumerOrder, STANDARD_ORDER } from './consumerOrder';
import { NO_TYPE } from './consumerSearch';
import { ConsumerTable } from './consumerTable';
import { pageOf, useSorting } from './paging';
import './consumers.css';

/** The use of a project by the types of its consumers, and its consumers. */
export default function ProjectView() {
  const projectId = useNameInPath();
  const [address] = useAddress();
  const [sorting, sort] = useSorting(STANDARD_ORDER);
  const { data, error, status } = useLiveQuery({
    query: ProjectDocument,
    variables: { projectId, orderBy: consumerOrder(sorting), ...pageOf(address) },
    events: ConsumerChangesDocument,
    eventVariables: useMemo(() => ({ projectId }), [projectId]),
  });
  return (
    <div className="view">
      <ViewHead title={projectId} status={status}>
        <span className="muted">project</span>
      </ViewHead>
      {error ? (
        <ErrorState error={error} />
      ) : data?.usages && data.consumers ? (
        <>
          <UsageTable usages={data.usages.byType} />
          <ConsumerTable consumers={data.consumers} sorting={sorting} onSort={sort} isOfClass={false} />
        </>
      ) : (
        <LoadingState />
      )}
    </div>
  );
}

type TypeUsage = NonNullable<ProjectQuery['usages']>['byType'][number];
type ClassUsage = TypeUsage['usages'][number];

interface UsageRow extends ClassUsage {
  readonly type: string;
  readonly count: number;
}

function UsageTable({ usages }: { readonly usages: readonly TypeUsage[] }) {
  const rows = usages.flatMap(({ type, consumerCount, usages: classes }) =>
    classes.map((one) => ({ ...one, type: type?.name ?? NO_TYPE, count: consumerCount })),
  );
  const columns: readonly Column<UsageRow>[] = [
    { key: 'type', title: 'Type', cell: ({ type }) => type },
    { key: 'count', title: 'Consumers', isNumber: true, cell: ({ count }) => formatAmount(count) },
    { key: 'class', title: 'Resource class', cell: ({ resourceClass }) => resourceClass.name },
    {
      key: 'used',
      title: 'Used',
      isNumber: true,
      cell: ({ resourceClass, used }) => formatSize(resourceClass.name, used),
    },
  ];
  return (
    <section className="panel" aria-labelledby="usage">
      <h2 id="usage">Use</h2>
      {rows.length === 0 ? (
        <EmptyState title="The project uses nothing." />
      ) : (
        <DataTable
          caption="Use by type"
          columns={columns}
          rows={rows}
          keyOf={({ type, resourceClass }) => `${type} ${resourceClass.name}`}
        />
      )}
    </section>
  );
}
