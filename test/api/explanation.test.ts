import { describe, expect, test } from '@jest/globals';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { useApi } from '../support/api.js';
import { requestOf } from '../support/claims.js';

interface Elimination {
  readonly constraint: string;
  readonly detail: string;
  readonly eliminated: number;
  readonly remaining: number;
}

interface Explanation {
  readonly satisfiableWhenEmpty: boolean;
  readonly groups: { suffix: string; considered: number; remaining: number; eliminations: Elimination[] }[];
  readonly combination: Elimination[];
  readonly summary: string;
}

interface Found {
  readonly allocationRequests: object[];
  readonly complete: boolean;
  readonly explanation: Explanation | null;
}

const DOCUMENT = `query ($request: AllocationCandidatesInput!, $limit: Int) {
  allocationCandidates(request: $request, limit: $limit) {
    allocationRequests { __typename }
    complete
    explanation {
      satisfiableWhenEmpty
      groups { suffix considered remaining eliminations { constraint detail eliminated remaining } }
      combination { constraint detail eliminated remaining }
      summary
    }
  }
}`;

const { api } = useApi({ fill: (database) => loadDemoData(database, { hosts: 100 }) });

async function ask(request: object, limit?: number): Promise<Found> {
  return (await api.read<{ allocationCandidates: Found }>(DOCUMENT, { request, limit })).allocationCandidates;
}

const vgpu = (amount: number, group?: object) => requestOf({ VGPU: amount }, group);

describe('explanation', () => {
  test('the explanation names the nearest trees if nothing fits', async () => {
    const { allocationRequests, explanation } = await ask(vgpu(5));
    expect(allocationRequests).toEqual([]);
    expect(explanation).toMatchObject({
      satisfiableWhenEmpty: false,
      groups: [{ suffix: '', considered: 102, remaining: 0 }],
      combination: [{ constraint: 'TREE_LACKS_GROUP', eliminated: 102, remaining: 0 }],
    });
    expect(explanation!.groups[0].eliminations.map(({ constraint }) => constraint)).toEqual([
      'NO_INVENTORY',
      'INSUFFICIENT_CAPACITY',
    ]);
    expect(explanation!.summary).toMatch(
      /^\d+ of 102 trees have VGPU; 0 of \d+ trees have 5 VGPU free: at most \d/,
    );
  });

  test('is about all candidates, whatever the limit, and agrees with them', async () => {
    const all = await ask(vgpu(1));
    const one = await ask(vgpu(1), 1);
    expect(one.complete).toBe(false);
    expect(one.explanation).toEqual(all.explanation);
    const { combination } = all.explanation!;
    expect(combination[combination.length - 1].remaining).toBe(all.allocationRequests.length);
  });

  test('a request for an unknown aggregate has an explanation', async () => {
    const memberOf = [[{ uuid: '00000000-0000-4000-8000-000000000000' }]];
    const { allocationRequests, explanation } = await ask(vgpu(1, { memberOf }));
    expect(allocationRequests).toEqual([]);
    expect(explanation).toMatchObject({
      satisfiableWhenEmpty: false,
      summary: expect.stringContaining('in aggregate 00000000-0000-4000-8000-000000000000'),
    });
  });
});
