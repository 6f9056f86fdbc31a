import { useState, type FormEvent } from 'react';
import { useMutation } from 'urql';
import { Link } from 'wouter';
import { failureOf, type Failure } from '../../api/client';
import { ActionDialog } from '../../components/actionDialog';
import { formatAmount } from '../../components/format';
import { newUuid } from '../../components/uuid';
import {
  ClaimPlaceDocument,
  type AllocationCandidatesInput,
  type ClaimConsumerInput,
  type ClaimPlaceMutation,
} from '../../generated/place/operations';

type Claim = Extract<ClaimPlaceMutation['claim'], { __typename: 'ClaimPayload' }>['claims'][number];

/** Claims what is asked for, for a new consumer. */
export function ClaimPanel({ request }: { readonly request: AllocationCandidatesInput }) {
  const [uuid, setUuid] = useState(newUuid);
  const [consumer, setConsumer] = useState<ClaimConsumerInput | null>(null);
  const [claimed, setClaimed] = useState<Claim | null>(null);
  const [, claim] = useMutation(ClaimPlaceDocument);
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    setConsumer({
      consumer: uuid,
      projectId: text('project'),
      userId: text('user'),
      consumerType: text('type') || null,
    });
  };
  const run = async (owner: ClaimConsumerInput): Promise<Failure | null> => {
    const { data, error } = await claim(
      { input: { request, consumers: [owner] } },
      { additionalTypenames: ['AllocationCandidates', 'Headroom', 'Project'] },
    );
    if (data?.claim?.__typename === 'ClaimPayload') {
      setClaimed(data.claim.claims[0]);
      setUuid(newUuid());
    }
    return failureOf(error, data?.claim);
  };
  return (
    <section className="panel" aria-labelledby="claim">
      <h2 id="claim">Claim</h2>
      <form className="claim-form" onSubmit={ask}>
        <input name="project" aria-label="Project" placeholder="Project" required autoComplete="off" />
        <input name="user" aria-label="User" placeholder="User" required autoComplete="off" />
        <input name="type" aria-label="Type" placeholder="Type, as INSTANCE" autoComplete="off" />
        <button type="submit" className="primary">
          Claim
        </button>
      </form>
      {claimed && <Claimed claim={claimed} />}
      {consumer && (
        <ActionDialog
          title="Claim this for a new consumer?"
          action="Claim"
          run={() => run(consumer)}
          onClose={() => setConsumer(null)}
        >
          <p>
            The server searches again, by what is free then, and gives the best of what it finds to the
            consumer <code>{consumer.consumer}</code> of project {consumer.projectId}.
          </p>
        </ActionDialog>
      )}
    </section>
  );
}

function Claimed({ claim: { consumer, allocationRequest } }: { readonly claim: Claim }) {
  return (
    <div className="claimed" role="status">
      <p>
        Claimed for <Link href={`/consumers/${consumer.uuid}`}>{consumer.uuid}</Link>:
      </p>
      <ul className="dialog-list">
        {allocationRequest.allocations.map(({ resourceProvider: { name }, resources }) => (
          <li key={name}>
            {resources
              .map(({ amount, resourceClass }) => `${formatAmount(amount)} ${resourceClass}`)
              .join(', ')}{' '}
            of <Link href={`/hosts/${encodeURIComponent(name)}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
