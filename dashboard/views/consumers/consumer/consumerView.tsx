import { useMemo, useState } from 'react';
import { Link, useParams } from 'wouter';
import { useLiveQuery } from '../../../api/useLiveQuery';
import { LiveMark } from '../../../components/liveMark';
import { EmptyState, ErrorState, LoadingState } from '../../../components/states';
import { isUuid } from '../../../components/uuid';
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
import { ReleaseButton } from './releaseButton';
import '../consumers.css';

const MOST_CHANGES = 50;

/** One consumer: what it has and where, what happens to it, and what can be done with it. */
export default function ConsumerView() {
  const { consumer: uuid = '' } = useParams<{ consumer: string }>();
  return isUuid(uuid) ? (
    <ConsumerOf key={uuid} uuid={uuid} />
  ) : (
    <div className="view">
      <h1>{uuid}</h1>
      <EmptyState title="A consumer has a UUID, and this is none.">
        <Link href="/consumers">To the consumers</Link>
      </EmptyState>
    </div>
  );
}

function ConsumerOf({ uuid }: { readonly uuid: string }) {
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
      <div className="view-head">
        <h1>
          <code>{uuid}</code>
        </h1>
        <span className="end">
          <LiveMark status={status} />
        </span>
        {consumer && <ReleaseButton consumer={consumer} />}
      </div>
      {error ? (
        <ErrorState error={error} />
      ) : data === undefined ? (
        <LoadingState />
      ) : (
        <>
          {consumer ? <Details consumer={consumer} /> : <NoConsumer />}
          <History changes={changes} />
        </>
      )}
    </div>
  );
}

function Details({ consumer }: { readonly consumer: Consumer }) {
  return (
    <>
      <ConsumerFacts consumer={consumer} />
      <div className="consumer-columns">
        <div className="consumer-main">
          <AllocationPanel allocations={consumer.allocations} />
          <ConsumerTree allocations={consumer.allocations} />
        </div>
        <MovePanel consumer={consumer} />
      </div>
    </>
  );
}

function NoConsumer() {
  return (
    <div className="panel">
      <EmptyState title="There is no such consumer: nothing is allocated to it.">
        <Link href="/consumers">To the consumers</Link>
      </EmptyState>
    </div>
  );
}
