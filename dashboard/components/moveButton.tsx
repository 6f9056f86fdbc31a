import { useRef, useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { failureOf, type Failure } from '../api/client';
import { MoveConsumersDocument, type ConsumerAllocationsInput } from '../generated/common/operations';
import { ActionDialog } from './actionDialog';
import { formatCount } from './format';
import { losesTraits, LostTraits, type Losing } from './lostTraits';

interface MoveButtonProps {
  /** The moves. Each step is one transaction. */
  readonly steps: readonly (readonly ConsumerAllocationsInput[])[];
  /** The moves of the plan. If they lose traits, the user must accept that. */
  readonly moves: readonly Losing[];
  /** The text of the button and the question, such as "Move 3 consumers". */
  readonly label: string;
  /** The effects of the moves. */
  readonly children: ReactNode;
  /** Called with the number of moves when the dialog closes, if any was done. */
  readonly onMoved: (count: number) => void;
}

/**
 * Carries out the moves of a plan step by step. Stops at the first step that fails, for example
 * because a consumer has changed.
 */
export function MoveButton({ steps, moves, label, children, onMoved }: MoveButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const [isAccepted, setIsAccepted] = useState(false);
  const [shown, setShown] = useState(0);
  const done = useRef(0);
  const [, move] = useMutation(MoveConsumersDocument);
  const run = async (): Promise<Failure | null> => {
    for (const consumers of steps.slice(done.current)) {
      const { data, error } = await move({ input: { consumers: [...consumers] } });
      const failure = failureOf(error, data?.setAllocations);
      if (failure !== null) return failure;
      setShown(++done.current);
    }
    return null;
  };
  const close = (): void => {
    setIsAsked(false);
    if (done.current > 0) onMoved(steps.slice(0, done.current).flat().length);
  };
  return (
    <>
      <button type="button" className="small" onClick={() => setIsAsked(true)}>
        {label}
      </button>
      {isAsked && (
        <ActionDialog
          title={`${label}?`}
          action="Move"
          run={run}
          canRun={isAccepted || !losesTraits(moves)}
          onClose={close}
        >
          {children}
          <LostTraits moves={moves} isAccepted={isAccepted} onAccept={setIsAccepted} />
          {steps.length > 1 && shown > 0 && (
            <p role="status">
              {shown} of {formatCount(steps.length, 'move')} done
            </p>
          )}
        </ActionDialog>
      )}
    </>
  );
}

interface MovedConsumer {
  readonly uuid: string;
  readonly projectId: string | null;
  readonly userId: string | null;
}

/** Returns the input that moves a consumer to the allocations of a claim token. */
export function moveTo(
  { uuid, projectId, userId }: MovedConsumer,
  generation: number,
  claimToken: string,
): ConsumerAllocationsInput {
  const owner = { projectId: projectId ?? '', userId: userId ?? '' };
  return { consumer: uuid, generation, ...owner, allocations: { claimToken } };
}
