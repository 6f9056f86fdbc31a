import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { requestOf } from '../support/claims.js';
import { createMigHost } from '../support/migHost.js';

const { api } = useApi();

interface Summary {
  readonly resourceProvider: { readonly name: string };
  readonly resources: readonly {
    readonly resourceClass: { readonly name: string };
    readonly consumesCounters: boolean;
  }[];
}

test('the summaries of a candidate mark the inventories that consume counters', async () => {
  await createMigHost(api, 'host', 'A30-24GB');
  const { allocationCandidates } = await api.read<{
    allocationCandidates: { providerSummaries: readonly Summary[] };
  }>(
    `query ($request: AllocationCandidatesInput!) {
      allocationCandidates(request: $request, limit: 1) {
        providerSummaries {
          resourceProvider { name }
          resources { resourceClass { name } consumesCounters }
        }
      }
    }`,
    { request: requestOf({ CUSTOM_MIG_1G_6GB: 1 }) },
  );
  const marks = allocationCandidates.providerSummaries.flatMap(({ resourceProvider, resources }) =>
    resources.map(({ consumesCounters }) => `${resourceProvider.name} ${consumesCounters}`),
  );
  const partitions = marks.filter((mark) => mark.endsWith('true'));
  expect(partitions).toHaveLength(13);
  expect(partitions).toContain('host-gpu-0-1g.6gb-0 true');
  expect(marks.filter((mark) => mark.endsWith('false'))).toEqual(Array(8).fill('host-gpu-0 false'));
});
