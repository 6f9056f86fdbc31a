import { explain, type CandidateExplanation } from '../engine/explanation/explanation.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import { resultInSlices } from './timeSlices.js';

/** Explains a valid request in a snapshot, yielding to other work between slices. */
export function explainCandidates(
  snapshot: Snapshot,
  request: CandidatesRequest,
  signal?: AbortSignal,
): Promise<CandidateExplanation> {
  return resultInSlices((effort) => explain(snapshot, request, effort), {
    what: 'explaining the candidates',
    signal,
  });
}
