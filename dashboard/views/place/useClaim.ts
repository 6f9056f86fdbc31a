import { useState } from 'react';
import { useMutation } from 'urql';
import { failureOf, isUncertain, type Failure } from '../../api/client';
import { ClaimCandidateDocument, type ConsumerAllocationsInput } from '../../generated/place/operations';

/** Which attempt made the claim: this one or an earlier one whose answer was lost. Null: the claim failed. */
export type ClaimResult = 'now' | 'earlier' | null;

/** Claims for new consumers. Repeat a failed claim with the same consumers: then nothing is claimed twice. */
export function useClaim() {
  const [{ fetching }, set] = useMutation(ClaimCandidateDocument);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [mayBeClaimed, setMayBeClaimed] = useState(false);
  const claim = async (consumers: ConsumerAllocationsInput[]): Promise<ClaimResult> => {
    const { data, error } = await set({ input: { consumers } }, RENEWED);
    const reason = failureOf(error, data?.setAllocations);
    const wasClaimed = mayBeClaimed && reason?.code === 'CONSUMER_GENERATION_CONFLICT';
    const isClaimed = reason === null || wasClaimed;
    setFailure(isClaimed ? null : reason);
    setMayBeClaimed(!isClaimed && (mayBeClaimed || isUncertain(reason)));
    return isClaimed ? (wasClaimed ? 'earlier' : 'now') : null;
  };
  return { claim, isBusy: fetching, failure, mayBeClaimed };
}

/** The candidates are read again after any result: other writers may have taken their resources. */
const RENEWED = { additionalTypenames: ['AllocationCandidates', 'Headroom', 'Project'] };
