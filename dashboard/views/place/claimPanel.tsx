import { useState, type FormEvent } from 'react';
import { useMutation } from 'urql';
import { Link } from 'wouter';
import { failureOf, isUncertain, type Failure } from '../../api/client';
import { ConfirmDialog } from '../../components/confirmDialog';
import { FailureText } from '../../components/failureText';
import { formatAmounts } from '../../components/format';
import { newUuid } from '../../components/uuid';
import { ClaimCandidateDocument, type ConsumerAllocationsInput } from '../../generated/place/operations';
import type { Candidate, CandidatePicture } from './candidatePicture';

interface ClaimPanelProps {
  /** Whether there are any; without, only what came of the last claim is shown. */
  readonly hasCandidates: boolean;
  /** Undefined: what was chosen is none of them any more. */
  readonly picture: CandidatePicture | undefined;
}

/** Claims the candidate that is chosen, and no other, for a new consumer. */
export function ClaimPanel({ hasCandidates, picture }: ClaimPanelProps) {
  const [asked, setAsked] = useState<Claim | null>(null);
  const [claimed, setClaimed] = useState<Claim | null>(null);
  // a retry claims for the same consumer: if the first attempt took place after all, nothing is claimed twice
  const [uuid, setUuid] = useState(newUuid);
  const [mayBeClaimed, setMayBeClaimed] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [{ fetching }, claim] = useMutation(ClaimCandidateDocument);
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (picture)
      setAsked({ picture, consumer: consumerOf(uuid, new FormData(event.currentTarget), picture.candidate) });
  };
  const run = async (one: Claim): Promise<void> => {
    // whatever comes of it, the candidates are asked for again: nothing may be shown that others have taken meanwhile
    const renewed = { additionalTypenames: ['AllocationCandidates', 'Headroom', 'Project'] };
    const { data, error } = await claim({ input: { consumers: [one.consumer] } }, renewed);
    const reason = failureOf(error, data?.setAllocations);
    const wasClaimed = mayBeClaimed && reason?.code === 'CONSUMER_GENERATION_CONFLICT';
    const isClaimed = reason === null || wasClaimed;
    setAsked(null);
    setFailure(isClaimed ? null : reason);
    setClaimed(isClaimed ? { ...one, isOfEarlier: wasClaimed } : null);
    setMayBeClaimed(!isClaimed && (mayBeClaimed || isUncertain(reason)));
    if (isClaimed) setUuid(newUuid());
  };
  if (!hasCandidates && !failure && !claimed) return null;
  return (
    <section className="panel claim-panel" aria-labelledby="claim">
      <h2 id="claim">Claim</h2>
      {hasCandidates && <ClaimForm picture={picture} onSubmit={ask} />}
      {failure && (
        <div className="claim-answer">
          <FailureText failure={failure} />
          <p className="muted">
            {mayBeClaimed ? (
              <>
                It may have been claimed for <Link href={`/consumers/${uuid}`}>{uuid}</Link>. Claim again:
                that claims for the same consumer, and never twice.
              </>
            ) : (
              'Nothing was claimed. The candidates below are up to date.'
            )}
          </p>
        </div>
      )}
      {claimed && <Claimed claim={claimed} />}
      {asked && (
        <ConfirmDialog
          title={`Claim this on ${asked.picture.host}?`}
          action="Claim"
          isBusy={fetching}
          onConfirm={() => void run(asked)}
          onCancel={() => setAsked(null)}
        >
          <p>
            A new consumer of project {asked.consumer.projectId} gets exactly this, or nothing where somebody
            else has taken of it meanwhile:
          </p>
          <Parts candidate={asked.picture.candidate} />
        </ConfirmDialog>
      )}
    </section>
  );
}

interface ClaimFormProps extends Pick<ClaimPanelProps, 'picture'> {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

function ClaimForm({ picture, onSubmit }: ClaimFormProps) {
  return (
    <>
      {picture ? (
        <p className="muted">
          <b>{picture.host}</b> is chosen: {picture.text}.
        </p>
      ) : (
        <p className="failed">What was chosen is not among the candidates any more. Choose another one.</p>
      )}
      <form className="claim-form" onSubmit={onSubmit}>
        <input name="project" aria-label="Project" placeholder="Project" required autoComplete="off" />
        <input name="user" aria-label="User" placeholder="User" required autoComplete="off" />
        <input name="type" aria-label="Type" placeholder="Type, as INSTANCE" autoComplete="off" />
        <button type="submit" className="primary" disabled={!picture}>
          Claim
        </button>
      </form>
    </>
  );
}

/** A candidate, and who is to have it. */
interface Claim {
  readonly picture: CandidatePicture;
  readonly consumer: ConsumerAllocationsInput;
  /** Whether an earlier attempt has claimed it, perhaps another candidate. */
  readonly isOfEarlier?: boolean;
}

/** A new consumer with what a candidate consists of. */
function consumerOf(uuid: string, form: FormData, { claimToken }: Candidate): ConsumerAllocationsInput {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  return {
    consumer: uuid,
    projectId: text('project'),
    userId: text('user'),
    type: text('type') || null,
    allocations: { claimToken },
  };
}

function Claimed({ claim: { picture, consumer, isOfEarlier } }: { readonly claim: Claim }) {
  return (
    <div className="claim-answer claimed" role="status">
      <p>
        Claimed{isOfEarlier && ' by the earlier attempt'} for{' '}
        <Link href={`/consumers/${consumer.consumer}`}>{consumer.consumer}</Link>
      </p>
      {!isOfEarlier && <Parts candidate={picture.candidate} />}
    </div>
  );
}

function Parts({ candidate: { allocations } }: { readonly candidate: Candidate }) {
  return (
    <ul className="dialog-list">
      {allocations.map(({ resourceProvider: { name }, resources }) => (
        <li key={name}>
          {formatAmounts(resources)} of <Link href={`/hosts/${encodeURIComponent(name)}`}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}
