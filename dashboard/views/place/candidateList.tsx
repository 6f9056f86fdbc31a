import { useMemo } from 'react';
import { Link } from 'wouter';
import { formatAmount, formatShare } from '../../components/format';
import { TreeDrawing } from '../../components/tree/treeDrawing';
import type { CandidatesQuery } from '../../generated/place/operations';
import { picturesOf, type Candidate, type CandidatePicture } from './candidatePicture';

interface CandidateListProps {
  readonly candidates: NonNullable<CandidatesQuery['allocationCandidates']>;
  readonly onMore: () => void;
}

/** The candidates as pictures of their trees. */
export function CandidateList({ candidates, onMore }: CandidateListProps) {
  const pictures = useMemo(() => picturesOf(candidates), [candidates]);
  return (
    <section className="candidates" aria-labelledby="candidates">
      <h2 id="candidates" aria-live="polite">
        {candidates.complete
          ? `${formatAmount(pictures.length)} candidates`
          : `The first ${formatAmount(pictures.length)} candidates`}
      </h2>
      <ol>
        {pictures.map((picture, index) => (
          <li key={index} className="panel">
            <Picture picture={picture} />
          </li>
        ))}
      </ol>
      {!candidates.complete && (
        <button type="button" onClick={onMore}>
          Show more
        </button>
      )}
    </section>
  );
}

function Picture({ picture: { candidate, tree, sharing, lit } }: { readonly picture: CandidatePicture }) {
  const { name } = tree[0];
  return (
    <>
      <h3>
        <Link href={`/hosts/${encodeURIComponent(name)}`}>{name}</Link>
        {candidate.score !== null && (
          <span className="muted"> · {formatShare(candidate.score)} left free</span>
        )}
      </h3>
      <p className="muted">{textOf(candidate)}</p>
      <TreeDrawing
        label={`Candidate on ${name}: ${textOf(candidate)}`}
        tree={tree}
        sharing={sharing}
        lit={lit}
      />
    </>
  );
}

const textOf = ({ allocations }: Candidate): string =>
  allocations
    .map(
      ({ resourceProvider, resources }) =>
        `${resources.map(({ amount, resourceClass }) => `${formatAmount(amount)} ${resourceClass}`).join(', ')} of ${resourceProvider.name}`,
    )
    .join('; ');
