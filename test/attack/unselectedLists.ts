import { expect } from '@jest/globals';
import { attack, longAttack, strength } from './attackedServer.js';
import { aliases, all, ask, codesOf, expectAnswers, type Reply } from './requests.js';

const RESOURCES = [{ resourceClass: 'VCPU', amount: 1 }];
const GROUPS = [{ suffix: '', resources: RESOURCES }];

/** Sends documents of 500 searches at once. */
function search(url: string, count: number, selection: string, request: object): Promise<Reply[]> {
  const searches = aliases(500, `allocationCandidates(request: $request) { ${selection} }`);
  const query = `query ($request: AllocationCandidatesInput!) { ${searches} }`;
  return all(count, () => ask(url, query, { request }));
}

attack('500 searches whose candidates are not selected, in four documents at once', async ({ url }) => {
  expectAnswers(await search(url, strength(4, 2), 'complete', { groups: GROUPS }));
});

longAttack('500 ordered searches that select only `complete`', async ({ url }) => {
  const orderBy = [{ freeShare: { resourceClass: 'VCPU', strategy: 'SPREAD' } }, { fewestProviders: true }];
  expectAnswers(await search(url, strength(4, 2), 'complete seed', { groups: GROUPS, orderBy }));
});

longAttack('500 searches of 5 groups that select only the seed', async ({ url }) => {
  const groups = Array.from({ length: 5 }, (_, at) => ({ suffix: `_${at}`, resources: RESOURCES }));
  const replies = await search(url, strength(4, 2), 'seed', { groups });
  for (const reply of replies) expect(codesOf(reply)).toEqual([]);
});

longAttack('16 plans of each of 12 workloads that select only the outcome', async ({ url }) => {
  const consumers = Array.from({ length: 30 }, (_, at) => ({
    consumer: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    projectId: 'project',
    userId: 'user',
  }));
  const input = { members: [{ name: 'member', consumers, requests: [{ groups: GROUPS }] }] };
  const plans = aliases(12, 'planWorkload(input: $input, plans: 16) { outcome }');
  const query = `query ($input: ClaimInput!) { ${plans} }`;
  expectAnswers(await all(strength(8, 2), () => ask(url, query, { input })));
});
