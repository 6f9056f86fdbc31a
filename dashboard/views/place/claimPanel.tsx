import { useState, type FocusEvent, type FormEvent } from 'react';
import { Link } from 'wouter';
import { ConfirmDialog } from '../../components/confirmDialog';
import { CompletionInput } from '../../components/completionInput';
import { Destination } from '../../components/destination';
import { FailureText } from '../../components/failureText';
import { formText } from '../../components/formText';
import { newUuid } from '../../components/uuid';
import type { AllocationCandidatesInput, ConsumerAllocationsInput } from '../../generated/place/operations';
import type { Candidate, CandidatePicture } from './candidatePicture';
import { QuotaLeft } from './quotaLeft';
import { useClaim } from './useClaim';

interface ClaimPanelProps {
  readonly request: AllocationCandidatesInput;
  /** Without candidates the panel shows only the result of the last claim. */
  readonly hasCandidates: boolean;
  /** Undefined: the selected candidate no longer exists. */
  readonly picture: CandidatePicture | undefined;
}

/** Claims exactly the selected candidate for a new consumer. */
export function ClaimPanel({ request, hasCandidates, picture }: ClaimPanelProps) {
  const [asked, setAsked] = useState<Claim | null>(null);
  const [claimed, setClaimed] = useState<Claim | null>(null);
  // a retry claims for the same consumer: if the first attempt succeeded after all, nothing is claimed twice
  const [uuid, setUuid] = useState(newUuid);
  const { claim, isBusy, failure, mayBeClaimed } = useClaim();
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (picture)
      setAsked({ picture, consumer: consumerOf(uuid, new FormData(event.currentTarget), picture.candidate) });
  };
  const run = async (one: Claim): Promise<void> => {
    const result = await claim([one.consumer]);
    setAsked(null);
    setClaimed(result === null ? null : { ...one, isOfEarlier: result === 'earlier' });
    if (result !== null) setUuid(newUuid());
  };
  if (!hasCandidates && !failure && !claimed) return null;
  return (
    <section className="panel claim-panel" aria-labelledby="claim">
      <h2 id="claim">Claim</h2>
      {hasCandidates && <ClaimForm request={request} picture={picture} onSubmit={ask} />}
      {failure && (
        <div className="claim-answer">
          <FailureText failure={failure} />
          <p className="muted">
            {mayBeClaimed ? (
              <>
                The claim may exist for the consumer <Link href={`/consumers/${uuid}`}>{uuid}</Link>. A retry
                claims for the same consumer, so nothing is claimed twice.
              </>
            ) : (
              'Nothing was claimed. The candidates below are current.'
            )}
          </p>
        </div>
      )}
      {claimed && <Claimed claim={claimed} />}
      {asked && (
        <ConfirmDialog
          title={`Claim this on ${asked.picture.host}?`}
          action="Claim"
          isBusy={isBusy}
          onConfirm={() => void run(asked)}
          onCancel={() => setAsked(null)}
        >
          <p>
            A new consumer of project {asked.consumer.projectId} receives exactly these allocations, or none
            if they no longer fit:
          </p>
          <Destination allocations={asked.picture.candidate.allocations} />
        </ConfirmDialog>
      )}
    </section>
  );
}

interface ClaimFormProps extends Pick<ClaimPanelProps, 'picture' | 'request'> {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

function ClaimForm({ request, picture, onSubmit }: ClaimFormProps) {
  const [projectId, setProjectId] = useState('');
  // a project that is not complete yet has other limits
  const leave = ({ target }: FocusEvent<HTMLInputElement>): void => setProjectId(target.value.trim());
  return (
    <>
      {picture ? (
        <p className="muted">
          Selected: <b>{picture.host}</b>, {picture.text}.
        </p>
      ) : (
        <p className="failed">The selected candidate no longer fits. Select another one.</p>
      )}
      <form className="claim-form" onSubmit={onSubmit}>
        <CompletionInput name="project" label="Project" required onBlur={leave} />
        <CompletionInput name="user" label="User" required />
        <CompletionInput name="type" label="Type" />
        <button type="submit" className="primary" disabled={!picture}>
          Claim
        </button>
      </form>
      {projectId !== '' && <QuotaLeft projectId={projectId} request={request} />}
    </>
  );
}

/** A candidate and its new consumer. */
interface Claim {
  readonly picture: CandidatePicture;
  readonly consumer: ConsumerAllocationsInput;
  /** Whether an earlier attempt made the claim, perhaps of another candidate. */
  readonly isOfEarlier?: boolean;
}

/** A new consumer with the allocations of a candidate. */
function consumerOf(uuid: string, form: FormData, { claimToken }: Candidate): ConsumerAllocationsInput {
  return {
    consumer: uuid,
    projectId: formText(form, 'project'),
    userId: formText(form, 'user'),
    type: formText(form, 'type') || null,
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
      {!isOfEarlier && <Destination allocations={picture.candidate.allocations} />}
    </div>
  );
}
