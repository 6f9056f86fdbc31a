import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { amounts, claimInput, newConsumers, requestOf } from '../support/claims.js';
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

test('counters limit free amounts of totals, of the map and of filters, but not `available` of an inventory', async () => {
  await createMigHost(api, 'host-2', 'A30-24GB');
  const whole = 'CUSTOM_MIG_4G_24GB';
  const read = async () => {
    const { fleetTotals, fleetMap, resourceProviders } = await api.read<{
      fleetTotals: { nodes: { available: number }[] };
      fleetMap: { available: number[] };
      resourceProviders: { nodes: unknown[] };
    }>(
      `query ($inTree: ProviderRef!, $resources: [ResourceAmountInput!]!, $whole: String!) {
        fleetTotals(filter: { inTree: $inTree, resourceClass: $whole }) { nodes { available } }
        fleetMap(resourceClass: $whole, inTrees: [$inTree]) { available }
        resourceProviders(filter: { inTree: $inTree, resources: $resources }) { nodes { name } }
      }`,
      { inTree: { name: 'host-2' }, resources: amounts({ [whole]: 1 }), whole },
    );
    return [fleetTotals.nodes[0].available, fleetMap.available[0], resourceProviders.nodes.length];
  };
  const inventory = async () => {
    const { resourceProvider } = await api.read<{ resourceProvider: { inventories: object[] } }>(
      '{ resourceProvider(by: { name: "host-2-gpu-0-4g.24gb-0" }) { inventories { used available } } }',
    );
    return resourceProvider.inventories;
  };
  expect([await read(), await inventory()]).toEqual([[1, 1, 1], [{ used: 0, available: 1 }]]);
  const request = requestOf({ CUSTOM_MIG_1G_6GB: 1 }, { inTree: { name: 'host-2' } });
  await api.mutate('claim', claimInput(request, newConsumers()), '__typename');
  expect([await read(), await inventory()]).toEqual([[0, 0, 0], [{ used: 0, available: 1 }]]);
});
