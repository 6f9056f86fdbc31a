import { restQuery } from '../../bench/beside/restQuery.js';
import type { Answer } from '../support/answers.js';
import { toRequest, type CaseGroup, type CaseRequest } from '../support/caseRequests.js';
import type { Forest } from '../support/forest.js';
import type { Reference, RestAnswer } from '../../bench/beside/reference.js';

/** Returns a request without the conditions that only this server has (rule 112, decision D11). */
export function commonPart(request: CaseRequest): CaseRequest {
  const groups = request.groups.map((group): CaseGroup => ({
    ...group,
    canSplit: undefined,
    inSubtree: undefined,
  }));
  return {
    groups,
    sameSubtree: request.sameSubtree?.map((suffixes) => suffixes.filter((one) => !one.startsWith('!'))),
    groupPolicy: request.groupPolicy,
    rootRequired: request.rootRequired?.map((names) => [names].flat()[0]),
    rootForbidden: request.rootForbidden?.filter(
      (name) => !request.rootRequired?.some((names) => [names].flat()[0] === name),
    ),
  };
}

/** Returns false if a group has no condition: it has no parameter, so the reference does not see it. */
export function canBeAsked({ groups }: CaseRequest): boolean {
  return groups.every((group) =>
    Object.values({ ...group, suffix: null }).some((each) => Object.keys(each ?? {}).length > 0),
  );
}

interface RestCandidates {
  readonly allocation_requests: readonly {
    readonly allocations: Record<string, { readonly resources: Record<string, number> }>;
    readonly mappings: Record<string, string[]>;
  }[];
  readonly provider_summaries: Record<
    string,
    {
      readonly resources: Record<string, { capacity: number; used: number }>;
      readonly traits: string[];
      readonly parent_provider_uuid: string | null;
      readonly root_provider_uuid: string;
    }
  >;
}

/** Returns the candidates of the reference, at most `limit`, or its rejection. */
export async function askReference(
  reference: Reference,
  request: CaseRequest,
  forest: Forest,
  limit?: number,
): Promise<Answer | RestAnswer> {
  const most = limit === undefined ? '' : `&limit=${limit}`;
  const answer = await reference.send(
    'GET',
    `/allocation_candidates?${restQuery(toRequest(request, forest))}${most}`,
  );
  if (answer.status !== 200) return answer;
  const found = answer.body as RestCandidates;
  return {
    candidates: found.allocation_requests.map(({ allocations, mappings }) => ({
      allocations: Object.fromEntries(
        Object.entries(allocations).map(([uuid, { resources }]) => [uuid, resources]),
      ),
      mappings: Object.fromEntries(
        Object.entries(mappings).map(([suffix, uuids]) => [suffix, [...uuids].sort()]),
      ),
    })),
    summaries: Object.fromEntries(
      Object.entries(found.provider_summaries).map(([uuid, summary]) => [
        uuid,
        {
          resources: summary.resources,
          traits: summary.traits.sort(),
          parent: summary.parent_provider_uuid,
          root: summary.root_provider_uuid,
        },
      ]),
    ),
  };
}
