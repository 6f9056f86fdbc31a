import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { CopyText } from '../../components/copyText';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { CandidatesDocument } from '../../generated/place/operations';
import { CandidateList } from './candidateList';
import { ClaimPanel } from './claimPanel';
import { graphqlText } from './graphqlText';
import { HeadroomText } from './headroomText';
import { readRequest, writeRequest } from './placeAddress';
import { inputOf, type PlaceRequest } from './placeRequest';
import { RequestEditor } from './requestEditor';
import { WhyNot } from './whyNot';
import './place.css';

/** How many candidates are shown at first. */
const SHOWN = 6;

/** Builds a request, shows where it could go or why nowhere, and claims it. */
export default function PlaceView() {
  const [address, setAddress] = useSearchParams();
  const request = useMemo(() => readRequest(address), [address]);
  const limit = Math.max(Number(address.get('limit')) || SHOWN, 1);
  const isComplete = request.groups.some(({ resources }) => resources.length > 0);
  const change = (next: PlaceRequest): void => setAddress(writeRequest(next), { replace: true });
  const showMore = (): void =>
    setAddress(
      (before) => {
        const after = new URLSearchParams(before);
        after.set('limit', String(limit * 4));
        return after;
      },
      { replace: true },
    );
  return (
    <div className="view">
      <div className="view-head">
        <h1>Place it</h1>
      </div>
      <div className="place">
        <RequestEditor request={request} onRequest={change} />
        <div className="place-answer">
          {isComplete ? (
            <Answer request={request} limit={limit} onMore={showMore} />
          ) : (
            <div className="panel">
              <EmptyState title="Add a resource to a group.">As VCPU:4.</EmptyState>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

interface AnswerProps {
  readonly request: PlaceRequest;
  readonly limit: number;
  readonly onMore: () => void;
}

function Answer({ request, limit, onMore }: AnswerProps) {
  const input = useMemo(() => inputOf(request), [request]);
  const [{ data, error, fetching }, search] = useQuery({
    query: CandidatesDocument,
    variables: useMemo(() => ({ request: input, limit }), [input, limit]),
    requestPolicy: 'cache-and-network',
  });
  const candidates = data?.allocationCandidates;
  return (
    <>
      <div className="panel place-summary">
        {error ? <p className="failed">This cannot be asked.</p> : <HeadroomText request={input} />}
        <button
          type="button"
          className="small"
          disabled={fetching}
          onClick={() => search({ requestPolicy: 'network-only' })}
        >
          Search again
        </button>
      </div>
      {error ? (
        <div className="panel">
          <ErrorState error={error} />
        </div>
      ) : candidates ? (
        <>
          <ClaimPanel request={input} />
          {candidates.allocationRequests.length === 0 ? (
            <WhyNot request={input} />
          ) : (
            <CandidateList candidates={candidates} onMore={onMore} />
          )}
        </>
      ) : (
        <LoadingState />
      )}
      <section className="panel" aria-labelledby="graphql">
        <h2 id="graphql">The same as GraphQL</h2>
        <CopyText label="GraphQL" text={graphqlText(input, limit)} />
      </section>
    </>
  );
}
