import { once } from '../../model/collections.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Workload } from '../workload/workload.js';

/** A consumer that may move, with its own request and the providers that it uses. */
interface Mover {
  readonly uuid: string;
  readonly request: CandidatesRequest;
  readonly providers: readonly string[];
}

/** What the requests of movers demand of the consumers of a member. */
interface Demands {
  readonly away: readonly Mover[];
  readonly near: readonly Mover[];
}

/**
 * Returns the workload with the relations of movers to its consumers, so that these hold after the claim, too.
 * `isExact` is false if a relation could not be stated by the requests of the members, which is then ignored.
 *
 * @param consumers the uuids of the consumers, by member
 */
export function withMoverRelations(
  workload: Workload,
  consumers: readonly (readonly string[])[],
  movers: readonly Mover[],
): { readonly workload: Workload; readonly isExact: boolean } {
  const own = new Set(consumers.flat());
  const related = movers.filter(({ request: { awayFromConsumers, nearConsumers } }) =>
    [...awayFromConsumers, ...nearConsumers].some((uuid) => own.has(uuid)),
  );
  if (related.length === 0) return { workload, isExact: true };
  let isExact = true;
  const demands = consumers.map((uuids, member): Demands => {
    const away = related.filter(({ request: { awayFromConsumers } }) => {
      const named = uuids.filter((uuid) => awayFromConsumers.includes(uuid));
      if (named.length > 0 && named.length < uuids.length) isExact = false;
      return named.length === uuids.length;
    });
    const isFree = workload.members[member].requests.every(({ nearConsumers }) => nearConsumers.length === 0);
    const near = related.filter(({ request: { nearConsumers } }) => {
      if (!nearConsumers.some((uuid) => uuids.includes(uuid))) return false;
      const isStatable = nearConsumers.length === 1 && uuids.length === 1 && isFree;
      if (!isStatable) isExact = false;
      return isStatable;
    });
    // One of several consumers would suffice for a request.
    if (near.length > 1) isExact = false;
    return { away, near: near.length > 1 ? [] : near };
  });
  const members = workload.members.map((member, at) => ({
    ...member,
    requests: member.requests.map(once((request: CandidatesRequest) => withDemands(request, demands[at]))),
  }));
  return { workload: { ...workload, members }, isExact };
}

function withDemands(request: CandidatesRequest, { away, near }: Demands): CandidatesRequest {
  if (away.length === 0 && near.length === 0) return request;
  const added = [...away, ...near].map(({ uuid, providers }) => [uuid, providers] as const);
  return {
    ...request,
    awayFromConsumers: [...new Set([...request.awayFromConsumers, ...away.map(({ uuid }) => uuid)])],
    nearConsumers: near.length === 0 ? request.nearConsumers : near.map(({ uuid }) => uuid),
    holdings: new Map([...(request.holdings ?? []), ...added]),
  };
}
