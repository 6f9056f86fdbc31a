import { DomainError } from '../domain/errors.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';

export class NoCandidates extends DomainError {
  readonly code = 'NO_CANDIDATES';
  constructor(
    /** The failed search. */
    readonly searched: { readonly snapshot: Snapshot; readonly request: CandidatesRequest },
    count: number,
    /** False if some ways to place the consumers were not tried. */
    isProven: boolean,
  ) {
    super(
      isProven
        ? `nothing fits the request${count === 1 ? '' : ` for ${count} consumers together`}`
        : `no way to place ${count} consumers together was found with the effort that is allowed`,
    );
  }
}
