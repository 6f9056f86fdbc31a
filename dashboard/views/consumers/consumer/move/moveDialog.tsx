import { useMemo, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { describe, failureOf, type Failure } from '../../../../api/client';
import { ActionDialog } from '../../../../components/actionDialog';
import { Destination } from '../../../../components/destination';
import { FailureText } from '../../../../components/failureText';
import { losesTraits, LostTraits } from '../../../../components/lostTraits';
import { LoadingState } from '../../../../components/states';
import {
  PlanMoveDocument,
  SetConsumersDocument,
  type AllocationCandidatesInput,
  type PlanMoveQuery,
} from '../../../../generated/consumers/operations';
import type { Consumer } from '../consumer';

export interface Move {
  /** The consumer as the user saw it. If it has changed since, the move fails. */
  readonly consumer: Consumer;
  readonly request: AllocationCandidatesInput;
  /** The new consumer that keeps the former allocations; null to release them. */
  readonly oldAs: string | null;
}

/** A candidate of a plan. */
export type Planned = NonNullable<
  PlanMoveQuery['planWorkload']
>['plans'][number]['consumers'][number]['allocationRequest'];

interface MoveDialogProps {
  readonly move: Move;
  /** `keptAs` is the new consumer with former allocations; null if there is none. */
  readonly onMoved: (planned: Planned, keptAs: string | null) => void;
  readonly onClose: () => void;
}

/** Shows the destination of a move, and moves the consumer exactly there when the user confirms. */
export function MoveDialog({ move, onMoved, onClose }: MoveDialogProps) {
  const { consumer, oldAs } = move;
  const [{ data, error }] = useQuery({
    query: PlanMoveDocument,
    variables: useMemo(() => planOf(move), [move]),
    requestPolicy: 'network-only',
  });
  const [, setConsumers] = useMutation(SetConsumersDocument);
  const [isAccepted, setIsAccepted] = useState(false);
  const found = data?.planWorkload?.plans.at(0)?.consumers;
  const planned = found?.[0].allocationRequest;
  const isImpossible = Boolean(data?.planWorkload?.failure);
  const failure = error ? describe(error) : (data?.planWorkload?.failure ?? null);
  const run = async (): Promise<Failure | null> => {
    const consumers = consumersOf(move, planned!);
    const answer = await setConsumers({ input: { consumers } }, { additionalTypenames: ['Consumer'] });
    const reason = failureOf(answer.error, answer.data?.setAllocations);
    if (reason === null) onMoved(planned!, consumers.length > 1 ? oldAs : null);
    return reason;
  };
  return (
    <ActionDialog
      title={isImpossible ? 'This consumer cannot move' : 'Move this consumer?'}
      action="Move"
      run={run}
      canRun={found !== undefined && (isAccepted || !losesTraits(found))}
      onClose={onClose}
    >
      <p>
        <code>{consumer.uuid}</code>{' '}
        {isImpossible ? 'stays where it is:' : planned ? 'moves to:' : 'needs a destination.'}
      </p>
      {planned && <Destination allocations={planned.allocations} />}
      {found && <LostTraits moves={found} isAccepted={isAccepted} onAccept={setIsAccepted} />}
      {failure && <FailureText failure={{ ...failure, message: explained(failure) }} />}
      {!planned && !failure && <LoadingState />}
      {oldAs !== null && planned && (
        <p>
          The new consumer <code>{oldAs}</code> keeps the current allocations that the move does not use
          again. Release it after the migration.
        </p>
      )}
    </ActionDialog>
  );
}

const explained = (
  failure: Failure | NonNullable<NonNullable<PlanMoveQuery['planWorkload']>['failure']>,
): string => ('explanation' in failure && failure.explanation?.summary) || failure.message;

const ownerOf = ({ projectId, userId }: Consumer) => ({ projectId: projectId ?? '', userId: userId ?? '' });

function planOf({ consumer, request, oldAs }: Move) {
  const { uuid, generation } = consumer;
  const keepOldAs = oldAs === null ? null : { consumer: oldAs };
  const consumers = [{ consumer: uuid, generation, ...ownerOf(consumer), keepOldAs }];
  return { input: { members: [{ name: 'consumer', requests: [request], consumers }] } };
}

/** The move, and the new consumer with the former allocations that the new ones do not use, if any are left. */
function consumersOf({ consumer, oldAs }: Move, { claimToken, allocations: next }: Planned) {
  const { uuid, generation, type, allocations } = consumer;
  const moved = { consumer: uuid, generation, ...ownerOf(consumer), allocations: { claimToken } };
  if (oldAs === null) return [moved];
  const amountIn = (provider: string, name: string): number =>
    next
      .find(({ resourceProvider }) => resourceProvider.uuid === provider)
      ?.resources.find(({ resourceClass }) => resourceClass.name === name)?.amount ?? 0;
  const held = allocations.flatMap(({ resourceProvider, amount, resourceClass: { name } }) => {
    const provider = resourceProvider!.uuid;
    const left = amount - amountIn(provider, name);
    return left > 0 ? [{ uuid: provider, resource: { resourceClass: name, amount: left } }] : [];
  });
  if (held.length === 0) return [moved];
  const kept = Array.from(new Set(held.map(({ uuid: provider }) => provider)), (provider) => ({
    resourceProvider: { uuid: provider },
    resources: held.filter((one) => one.uuid === provider).map(({ resource }) => resource),
  }));
  return [
    moved,
    { consumer: oldAs, ...ownerOf(consumer), type: type?.name, allocations: { providers: kept } },
  ];
}
