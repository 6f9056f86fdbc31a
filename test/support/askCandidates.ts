import type { CandidatesRequest } from '../../src/model/request.js';
import type { Answer } from './answers.js';
import type { Api } from './api.js';
import { withReferences } from './references.js';
import type { AllocationRequest, Total } from './shapes.js';

const DOCUMENT = `query ($request: AllocationCandidatesInput!, $limit: Int) {
  allocationCandidates(request: $request, limit: $limit) {
    complete
    allocationRequests {
      allocations { resourceProvider { uuid } resources { resourceClass { name } amount } }
      mappings { suffix resourceProviders { uuid } }
    }
    providerSummaries {
      resourceProvider { uuid parent { uuid } root { uuid } }
      resources { resourceClass { name } capacity used }
      traitNames
    }
  }
}`;

interface Found {
  readonly complete: boolean;
  readonly allocationRequests: readonly AllocationRequest[];
  readonly providerSummaries: readonly {
    readonly resourceProvider: {
      readonly uuid: string;
      readonly parent: { readonly uuid: string } | null;
      readonly root: { readonly uuid: string };
    };
    readonly resources: readonly Total[];
    readonly traitNames: string[];
  }[];
}

/**
 * Asks the server for all candidates, or for `limit` of them. Returns the answer in the common
 * shape of all answers.
 */
export async function askCandidates(api: Api, request: CandidatesRequest, limit?: number): Promise<Answer> {
  // the server reads the allocations of consumers itself and has the setting; one provider per tree is for REST only
  const ofServer = {
    holdings: undefined,
    excludedRootTraits: undefined,
    ownProviders: undefined,
    oneProviderPerTree: undefined,
  };
  const input = withReferences('AllocationCandidatesInput', { ...request, ...ofServer });
  const data = await api.read<{ allocationCandidates: Found }>(DOCUMENT, {
    request: input,
    limit,
  });
  const found = data.allocationCandidates;
  if (!found.complete && limit === undefined) throw new Error('the answer is not complete');
  return {
    candidates: found.allocationRequests.map(({ allocations, mappings }) => ({
      allocations: Object.fromEntries(
        allocations.map(({ resourceProvider, resources }) => [
          resourceProvider.uuid,
          Object.fromEntries(resources.map(({ resourceClass: { name }, amount }) => [name, amount])),
        ]),
      ),
      mappings: Object.fromEntries(
        mappings.map(({ suffix, resourceProviders }) => [
          suffix,
          resourceProviders.map(({ uuid }) => uuid).sort(),
        ]),
      ),
    })),
    summaries: Object.fromEntries(
      found.providerSummaries.map(({ resourceProvider, resources, traitNames }) => [
        resourceProvider.uuid,
        {
          resources: Object.fromEntries(
            resources.map(({ resourceClass: { name }, capacity, used }) => [name, { capacity, used }]),
          ),
          traits: traitNames,
          parent: resourceProvider.parent?.uuid ?? null,
          root: resourceProvider.root.uuid,
        },
      ]),
    ),
  };
}
