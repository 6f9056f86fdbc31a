import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CandidatesRequest } from '../../src/engine/model/request.js';
import { candidateKeys, type Answer } from '../support/answers.js';
import { startApi, type Api } from '../support/api.js';
import { toRequest, type CaseRequest } from '../support/caseRequests.js';
import { recordedAnswer, recordedFiles, recordedForest } from '../support/conformance.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { loadForest } from '../support/loadForest.js';

const DOCUMENT = `query ($request: AllocationCandidatesInput!) {
  allocationCandidates(request: $request) {
    complete
    allocationRequests {
      allocations { resourceProvider { uuid } resources { resourceClass amount } }
      mappings { suffix resourceProviders { uuid } }
    }
    providerSummaries {
      resourceProvider { uuid parent { uuid } root { uuid } }
      resources { resourceClass capacity used }
      traitNames
    }
  }
}`;

interface Provider {
  readonly uuid: string;
}

interface Found {
  readonly complete: boolean;
  readonly allocationRequests: {
    readonly allocations: {
      readonly resourceProvider: Provider;
      readonly resources: { readonly resourceClass: string; readonly amount: number }[];
    }[];
    readonly mappings: { readonly suffix: string; readonly resourceProviders: Provider[] }[];
  }[];
  readonly providerSummaries: {
    readonly resourceProvider: Provider & { readonly parent: Provider | null; readonly root: Provider };
    readonly resources: {
      readonly resourceClass: string;
      readonly capacity: number;
      readonly used: number;
    }[];
    readonly traitNames: string[];
  }[];
}

let database: TestDatabase;
let api: Api;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database);
});

afterAll(async () => {
  await api.close();
  await database.close();
});

test.each(recordedFiles())('over HTTP the server answers %s as the reference did', async (file) => {
  const forest = recordedForest(file);
  await loadForest(database, forest, forest.cases.flatMap(traitsNamed));
  for (const [index, { request, expected }] of forest.cases.entries()) {
    const answer = await ask(toRequest(request, forest));
    const recorded = recordedAnswer(forest, expected);
    expect({ case: index, keys: candidateKeys(answer.candidates) }).toEqual({
      case: index,
      keys: candidateKeys(recorded.candidates),
    });
    expect({ case: index, summaries: answer.summaries }).toEqual({
      case: index,
      summaries: recorded.summaries,
    });
  }
});

async function ask(request: CandidatesRequest): Promise<Answer> {
  const { data, errors } = await api.query<{ allocationCandidates: Found }>(DOCUMENT, { request });
  expect(errors).toBeUndefined();
  const found = data.allocationCandidates;
  expect(found.complete).toBe(true);
  return {
    candidates: found.allocationRequests.map(({ allocations, mappings }) => ({
      allocations: Object.fromEntries(
        allocations.map(({ resourceProvider, resources }) => [
          resourceProvider.uuid,
          Object.fromEntries(resources.map(({ resourceClass, amount }) => [resourceClass, amount])),
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
            resources.map(({ resourceClass, capacity, used }) => [resourceClass, { capacity, used }]),
          ),
          traits: traitNames,
          parent: resourceProvider.parent?.uuid ?? null,
          root: resourceProvider.root.uuid,
        },
      ]),
    ),
  };
}

/** Every trait that a request names must be in the catalog, also where no provider has it. */
function traitsNamed({ request }: { request: CaseRequest }): string[] {
  const ofGroups = request.groups.flatMap(({ required, forbidden }) => [
    ...(required ?? []),
    ...(forbidden ?? []),
  ]);
  return [...ofGroups, ...(request.rootRequired ?? []), ...(request.rootForbidden ?? [])].flat();
}
