import { useState } from 'react';
import { useMutation } from 'urql';
import { failureOf, type Failure } from '../../../api/client';
import { useViewer } from '../../../api/viewer';
import { ActionDialog } from '../../../components/actionDialog';
import { formatCount } from '../../../components/format';
import { GrowWorkloadDocument, type ClaimInput } from '../../../generated/place/operations';
import type { PlannedWorkload } from './usePlannedWorkload';
import { claimOfPlan } from './workload';

interface GrowFormProps {
  readonly plan: PlannedWorkload['plans']['plans'][number];
  readonly input: ClaimInput;
  readonly onPlan: () => void;
}

/** Claims the new consumers of a named workload together with its existing ones. */
export function GrowForm({ plan, input, onPlan }: GrowFormProps) {
  const { may } = useViewer();
  const [isAsked, setIsAsked] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const [, claim] = useMutation(GrowWorkloadDocument);
  if (!may('allocate')) return null;
  if (isDone)
    return (
      <p className="claimed" role="status">
        The workload {input.workload?.name} has {formatCount(plan.consumers.length, 'consumer')}.
      </p>
    );
  const run = async (): Promise<Failure | null> => {
    const { data, error } = await claim({ input: claimOfPlan(input, plan.seed) }, RENEWED);
    const failure = failureOf(error, data?.claim);
    if (failure === null) setIsDone(true);
    return failure;
  };
  return (
    <div className="panel-head">
      <button type="button" className="primary" onClick={() => setIsAsked(true)}>
        Grow the workload
      </button>
      <button type="button" className="small" onClick={onPlan}>
        Plan again
      </button>
      {isAsked && (
        <ActionDialog title="Grow this workload?" action="Claim" run={run} onClose={() => setIsAsked(false)}>
          <p>
            The claim places the workload as planned while the fleet has not changed. It fails if an existing
            consumer has changed since the plan. {formatCount(plan.movedCount, 'existing consumer')} move.
          </p>
        </ActionDialog>
      )}
    </div>
  );
}

const RENEWED = { additionalTypenames: ['AllocationCandidates', 'Headroom', 'Project'] };
