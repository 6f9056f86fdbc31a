import { useEffect, useState, type FormEvent } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { describe } from '../../api/client';
import { useLiveQuery } from '../../api/useLiveQuery';
import { useAddress } from '../../components/addressState';
import { Bar } from '../../components/bar';
import { DataTable, type Column, type Sorting } from '../../components/dataTable';
import { FailureText } from '../../components/failureText';
import { formatAmount, formatCount, formatSize } from '../../components/format';
import { SearchBox } from '../../components/searchBox';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { ViewHead } from '../../components/viewHead';
import {
  ConsumerChangesDocument,
  ProjectsDocument,
  ProjectUsagesDocument,
  type OwnerOrderInput,
  type ProjectsQuery,
  type ProjectUsagesQuery,
} from '../../generated/consumers/operations';
import { Pager } from './pager';
import { directionOf, pageOf, useSorting } from './paging';
import './consumers.css';

type Projects = NonNullable<ProjectsQuery['projects']>;
type Project = Projects['nodes'][number];
type Usages = NonNullable<ProjectUsagesQuery['projects']>['nodes'];

/** The prefix of the keys of resource class columns. */
const USED = 'used:';

const ALL_CHANGES = {};

/** All projects with the use of their consumers. */
export default function ProjectsView() {
  const [address] = useAddress();
  const [sorting, sort] = useSorting('id');
  const variables = { orderBy: orderOf(sorting), ...pageOf(address) };
  const { data, error, status } = useLiveQuery({
    query: ProjectsDocument,
    variables,
    events: ConsumerChangesDocument,
    eventVariables: ALL_CHANGES,
  });
  // the sums of large projects take seconds, so a separate query reads them after the names
  const [{ data: sums, error: sumsError }, readSums] = useQuery({
    query: ProjectUsagesDocument,
    variables,
    pause: true,
  });
  useEffect(() => {
    if (data) readSums({ requestPolicy: 'network-only' });
  }, [data, readSums]);
  return (
    <div className="view">
      <ViewHead title="Projects" status={status}>
        <ProjectSearch />
      </ViewHead>
      {error ? (
        <ErrorState error={error} />
      ) : data?.projects ? (
        <>
          {sumsError && <FailureText failure={describe(sumsError)} />}
          <ProjectTable
            projects={data.projects}
            usages={sums?.projects?.nodes ?? []}
            hasFailed={sumsError !== undefined}
            sorting={sorting}
            onSort={sort}
          />
        </>
      ) : (
        <LoadingState />
      )}
    </div>
  );
}

/** Returns the order by a column. A column of a class sorts by the usage of the class. */
function orderOf(sorting: Sorting): OwnerOrderInput[] {
  const { key } = sorting;
  const direction = directionOf(sorting);
  if (key === 'id') return [{ id: direction }];
  if (key === 'consumerCount') return [{ consumerCount: direction }];
  return [{ used: { direction, resourceClass: key.slice(USED.length) } }];
}

function ProjectSearch() {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') navigate(`/projects/${encodeURIComponent(text.trim())}`);
  };
  return (
    <form role="search" onSubmit={submit}>
      <SearchBox label="Project to open" value={text} onChange={setText} />
    </form>
  );
}

interface ProjectTableProps {
  readonly projects: Projects;
  /** Empty until the query of the usages has returned. */
  readonly usages: Usages;
  /** Whether the query of the usages has failed. */
  readonly hasFailed: boolean;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

function ProjectTable({
  projects: { nodes, totalCount, pageInfo },
  usages,
  hasFailed,
  ...sort
}: ProjectTableProps) {
  const known = new Set(usages.map(({ projectId }) => projectId));
  const isLoading = !hasFailed && nodes.some(({ projectId }) => !known.has(projectId));
  return (
    <section className="panel" aria-labelledby="projects">
      <div className="panel-head">
        <h2 id="projects">{formatCount(totalCount ?? nodes.length, 'project')}</h2>
        <span className="muted" role="status">
          {isLoading && 'Loading the use of each class …'}
        </span>
        <Pager ends={pageInfo} />
      </div>
      {nodes.length === 0 ? (
        <EmptyState title="No project has consumers." />
      ) : (
        <DataTable
          caption="Projects"
          columns={columnsOf(usages, isLoading)}
          rows={nodes}
          keyOf={({ projectId }) => projectId}
          {...sort}
        />
      )}
    </section>
  );
}

/** A column for each class that any of the projects uses, or one that stands for them while they load. */
function columnsOf(all: Usages, isLoading: boolean): readonly Column<Project>[] {
  const classes = new Set(all.flatMap(({ usages }) => usages.map(({ resourceClass }) => resourceClass.name)));
  const used = new Map(
    all.flatMap(({ projectId, usages }) =>
      usages.map((usage) => [`${projectId} ${usage.resourceClass.name}`, usage.used]),
    ),
  );
  const known = new Set(all.map(({ projectId }) => projectId));
  const limitsOf = new Map(all.map((each) => [each.projectId, <QuotaBars key={each.projectId} {...each} />]));
  const hasLimits = all.some(({ quotas, quotaGroup }) => quotas.length > 0 || quotaGroup != null);
  const number = { isNumber: true, isSortable: true } as const;
  return [
    {
      key: 'id',
      title: 'Project',
      isSortable: true,
      cell: ({ projectId }) => <Link href={`/projects/${encodeURIComponent(projectId)}`}>{projectId}</Link>,
    },
    {
      key: 'consumerCount',
      title: 'Consumers',
      ...number,
      cell: ({ consumerCount }) => formatAmount(consumerCount),
    },
    ...(hasLimits
      ? [{ key: 'quotas', title: 'Quotas', cell: ({ projectId }: Project) => limitsOf.get(projectId) }]
      : []),
    ...(isLoading && classes.size === 0
      ? [{ key: 'use', title: 'Use', isNumber: true, cell: () => 'loading …' }]
      : []),
    ...Array.from(classes)
      .sort()
      .map((name) => ({
        key: USED + name,
        title: name,
        ...number,
        cell: ({ projectId }: Project) =>
          known.has(projectId) ? formatSize(name, used.get(`${projectId} ${name}`) ?? 0) : '…',
      })),
  ];
}

/** Shows the usage of the limits of a project and of its group. */
function QuotaBars({ quotas, quotaGroup }: Pick<Usages[number], 'quotas' | 'quotaGroup'>) {
  const own = quotas.map((quota) => ({ ...quota, owner: '' }));
  const ofGroup = (quotaGroup?.quotas ?? []).map((quota) => ({ ...quota, owner: ` in ${quotaGroup!.name}` }));
  return (
    <div className="quota-bars">
      {[...own, ...ofGroup].map(({ resourceClass, limit, used, owner }) => {
        const what = resourceClass?.name ?? 'consumers';
        const left = Math.max(0, limit - (used ?? 0));
        const detail = `${formatSize(what, left)} left${owner}`;
        return (
          <Bar key={what + owner} resourceClass={what} used={used ?? 0} capacity={limit} detail={detail} />
        );
      })}
    </div>
  );
}
