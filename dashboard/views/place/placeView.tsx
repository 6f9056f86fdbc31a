import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useAddress } from '../../components/addressState';
import { CopyText } from '../../components/copyText';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { CandidatesDocument } from '../../generated/place/operations';
import { CandidateList } from './candidateList';
import { picturesOf } from './candidatePicture';
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
  const [address, change, replace] = useAddress();
  const request = useMemo(() => readRequest(address), [address]);
  const limit = Math.max(Number(address.get('limit')) || SHOWN, 1);
  const isComplete = request.groups.some(({ resources }) => resources.length > 0);
  return (
    <div className="view">
      <div className="view-head">
        <h1>Place it</h1>
      </div>
      <div className="place">
        <RequestEditor request={request} onRequest={(next) => replace(writeRequest(next))} />
        <div className="place-answer">
          {isComplete ? (
            <Answer
              request={request}
              limit={limit}
              chosen={address.get('chosen')}
              onChoose={(key) => change({ chosen: key })}
              onMore={() => change({ limit: String(limit * 4) })}
            />
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
  /** The key of a candidate; null: the first, which is the best. */
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
  readonly onMore: () => void;
}

function Answer({ request, limit, chosen, onChoose, onMore }: AnswerProps) {
  const input = useMemo(() => inputOf(request), [request]);
  const [{ data, error, fetching }, search] = useQuery({
    query: CandidatesDocument,
    variables: useMemo(() => ({ request: input, limit }), [input, limit]),
    requestPolicy: 'cache-and-network',
  });
  const candidates = data?.allocationCandidates;
  const pictures = useMemo(() => candidates && picturesOf(candidates), [candidates]);
  const picture = chosen === null ? pictures?.[0] : pictures?.find(({ key }) => key === chosen);
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
      ) : candidates && pictures ? (
        <>
          <ClaimPanel hasCandidates={pictures.length > 0} picture={picture} />
          {pictures.length === 0 ? (
            <WhyNot request={input} />
          ) : (
            <CandidateList
              pictures={pictures}
              isComplete={candidates.complete}
              chosen={picture?.key}
              onChoose={onChoose}
              onMore={onMore}
            />
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
