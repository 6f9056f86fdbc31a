import { useState } from 'react';
import { useMutation } from 'urql';
import { failureOf, type Failure } from '../../../api/client';
import { ActionDialog } from '../../../components/actionDialog';
import { formatAmount } from '../../../components/format';
import { ReleaseConsumerDocument } from '../../../generated/consumers/operations';
import type { Consumer } from './consumer';

/** Takes everything from a consumer, as it was when that was asked for. */
export function ReleaseButton({ consumer }: { readonly consumer: Consumer }) {
  const [seen, setSeen] = useState<Consumer | null>(null);
  const [, release] = useMutation(ReleaseConsumerDocument);
  const run = async ({ uuid, generation, projectId, userId }: Consumer): Promise<Failure | null> => {
    const owner = { consumer: uuid, generation, projectId: projectId ?? '', userId: userId ?? '' };
    const input = { consumers: [{ ...owner, allocations: { providers: [] } }] };
    const { data, error } = await release({ input }, { additionalTypenames: ['Consumer', 'Project'] });
    return failureOf(error, data?.setAllocations);
  };
  return (
    <>
      <button type="button" className="danger" onClick={() => setSeen(consumer)}>
        Release
      </button>
      {seen && (
        <ActionDialog
          title="Release all that it has?"
          action="Release"
          run={() => run(seen)}
          onClose={() => setSeen(null)}
        >
          <p>
            The consumer <code>{seen.uuid}</code> ceases to exist. It gives back:
          </p>
          <ul className="dialog-list">
            {seen.allocations.map(({ amount, resourceClass: { name }, resourceProvider }) => (
              <li key={`${resourceProvider?.uuid} ${name}`}>
                {formatAmount(amount)} {name} of {resourceProvider?.name}
              </li>
            ))}
          </ul>
        </ActionDialog>
      )}
    </>
  );
}
