import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, newConsumers, requestOf, setAllocations } from '../support/claims.js';
import { aggregate, uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';
import type { AllocationRequest } from '../support/shapes.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();

const provider = (name: string) => ({ uuid: uuidOf('provider', name) });
const vcpu = (amount: number, group?: object) => requestOf({ VCPU: amount }, group);

/** A zone of two hosts, one of another zone, and the storage of all. */
useForest(
  database,
  `
    one      @zone @all
      node   VCPU:8
    two      VCPU:4 @zone @all
    three    VCPU:8 @all
    storage  DISK_GB:100 @all sharing
  `,
);

interface Answer {
  readonly headroom: { count: number; trees: number };
  readonly allocationCandidates: {
    allocationRequests: readonly AllocationRequest[];
    explanation: { summary: string };
  };
}

/** Asks for the headroom and the candidates of a request in a modified fleet. */
async function ask(whatIf: object | null, request: object = vcpu(4)): Promise<Answer> {
  const data = await api.read<Answer>(
    `query ($request: AllocationCandidatesInput!, $whatIf: WhatIfInput) {
      headroom(request: $request, whatIf: $whatIf) { count trees }
      allocationCandidates(request: $request, whatIf: $whatIf) {
        allocationRequests { claimToken allocations { resourceProvider { uuid name root { name } } } }
        explanation { summary }
      }
    }`,
    { request, whatIf },
  );
  return data;
}

const hostsIn = ({ allocationCandidates }: Answer): string[] =>
  allocationCandidates.allocationRequests
    .map(({ allocations: [{ resourceProvider }] }) => resourceProvider.root.name)
    .sort();

describe('a modified fleet', () => {
  test('lacks removed trees and what is allocated there', async () => {
    const before = await ask(null);
    expect([before.headroom, hostsIn(before)]).toEqual([{ count: 5, trees: 3 }, ['one', 'three', 'two']]);
    const without = await unchanged(database, () =>
      ask({ remove: { aggregate: { uuid: aggregate('zone') } } }),
    );
    expect([without.headroom, hostsIn(without)]).toEqual([{ count: 2, trees: 1 }, ['three']]);
    const one = await ask({ remove: { providers: [provider('node')] } });
    expect(hostsIn(one)).toEqual(['three', 'two']);
    const none = await ask({ remove: { providers: [provider('one'), provider('three')] } }, vcpu(5));
    expect(none.allocationCandidates.explanation.summary).toContain('at most 4 VCPU');
    expect(hostsIn(await ask(null))).toEqual(['one', 'three', 'two']);
  });

  test('has empty copies of whole trees, with uuids that stay the same', async () => {
    await claimed(api, { [provider('node').uuid]: { VCPU: 8 } });
    const whatIf = { add: [{ copyOf: provider('node'), count: 20 }] };
    const answer = await ask(whatIf, vcpu(8));
    expect(answer.headroom).toEqual({ count: 21, trees: 21 });
    expect(hostsIn(answer)).toContain('one (copy 1.20)');
    const uuids = (all: Answer) =>
      all.allocationCandidates.allocationRequests
        .map(({ allocations }) => allocations[0].resourceProvider.uuid)
        .sort();
    expect(uuids(await ask(whatIf, vcpu(8)))).toEqual(uuids(answer));
    const { claimToken } = answer.allocationCandidates.allocationRequests.find(({ allocations }) =>
      allocations[0].resourceProvider.name.includes('copy'),
    )!;
    const outcome = await setAllocations(api, { ...newConsumers()[0], allocations: { claimToken } });
    expect(outcome).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('has copies whose nested fields are empty, because the database has no such providers', async () => {
    const fields =
      'name parent { name } root { name } children { name } ancestors { name } inventories { total }';
    const { data, errors } = await api.query(
      `query ($request: AllocationCandidatesInput!, $whatIf: WhatIfInput) {
        allocationCandidates(request: $request, whatIf: $whatIf) {
          allocationRequests {
            allocations { resourceProvider { ${fields} traits { name } sharingProviders { name } createdAt } }
          }
        }
      }`,
      {
        request: vcpu(1),
        whatIf: {
          remove: { providers: [provider('one'), provider('two'), provider('three')] },
          add: [{ copyOf: provider('one') }],
        },
      },
    );
    expect({ data, errors }).toMatchObject({
      data: {
        allocationCandidates: {
          allocationRequests: [
            {
              allocations: [
                {
                  resourceProvider: {
                    name: 'node (copy 1.1)',
                    parent: { name: 'one (copy 1.1)' },
                    root: { name: 'one (copy 1.1)' },
                    inventories: [],
                    traits: [],
                  },
                },
              ],
            },
          ],
        },
      },
    });
  });

  test('copies a tree before it is removed, and scales copies as well', async () => {
    const answer = await ask(
      {
        remove: { providers: [provider('one'), provider('three')] },
        add: [{ copyOf: provider('one') }, { copyOf: provider('storage') }],
        scale: [{ resourceClass: 'VCPU', factor: 1.2 }],
      },
      vcpu(9),
    );
    expect(hostsIn(answer)).toEqual(['one (copy 1.1)']);
  });

  test('keeps the links of shared storage', async () => {
    const both = requestOf({ VCPU: 8, DISK_GB: 60 });
    expect((await ask(null, both)).headroom.count).toBe(1);
    const more = { add: [{ copyOf: provider('storage'), count: 1 }] };
    expect((await ask(more, both)).headroom.count).toBe(2);
    expect((await ask({ scale: [{ resourceClass: 'DISK_GB', factor: 0 }] }, both)).headroom.count).toBe(0);
    expect((await ask({ remove: { providers: [provider('storage')] } }, both)).headroom.count).toBe(0);
  });

  test('is the fleet of plans', async () => {
    const consumer = await claimed(api, { [provider('node').uuid]: { VCPU: 7 } });
    const data = await api.read<{
      drain: { complete: boolean; moves: { allocationRequest: { allocations: object[] } | null }[] };
      workload: { outcome: string };
      without: { outcome: string };
    }>(
      `query ($one: ProviderRef!, $without: WhatIfInput, $input: ClaimInput!) {
        drain: planDrain(from: { providers: [$one] }, whatIf: $without) {
          complete
          moves { allocationRequest { allocations { resourceProvider { name } } } }
        }
        workload: planWorkload(input: $input) { outcome }
        without: planWorkload(input: $input, whatIf: $without) { outcome }
      }`,
      {
        one: provider('one'),
        without: { remove: { providers: [provider('three')] }, add: [{ copyOf: provider('one') }] },
        input: {
          members: [
            {
              name: 'm',
              requests: [vcpu(8, { inTree: provider('three') })],
              consumers: newConsumers(),
            },
          ],
        },
      },
    );
    expect(consumer).toBeDefined();
    expect(data.drain).toMatchObject({
      complete: true,
      moves: [{ allocationRequest: { allocations: [{ resourceProvider: { name: 'node (copy 1.1)' } }] } }],
    });
    expect([data.workload.outcome, data.without.outcome]).toEqual(['FOUND', 'IMPOSSIBLE']);
  });
});

test('an invalid modification is INVALID_INPUT with its path', async () => {
  const document = `query ($whatIf: WhatIfInput) {
    headroom(request: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }, whatIf: $whatIf) { count }
  }`;
  const unknown = { uuid: randomUUID() };
  const [one, two] = [provider('one'), provider('two')];
  const scale = (...factors: number[]) => factors.map((factor) => ({ resourceClass: 'VCPU', factor }));
  const cases: [path: string, whatIf: object][] = [
    ['whatIf.remove.providers.0', { remove: { providers: unknown } }],
    ['whatIf.remove.providers', { remove: { providers: [] } }],
    ['whatIf.remove.providers.1', { remove: { providers: [one, provider('node')] } }],
    ['whatIf.remove.aggregate', { remove: { aggregate: unknown } }],
    ['whatIf.add.0.copyOf', { add: { copyOf: unknown } }],
    ['whatIf.add.0.copyOf.name', { add: { copyOf: { name: 'none' } } }],
    ['whatIf.add.0.count', { add: { copyOf: one, count: 0 } }],
    ['whatIf.add.0.count', { add: { copyOf: one, count: 1001 } }],
    ['whatIf', { remove: { providers: two }, add: { copyOf: one, count: 1000 } }], // more than 1000 trees
    ['whatIf.scale.0.resourceClass', { scale: { resourceClass: 'CUSTOM_X', factor: 1 } }],
    ['whatIf.scale.1.resourceClass', { scale: scale(1, 2) }],
    ['whatIf.scale.0.factor', { scale: scale(-0.1) }],
    ['whatIf.scale.0.factor', { scale: scale(1001) }],
  ];
  for (const [path, whatIf] of cases)
    expect(await api.failure(document, { whatIf })).toMatchObject(invalidInput(path));
});
