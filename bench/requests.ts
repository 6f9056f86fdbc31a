import { groupOf, requestOf, type CandidatesRequest, type RequestGroup } from '../src/model/request.js';
import type { FleetTargets } from './targets.js';

/** Selects everything that OpenStack Placement returns for the same request. */
export const CANDIDATES = `query ($request: AllocationCandidatesInput!, $limit: Int) {
  allocationCandidates(request: $request, limit: $limit) {
    allocationRequests {
      allocations { resourceProvider { uuid } resources { resourceClass { name } amount } }
      mappings { suffix resourceProviders { uuid } }
    }
    providerSummaries {
      resourceProvider { uuid parent { uuid } root { uuid } }
      resources { resourceClass { name } capacity used }
      traitNames
    }
    complete
  }
}`;

/** A claim that searches. */
export const CLAIM = `mutation ($input: ClaimInput!) {
  claim(input: $input) {
    __typename
    ... on ClaimPayload {
      claims {
        consumer { uuid generation }
        allocationRequest { allocations { resourceProvider { uuid } resources { resourceClass { name } amount } } }
      }
    }
    ... on UserError { message }
  }
}`;

/** The input of a claim of one member. */
export function claimInput(request: object, consumers: readonly object[]): object {
  return { members: [{ name: 'bench', requests: [request], consumers }] };
}

/** A claim of given providers. */
export const SET_ALLOCATIONS = `mutation ($input: SetAllocationsInput!) {
  setAllocations(input: $input) {
    __typename
    ... on SetAllocationsPayload { consumers { uuid generation } }
    ... on UserError { message }
  }
}`;

/** The owner of all consumers. */
export const OWNER = { projectId: 'project-01', userId: 'user-01' };

export const amounts = (of: Readonly<Record<string, number>>) =>
  Object.entries(of).map(([resourceClass, amount]) => ({ resourceClass, amount }));

/** Returns the allocations of a consumer on one provider. A new consumer has no generation. */
export const allocationsOn = (
  consumer: string,
  provider: string,
  of: Readonly<Record<string, number>>,
  generation?: number,
) => ({
  consumer,
  generation,
  ...OWNER,
  allocations: { providers: [{ resourceProvider: { uuid: provider }, resources: amounts(of) }] },
});

/** A claim of two classes on one provider. */
export const claimOf = (consumer: string, provider: string) => ({
  type: 'INSTANCE',
  ...allocationsOn(consumer, provider, { VCPU: 1, MEMORY_MB: 256 }),
});

/** The part of an answer that the benchmark reads. */
export interface CandidatesAnswer {
  readonly allocationCandidates: { readonly allocationRequests: readonly unknown[] };
}

/** A trait that q4 forbids and no provider has. It must exist. */
export const UNUSED_TRAIT = 'CUSTOM_FOO';

export type FleetQuery = 'q1' | 'q2' | 'q3' | 'q4' | 'q5' | 'q6';

export const FLEET_QUERIES: readonly FleetQuery[] = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'];

/** Returns the six requests to the fleet. */
export function fleetRequests({ zone, host }: FleetTargets): Record<FleetQuery, CandidatesRequest> {
  return {
    q1: requestOf([group('', MACHINE)]),
    q2: requestOf([group('', MACHINE, { requiredTraits: [['HW_CPU_X86_AVX2']], memberOf: [[zone]] })]),
    q3: requestOf(
      [
        group('', { DISK_GB: 20 }),
        group('_COMPUTE', { VCPU: 4, MEMORY_MB: 8_192 }),
        group('_NUMA', {}, { requiredTraits: [['HW_NUMA_ROOT']] }),
        group('_NET1', { SRIOV_NET_VF: 1 }, { requiredTraits: [['CUSTOM_PHYSNET_1']] }),
        group('_NET2', { SRIOV_NET_VF: 1 }, { requiredTraits: [['CUSTOM_PHYSNET_2']] }),
      ],
      { sameSubtree: [{ groups: ['_NUMA', '_COMPUTE', '_NET1', '_NET2'], except: [] }] },
    ),
    q4: requestOf([group('', MACHINE)], {
      rootRequiredTraits: [['COMPUTE_VOLUME_MULTI_ATTACH']],
      rootForbiddenTraits: [UNUSED_TRAIT],
    }),
    q5: requestOf([group('', { VCPU: 4, MEMORY_MB: 8_192, VGPU: 5 })]),
    q6: requestOf([group('', MACHINE, { inTree: host })]),
  };
}

/** Isolated groups of one device each, in the tree of one host. */
export function deviceRequest(host: string, groups: number): CandidatesRequest {
  const one = { CUSTOM_BENCH_DEVICE: 1 };
  return requestOf(
    Array.from({ length: groups }, (_, index) => group(`_D${index + 1}`, one, { inTree: host })),
    { groupPolicy: 'ISOLATE' },
  );
}

const MACHINE = { VCPU: 4, MEMORY_MB: 8_192, DISK_GB: 20 };

/** A group with these amounts and conditions. */
export function group(
  suffix: string,
  of: Readonly<Record<string, number>>,
  conditions: Partial<RequestGroup> = {},
): RequestGroup {
  return groupOf(suffix, amounts(of), conditions);
}

/** The same requests as inputs of the API. */
export function fleetInputs(targets: FleetTargets): Record<FleetQuery, object> {
  const inputs = Object.entries(fleetRequests(targets)).map(([query, each]) => [query, inputOf(each)]);
  return Object.fromEntries(inputs) as Record<FleetQuery, object>;
}

/** Converts a request to the input of the API, with references to providers and aggregates. */
export function inputOf(request: CandidatesRequest): object {
  const reference = (uuid: string): object => ({ uuid });
  return {
    ...request,
    excludedRootTraits: undefined, // not part of the input
    groups: request.groups.map((each) => ({
      ...each,
      memberOf: each.memberOf.map((all) => all.map(reference)),
      inTree: each.inTree && reference(each.inTree),
    })),
  };
}
