import { DomainError } from '../domain/errors.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';

/** Nothing fits what a claim asks for. */
export class NoCandidates extends DomainError {
  readonly code = 'NO_CANDIDATES';
  constructor(
    /** Where nothing was found, and what was looked for. */
    readonly searched: { readonly snapshot: Snapshot; readonly request: CandidatesRequest },
    count: number,
    /** False where ways to place the consumers together were left untried. */
    isProven: boolean,
  ) {
    super(
      isProven
        ? `nothing fits the request${count === 1 ? '' : ` for ${count} consumers together`}`
        : `no way to place ${count} consumers together was found with the effort that is allowed`,
    );
  }
}
