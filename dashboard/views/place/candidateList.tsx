import { Link } from 'wouter';
import { formatAmount, formatCount, formatShare } from '../../components/format';
import { hostPath } from '../../components/hostPath';
import { TreeDrawing } from '../../components/tree/treeDrawing';
import type { CandidatePicture } from './candidatePicture';
import { LEAST_STRANDING } from './placeRequest';

interface CandidateListProps {
  readonly pictures: readonly CandidatePicture[];
  /** Whether these are all candidates. */
  readonly isComplete: boolean;
  /** The terms of the order, in the format of the address. */
  readonly order: readonly string[];
  /** The key of the selected candidate. */
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
  readonly onMore: () => void;
}

/** The candidates as pictures of their trees. The user selects one by its button, by arrow keys or by a click on the picture. */
export function CandidateList({ pictures, isComplete, order, chosen, onChoose, onMore }: CandidateListProps) {
  const count = formatCount(pictures.length, 'candidate');
  return (
    <section className="candidates" aria-labelledby="candidates">
      <h2 id="candidates" aria-live="polite">
        {isComplete ? count : `The first ${count}`}
      </h2>
      <div role="radiogroup" aria-labelledby="candidates">
        <ol>
          {pictures.map((picture) => (
            <Picture
              key={picture.key}
              picture={picture}
              order={order}
              isChosen={picture.key === chosen}
              onChoose={() => onChoose(picture.key)}
            />
          ))}
        </ol>
      </div>
      {!isComplete && (
        <button type="button" onClick={onMore}>
          Show more
        </button>
      )}
    </section>
  );
}

interface PictureProps {
  readonly picture: CandidatePicture;
  readonly order: readonly string[];
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Picture({
  picture: { candidate, host, text, tree, sharing, lit },
  order,
  isChosen,
  onChoose,
}: PictureProps) {
  return (
    <li className={isChosen ? 'panel candidate chosen' : 'panel candidate'} onClick={onChoose}>
      <div className="candidate-head">
        <h3>
          <label>
            <input type="radio" name="candidate" checked={isChosen} onChange={onChoose} /> {host}
          </label>
        </h3>
        {order.length > 0 && <span className="muted">{scoreText(order, candidate.score)}</span>}
        <Link href={hostPath(host)}>
          Open<span className="visually-hidden"> {host}</span>
        </Link>
      </div>
      <p className="muted">{text}</p>
      <TreeDrawing label={`Candidate on ${host}: ${text}`} tree={tree} sharing={sharing} lit={lit} />
    </li>
  );
}

/** Returns the free share of the first term, and what the candidate strands. */
function scoreText(order: readonly string[], score: readonly number[]): string {
  const texts = order.map((term, at) => {
    if (term === LEAST_STRANDING) return `strands ${formatAmount(score[at])} weighted units`;
    return at === 0 ? `${formatShare(score[at])} left free` : '';
  });
  return texts.filter(Boolean).join(', ');
}
