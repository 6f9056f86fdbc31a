import { useMemo } from 'react';
import { useLiveQuery } from '../../api/useLiveQuery';
import { useAddress } from '../../components/addressState';
import { ErrorState, LoadingState } from '../../components/states';
import { ViewHead } from '../../components/viewHead';
import {
  ConsumerChangesDocument,
  ConsumersDocument,
  type ConsumerFilter,
} from '../../generated/consumers/operations';
import { consumerOrder, STANDARD_ORDER } from './consumerOrder';
import { ConsumerSearch, NO_TYPE } from './consumerSearch';
import { ConsumerTable } from './consumerTable';
import { pageOf, useSorting } from './paging';
import './consumers.css';

/** Lists the consumers that match the filter of the address, page by page. */
export default function ConsumersView() {
  const [address] = useAddress();
  const filter = useMemo(() => filterOf(address), [address]);
  const [sorting, sort] = useSorting(STANDARD_ORDER);
  const { projectId, resourceClass } = filter;
  const { data, error, status } = useLiveQuery({
    query: ConsumersDocument,
    variables: { filter, orderBy: consumerOrder(sorting, resourceClass), ...pageOf(address) },
    events: ConsumerChangesDocument,
    eventVariables: useMemo(() => ({ projectId }), [projectId]),
  });
  return (
    <div className="view">
      <ViewHead title="Consumers" status={status} />
      <ConsumerSearch key={address.toString()} />
      {error ? (
        <ErrorState error={error} />
      ) : data?.consumers ? (
        <ConsumerTable
          consumers={data.consumers}
          sorting={sorting}
          onSort={sort}
          isOfClass={resourceClass !== undefined}
        />
      ) : (
        <LoadingState />
      )}
    </div>
  );
}

function filterOf(address: URLSearchParams) {
  const part = (name: string): string | undefined => address.get(name) ?? undefined;
  const [host, type] = [part('host'), part('type')];
  return {
    projectId: part('project'),
    userId: part('user'),
    type: type === undefined ? undefined : type === NO_TYPE ? { none: true } : { name: type },
    inTree: host === undefined ? undefined : { name: host },
    resourceClass: part('class'),
  } satisfies ConsumerFilter;
}
