import { useState } from 'react';
import { useMutation } from 'urql';
import { failureOf, type Failure } from '../../../api/client';
import { ActionDialog } from '../../../components/actionDialog';
import { formatAmount } from '../../../components/format';
import { SetConsumersDocument } from '../../../generated/consumers/operations';
import type { Consumer } from './consumer';

interface ReleaseButtonProps {
  readonly consumer: Consumer;
  /** Called with the consumer as it was. */
  readonly onReleased: (consumer: Consumer) => void;
}

/** Releases all allocations of a consumer, as the user saw them. */
export function ReleaseButton({ consumer, onReleased }: ReleaseButtonProps) {
  const [seen, setSeen] = useState<Consumer | null>(null);
  const [, release] = useMutation(SetConsumersDocument);
  const run = async (released: Consumer): Promise<Failure | null> => {
    const { uuid, generation, projectId, userId } = released;
    const owner = { consumer: uuid, generation, projectId: projectId ?? '', userId: userId ?? '' };
    const input = { consumers: [{ ...owner, allocations: { providers: [] } }] };
    const { data, error } = await release({ input }, { additionalTypenames: ['Consumer', 'Project'] });
    const failure = failureOf(error, data?.setAllocations);
    if (failure === null) onReleased(released);
    return failure;
  };
  return (
    <>
      <button type="button" className="danger" onClick={() => setSeen(consumer)}>
        Release
      </button>
      {seen && (
        <ActionDialog
          title="Release this consumer?"
          action="Release"
          run={() => run(seen)}
          onClose={() => setSeen(null)}
        >
          <p>
            The consumer <code>{seen.uuid}</code> will no longer exist. It releases:
          </p>
          <AllocationList allocations={seen.allocations} />
        </ActionDialog>
      )}
    </>
  );
}

/** The allocations of a consumer, as a list. */
export function AllocationList({ allocations }: Pick<Consumer, 'allocations'>) {
  return (
    <ul className="dialog-list">
      {allocations.map(({ amount, resourceClass: { name }, resourceProvider }) => (
        <li key={`${resourceProvider?.uuid} ${name}`}>
          {formatAmount(amount)} {name} of {resourceProvider?.name}
        </li>
      ))}
    </ul>
  );
}
