import { useState } from 'react';
import { useMutation } from 'urql';
import { failureOf, type Failure } from '../../api/client';
import { ActionDialog } from '../../components/actionDialog';
import { formatCount } from '../../components/format';
import {
  MoveAllDocument,
  type ConsumerAllocationsInput,
  type DrainOfHostQuery,
} from '../../generated/host/operations';

export type Move = NonNullable<DrainOfHostQuery['planDrain']>['moves'][number];

interface MoveAllButtonProps {
  readonly moves: readonly Move[];
  readonly host: string;
  /** Called with how many were moved. */
  readonly onMoved: (count: number) => void;
}

/** Carries a plan out: all of its consumers that can go go where it says, or none of them where anything has changed meanwhile. */
export function MoveAllButton({ moves, host, onMoved }: MoveAllButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const [, moveAll] = useMutation(MoveAllDocument);
  const consumers = moves.flatMap(inputOf);
  if (consumers.length === 0) return null;
  const run = async (): Promise<Failure | null> => {
    const { data, error } = await moveAll({ input: { consumers } });
    const failure = failureOf(error, data?.setAllocations);
    if (failure === null) onMoved(consumers.length);
    return failure;
  };
  const count = formatCount(consumers.length, 'consumer');
  return (
    <>
      <button type="button" className="small" onClick={() => setIsAsked(true)}>
        Move {count}
      </button>
      {isAsked && (
        <ActionDialog
          title={`Move ${count} from ${host}?`}
          action="Move"
          run={run}
          onClose={() => setIsAsked(false)}
        >
          <p>
            Their allocations go to where the plan says: all of them in one step, or none where anything has
            changed since it was made. Nothing keeps others from {host} afterwards.
          </p>
        </ActionDialog>
      )}
    </>
  );
}

/** All that a consumer of a plan would have then; nothing where it cannot go. */
function inputOf({ consumer, allocationRequest }: Move): ConsumerAllocationsInput[] {
  if (!allocationRequest) return [];
  const { uuid, generation, projectId, userId } = consumer;
  const allocations = { claimToken: allocationRequest.claimToken };
  const owner = { projectId: projectId ?? '', userId: userId ?? '' };
  return [{ consumer: uuid, generation, ...owner, allocations }];
}
