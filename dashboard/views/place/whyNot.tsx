import { useQuery } from 'urql';
import { formatAmount } from '../../components/format';
import { ErrorState, LoadingState } from '../../components/states';
import { GroupMark } from '../../components/tree/groupMark';
import {
  WhyNotDocument,
  type AllocationCandidatesInput,
  type StepFragment,
} from '../../generated/place/operations';

/** Explains why there are no candidates: the number that each step removed. */
export function WhyNot({ request }: { readonly request: AllocationCandidatesInput }) {
  const [{ data, error }] = useQuery({
    query: WhyNotDocument,
    variables: { request },
    requestPolicy: 'cache-and-network',
  });
  if (error) return <ErrorState error={error} />;
  const explanation = data?.allocationCandidates?.explanation;
  if (!explanation) return <LoadingState />;
  const { summary, groups, combination } = explanation;
  return (
    <section className="panel why-not" aria-labelledby="why-not">
      <h2 id="why-not">There are no candidates</h2>
      <p role="status">{summary}</p>
      {groups.map(({ suffix, considered, eliminations }, place) => (
        <div key={suffix}>
          <h3>
            <GroupMark place={place} suffix={suffix} /> {formatAmount(considered)}{' '}
            {suffix === '' ? 'trees' : 'providers'} examined
          </h3>
          <Funnel considered={considered} steps={eliminations} />
        </div>
      ))}
      <h3>All groups together</h3>
      <Funnel
        considered={combination.length > 0 ? combination[0].eliminated + combination[0].remaining : 0}
        steps={combination}
      />
    </section>
  );
}

interface FunnelProps {
  readonly considered: number;
  readonly steps: readonly StepFragment[];
}

/** Shows a bar for the number that remains after each step. */
function Funnel({ considered, steps }: FunnelProps) {
  if (steps.length === 0) return <p className="muted">Nothing was removed.</p>;
  return (
    <ol className="funnel">
      {steps.map(({ constraint, detail, eliminated, remaining }) => (
        <li key={constraint}>
          <span className="funnel-figures">
            −{formatAmount(eliminated)} <b>{formatAmount(remaining)}</b>
          </span>
          <span className="funnel-track" aria-hidden="true">
            <span style={{ width: `${considered > 0 ? (remaining / considered) * 100 : 0}%` }} />
          </span>
          <span className="funnel-detail">{detail}</span>
        </li>
      ))}
    </ol>
  );
}
