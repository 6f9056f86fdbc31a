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
  /** Called with the number of moved consumers. */
  readonly onMoved: (count: number) => void;
}

/** Carries out a plan: moves all of its consumers that fit elsewhere, or none if anything has changed. */
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
          <ul className="dialog-list">
            {Array.from(countsByHost(moves), ([name, moved]) => (
              <li key={name}>
                <b>{name}</b>: {formatCount(moved, 'consumer')}
              </li>
            ))}
          </ul>
          <p>
            All move in one transaction, or none if anything has changed since the plan. Start maintenance
            first to keep new consumers off {host}.
          </p>
        </ActionDialog>
      )}
    </>
  );
}

/** The number of consumers that each host receives. */
function countsByHost(moves: readonly Move[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { allocationRequest } of moves) {
    const own = allocationRequest?.allocations.filter((part) => !part.resourceProvider.isSharing) ?? [];
    for (const name of new Set(own.map(({ resourceProvider }) => resourceProvider.root.name)))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The whole new allocations of a consumer; none if it stays. */
function inputOf({ consumer, allocationRequest }: Move): ConsumerAllocationsInput[] {
  if (!allocationRequest) return [];
  const { uuid, generation, projectId, userId } = consumer;
  const allocations = { claimToken: allocationRequest.claimToken };
  const owner = { projectId: projectId ?? '', userId: userId ?? '' };
  return [{ consumer: uuid, generation, ...owner, allocations }];
}
