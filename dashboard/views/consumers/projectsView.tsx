import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { useLiveQuery } from '../../api/useLiveQuery';
import { useAddress } from '../../components/addressState';
import { DataTable, type Column, type Sorting } from '../../components/dataTable';
import { formatAmount, formatCount } from '../../components/format';
import { LiveMark } from '../../components/liveMark';
import { SearchBox } from '../../components/searchBox';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import {
  ConsumerChangesDocument,
  ProjectsDocument,
  type OwnerOrderInput,
  type ProjectsQuery,
} from '../../generated/consumers/operations';
import { Pager } from './pager';
import { directionOf, pageOf, useSorting } from './paging';
import './consumers.css';

type Projects = NonNullable<ProjectsQuery['projects']>;
type Project = Projects['nodes'][number];

/** Begins the keys of columns of resource classes. */
const USED = 'USED:';

const ALL_CHANGES = {};

/** All projects, with what their consumers take together. */
export default function ProjectsView() {
  const [address] = useAddress();
  const [sorting, sort] = useSorting('ID');
  const { data, error, status } = useLiveQuery({
    query: ProjectsDocument,
    variables: { orderBy: orderOf(sorting), ...pageOf(address) },
    events: ConsumerChangesDocument,
    eventVariables: ALL_CHANGES,
  });
  return (
    <div className="view">
      <div className="view-head">
        <h1>Projects</h1>
        <ProjectSearch />
        <span className="end">
          <LiveMark status={status} />
        </span>
      </div>
      {error ? (
        <ErrorState error={error} />
      ) : data?.projects ? (
        <ProjectTable projects={data.projects} sorting={sorting} onSort={sort} />
      ) : (
        <LoadingState />
      )}
    </div>
  );
}

/** An order by a column of a class is by how much is used of the class. */
function orderOf(sorting: Sorting): OwnerOrderInput[] {
  const { key } = sorting;
  const direction = directionOf(sorting);
  if (key === 'ID' || key === 'AGE' || key === 'CONSUMER_COUNT') return [{ field: key, direction }];
  return [{ field: 'USED', direction, resourceClass: key.slice(USED.length) }];
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
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

function ProjectTable({ projects: { nodes, totalCount, pageInfo }, ...sort }: ProjectTableProps) {
  return (
    <section className="panel" aria-labelledby="projects">
      <div className="panel-head">
        <h2 id="projects">{formatCount(totalCount ?? nodes.length, 'project')}</h2>
        <Pager ends={pageInfo} />
      </div>
      {nodes.length === 0 ? (
        <EmptyState title="There are no projects." />
      ) : (
        <DataTable
          caption="Projects"
          columns={columnsOf(nodes)}
          rows={nodes}
          keyOf={({ projectId }) => projectId}
          {...sort}
        />
      )}
    </section>
  );
}

/** A column for each class that any of the projects uses. */
function columnsOf(projects: readonly Project[]): readonly Column<Project>[] {
  const classes = new Set(
    projects.flatMap(({ usages }) => usages.map(({ resourceClass }) => resourceClass.name)),
  );
  const number = { isNumber: true, isSortable: true } as const;
  return [
    {
      key: 'ID',
      title: 'Project',
      isSortable: true,
      cell: ({ projectId }) => <Link href={`/projects/${encodeURIComponent(projectId)}`}>{projectId}</Link>,
    },
    {
      key: 'CONSUMER_COUNT',
      title: 'Consumers',
      ...number,
      cell: ({ consumerCount }) => formatAmount(consumerCount),
    },
    ...Array.from(classes)
      .sort()
      .map((name) => ({
        key: USED + name,
        title: name,
        ...number,
        cell: ({ usages }: Project) =>
          formatAmount(usages.find(({ resourceClass }) => resourceClass.name === name)?.used ?? 0),
      })),
  ];
}
