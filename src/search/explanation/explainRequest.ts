import { explain, type CandidateExplanation } from './explanation.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { Operation } from '../../model/operation/operation.js';
import { resultInSlices } from '../timeSlices.js';

export function explainCandidates(
  snapshot: Snapshot,
  request: CandidatesRequest,
  operation: Operation,
): Promise<CandidateExplanation> {
  return resultInSlices((effort) => explain(snapshot, request, effort), operation);
}
