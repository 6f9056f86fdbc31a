import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useViewer } from '../../api/viewer';
import { useAddress } from '../../components/addressState';
import { CopyText } from '../../components/copyText';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { ViewHead } from '../../components/viewHead';
import { CandidatesDocument } from '../../generated/place/operations';
import { CandidateList } from './candidateList';
import { picturesOf } from './candidatePicture';
import { ClaimPanel } from './claimPanel';
import { graphqlText } from './graphqlText';
import { HeadroomText } from './headroomText';
import { amountFaults, readRequest, writeRequest } from './placeAddress';
import { inputOf, type PlaceRequest } from './placeRequest';
import { RequestEditor } from './requestEditor';
import { WhyNot } from './whyNot';
import { OPTION_NAMES, readMembers, readRules, writeWorkload } from './workload/workload';
import { WorkloadPanel } from './workload/workloadPanel';
import './place.css';

/** The number of candidates that the view shows at first. */
const SHOWN = 6;

/** Edits a request, shows its candidates or why there are none, and claims one. */
export default function PlaceView() {
  const [address, change, replace] = useAddress();
  const request = useMemo(() => readRequest(address), [address]);
  const limit = Math.max(Number(address.get('limit')) || SHOWN, 1);
  const members = readMembers(address);
  const rules = readRules(address);
  const faults = amountFaults(address);
  const isComplete = request.groups.some(({ resources }) => resources.length > 0);
  return (
    <div className="view">
      <ViewHead title="Place it" />
      {faults.length > 0 && (
        <p className="notice" role="status">
          The page ignores amounts of the address: {faults.join(' ')}
        </p>
      )}
      <div className="place">
        <RequestEditor
          request={request}
          onRequest={(next) => {
            const after = writeWorkload(writeRequest(next), members, rules);
            // the members and the options of the workload stay
            for (const name of [...OPTION_NAMES, 'plan'])
              if (address.has(name)) after.set(name, address.get(name)!);
            replace(after);
          }}
        />
        <div className="place-answer" id="result">
          <WorkloadPanel
            members={members}
            rules={rules}
            request={writeRequest(request).toString()}
            onWorkload={(...workload) => {
              const after = writeWorkload(address, ...workload);
              after.delete('plan');
              replace(after, address.has('plan') ? 'push' : 'replace');
            }}
          />
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
              <EmptyState title="The request has no resources.">
                Add one to a group, such as VCPU:4.
              </EmptyState>
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
  /** The key of a candidate. Null selects the first one, which is the best. */
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
  readonly onMore: () => void;
}

function Answer({ request, limit, chosen, onChoose, onMore }: AnswerProps) {
  const { may } = useViewer();
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
        {error ? <p /> : <HeadroomText request={input} />}
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
          {may('allocate') ? (
            <ClaimPanel request={input} hasCandidates={pictures.length > 0} picture={picture} />
          ) : (
            <p className="notice">Your role does not allow claims.</p>
          )}
          {pictures.length === 0 ? (
            <WhyNot request={input} />
          ) : (
            <CandidateList
              pictures={pictures}
              isComplete={candidates.complete}
              order={request.order}
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
        <h2 id="graphql">The request as GraphQL</h2>
        <CopyText label="GraphQL" text={graphqlText(input, limit)} />
      </section>
    </>
  );
}
