import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useLiveQuery } from '../../../api/useLiveQuery';
import { useViewer } from '../../../api/viewer';
import { useNameInPath } from '../../../components/addressState';
import { EmptyState, ErrorState, LoadingState } from '../../../components/states';
import { ViewHead } from '../../../components/viewHead';
import { isConsumerUuid } from '../../../components/uuid';
import {
  ConsumerChangesDocument,
  ConsumerDocument,
  type ConsumerChangesSubscription,
} from '../../../generated/consumers/operations';
import { AllocationPanel } from './allocationPanel';
import type { Consumer } from './consumer';
import { ConsumerFacts } from './consumerFacts';
import { ConsumerTree } from './consumerTree';
import { History, type HeardChange } from './history';
import { MovePanel } from './move/movePanel';
import { AllocationList, ReleaseButton } from './releaseButton';
import '../consumers.css';

const MOST_CHANGES = 50;

/** A consumer: its allocations and changes, and the actions on it. */
export default function ConsumerView() {
  const uuid = useNameInPath();
  return isConsumerUuid(uuid) ? (
    <ConsumerOf key={uuid} uuid={uuid} />
  ) : (
    <div className="view">
      <ViewHead title={uuid} />
      <EmptyState title="This is not the UUID of a consumer.">
        <Link href="/consumers">To the consumers</Link>
      </EmptyState>
    </div>
  );
}

function ConsumerOf({ uuid }: { readonly uuid: string }) {
  const { may } = useViewer();
  const [released, setReleased] = useState<Consumer | null>(null);
  const [changes, setChanges] = useState<readonly HeardChange[]>([]);
  const { data, error, status } = useLiveQuery({
    query: ConsumerDocument,
    variables: useMemo(() => ({ uuid }), [uuid]),
    events: ConsumerChangesDocument,
    eventVariables: useMemo(() => ({ consumer: uuid }), [uuid]),
    onEvent: ({ consumerChanged: change }: ConsumerChangesSubscription) =>
      setChanges((before) => [{ change, at: new Date().toISOString() }, ...before].slice(0, MOST_CHANGES)),
  });
  const consumer = data?.consumer;
  return (
    <div className="view consumer">
      <ViewHead title={uuid} status={status}>
        {consumer && may('allocate') && <ReleaseButton consumer={consumer} onReleased={setReleased} />}
      </ViewHead>
      {error ? (
        <ErrorState error={error} />
      ) : data === undefined ? (
        <LoadingState />
      ) : (
        <>
          {consumer ? <Details consumer={consumer} /> : <NoConsumer released={released} />}
          <History changes={changes} />
        </>
      )}
    </div>
  );
}

function Details({ consumer }: { readonly consumer: Consumer }) {
  const { may } = useViewer();
  return (
    <>
      <ConsumerFacts consumer={consumer} />
      <div className="consumer-columns">
        <div className="consumer-main">
          <AllocationPanel allocations={consumer.allocations} />
          <ConsumerTree allocations={consumer.allocations} />
        </div>
        {may('allocate') && <MovePanel consumer={consumer} />}
      </div>
    </>
  );
}

function NoConsumer({ released }: { readonly released: Consumer | null }) {
  return (
    <div className="panel">
      {released && (
        <div role="status" className="released">
          <p>Released:</p>
          <AllocationList allocations={released.allocations} />
        </div>
      )}
      <EmptyState title="This consumer does not exist: it has no allocations.">
        <Link href="/consumers">To the consumers</Link>
      </EmptyState>
    </div>
  );
}
