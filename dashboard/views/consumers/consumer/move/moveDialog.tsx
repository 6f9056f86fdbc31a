import { useState } from 'react';
import { useMutation } from 'urql';
import { failureOf, type Failure } from '../../../../api/client';
import { ActionDialog } from '../../../../components/actionDialog';
import { formatAmount } from '../../../../components/format';
import { newUuid } from '../../../../components/uuid';
import {
  MoveConsumerDocument,
  type AllocationCandidatesInput,
} from '../../../../generated/consumers/operations';
import type { Consumer } from '../consumer';
import type { MoveResult } from './moved';
import type { Target } from './moveRequest';

export interface Move {
  /** As it was when the move was asked for: if it has changed since, nothing is done. */
  readonly consumer: Consumer;
  readonly request: AllocationCandidatesInput;
  readonly wanted: ReadonlyMap<string, number>;
  readonly target: Target;
  /** Whether another, new consumer takes over what it has. */
  readonly keepsOld: boolean;
}

interface MoveDialogProps {
  readonly move: Move;
  readonly onMoved: (result: MoveResult) => void;
  readonly onClose: () => void;
}

/** Asks before a consumer is moved, and moves it. */
export function MoveDialog({ move, onMoved, onClose }: MoveDialogProps) {
  const [, claim] = useMutation(MoveConsumerDocument);
  const [oldAs] = useState(newUuid);
  const { consumer, request, wanted, target, keepsOld } = move;
  const run = async (): Promise<Failure | null> => {
    const { uuid, generation, projectId, userId, type } = consumer;
    const owner = { consumer: uuid, generation, projectId: projectId ?? '', userId: userId ?? '' };
    const keepOldAs = keepsOld ? { consumer: oldAs, type: type?.name } : null;
    const member = { name: 'consumer', requests: [request], consumers: [{ ...owner, keepOldAs }] };
    const { data, error } = await claim({ input: { members: [member] } });
    const answer = data?.claim;
    const failure = failureOf(error, answer);
    if (failure === null && answer?.__typename === 'ClaimPayload') onMoved(answer.claims[0]);
    if (failure && answer?.__typename === 'NoCandidatesError' && answer.explanation)
      return { ...failure, message: answer.explanation.summary };
    return failure;
  };
  return (
    <ActionDialog title="Move this consumer?" action="Move" run={run} onClose={onClose}>
      <p>
        <code>{consumer.uuid}</code> gets {amountsOf(wanted)} {PLACES[target]}, in place of all that it has.
      </p>
      {keepsOld && (
        <p>
          What it has now goes to the new consumer <code>{oldAs}</code>, which is to be released when the move
          is over.
        </p>
      )}
    </ActionDialog>
  );
}

const PLACES: Readonly<Record<Target, string>> = {
  any: 'wherever that fits',
  same: 'within the host that it is on',
  other: 'on another host',
};

const amountsOf = (wanted: ReadonlyMap<string, number>): string =>
  Array.from(wanted)
    .filter(([, amount]) => amount > 0)
    .map(([name, amount]) => `${formatAmount(amount)} ${name}`)
    .join(', ');
