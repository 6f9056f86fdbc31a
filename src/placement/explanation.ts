import { explain, type CandidateExplanation } from '../engine/explanation/explanation.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import type { Operation } from '../runtime/operation.js';
import { resultInSlices } from './timeSlices.js';

export function explainCandidates(
  snapshot: Snapshot,
  request: CandidatesRequest,
  operation: Operation,
): Promise<CandidateExplanation> {
  return resultInSlices((effort) => explain(snapshot, request, effort), operation);
}
