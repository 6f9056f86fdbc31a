import { once } from '../../model/collections.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { InnerStatement } from './innerStatement.js';
import type { Workload } from './workload.js';

/**
 * Returns the workload with requests that name none of its consumers, and the relations between these. They
 * are judged by the positions after the change (decision D22). Where a request of one consumer names of
 * the workload only this consumer, it stays as it is: it means the position before, which a move leaves.
 */
export function separateRelations(workload: Workload, consumers: readonly (readonly string[])[]): Workload {
  const all = new Set(consumers.flat());
  const separated = workload.members.map(({ requests }, member) => {
    const own = consumers[member].length === 1 ? consumers[member][0] : null;
    return requests.map(once((request: CandidatesRequest) => separate(request, all, own)));
  });
  if (separated.flat().every(({ statement }) => statement === null)) return workload;
  return {
    ...workload,
    members: workload.members.map((member, at) => ({
      ...member,
      requests: separated[at].map(({ request }) => request),
    })),
    relations: {
      consumers: consumers.flat(),
      statements: separated.map((requests) => requests.map(({ statement }) => statement)),
    },
  };
}

interface Separated {
  readonly request: CandidatesRequest;
  readonly statement: InnerStatement | null;
}

function separate(request: CandidatesRequest, all: ReadonlySet<string>, own: string | null): Separated {
  const { awayFromConsumers, nearConsumers, orderBy, holdings } = request;
  const innerIn = (uuids: readonly string[]): readonly string[] => {
    const inner = uuids.filter((uuid) => all.has(uuid));
    return inner.every((uuid) => uuid === own) ? [] : inner;
  };
  const away = innerIn(awayFromConsumers);
  const isNear = innerIn(nearConsumers).length > 0;
  const preferred = orderBy.map((term) => innerIn(term.nearConsumers ?? []));
  if (away.length === 0 && !isNear && preferred.every((uuids) => uuids.length === 0))
    return { request, statement: null };
  const outer = (uuids: readonly string[]): string[] => uuids.filter((uuid) => !all.has(uuid));
  return {
    request: {
      ...request,
      awayFromConsumers: away.length > 0 ? outer(awayFromConsumers) : awayFromConsumers,
      nearConsumers: isNear ? [] : nearConsumers,
      orderBy: orderBy.map((term, at) =>
        preferred[at].length > 0 ? { ...term, nearConsumers: outer(term.nearConsumers!) } : term,
      ),
    },
    statement: {
      awayFromConsumers: away,
      nearConsumers: isNear ? nearConsumers : [],
      preferred,
      holdings,
    },
  };
}
