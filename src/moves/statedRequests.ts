import { ensure } from '../model/input.js';
import { checkLength, type CandidatesRequest } from '../model/request.js';
import { validateIn } from '../search/candidateSearch.js';
import type { Snapshot } from '../fleet/snapshot.js';

/** A request for one consumer, or for all consumers of a type: one of them is null. */
export interface StatedRequest {
  readonly consumer: string | null;
  readonly consumerType: string | null;
  readonly request: CandidatesRequest;
  /** Defaults to the plan's own seed. */
  readonly seed: number | null;
}

/** @throws InvalidInput unless each request is valid and for one consumer or type, without repetition */
export function checkRequests(snapshot: Snapshot, requests: readonly StatedRequest[]): void {
  checkLength(requests, ['requests']);
  const seen = new Set<string>();
  const valid = new Set<CandidatesRequest>();
  requests.forEach(({ consumer, consumerType, request }, position) => {
    const path = ['requests', String(position)];
    const whom = consumer === null ? `consumer type ${consumerType}` : `consumer ${consumer}`;
    ensure(!seen.has(whom), path, `${whom} is given twice`);
    seen.add(whom);
    if (valid.has(request)) return;
    validateIn(snapshot, request, [...path, 'request']);
    valid.add(request);
  });
}

/** Finds the request that the client has stated for a consumer. */
export class StatedRequests {
  /** The positions by consumer and by type; null is the key of the requests of the other kind. */
  private readonly ofConsumer: ReadonlyMap<string | null, number>;
  private readonly ofType: ReadonlyMap<string | null, number>;

  constructor(readonly all: readonly StatedRequest[]) {
    this.ofConsumer = new Map(all.map(({ consumer }, at) => [consumer, at]));
    this.ofType = new Map(all.map(({ consumerType }, at) => [consumerType, at]));
  }

  /** Returns the position of the request of a consumer, else of its type; null if there is none. */
  positionFor(uuid: string, type: string | null): number | null {
    const ofType = type === null ? undefined : this.ofType.get(type);
    return this.ofConsumer.get(uuid) ?? ofType ?? null;
  }
}
