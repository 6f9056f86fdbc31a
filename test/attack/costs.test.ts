import { attack, attackedServer, strength } from './attackedServer.js';
import { aliases, all, ask, expectAnswers } from './requests.js';

attackedServer();

const GROUP = '{ suffix: "", resources: [{ resourceClass: "VCPU", amount: 1 }] }';
const REQUEST = `{ groups: [${GROUP}] }`;

attack('allocationCandidates under 500 aliases', async ({ url }) => {
  const bare = `{ ${aliases(500, `allocationCandidates(request: ${REQUEST}) { complete }`)} }`;
  expectAnswers([await ask(url, bare)]);
  expectAnswers([await ask(url, bare, {}, { headers: { accept: 'text/event-stream' } })]);
  expectAnswers(await all(strength(5, 2), () => ask(url, bare)));
  const limited = `{ ${aliases(500, `allocationCandidates(request: ${REQUEST}, limit: 1) { complete }`)} }`;
  expectAnswers(await all(strength(5, 2), () => ask(url, limited)));
});

attack('explanations under 490 aliases', async ({ url }) => {
  const query = `{ ${aliases(490, `allocationCandidates(request: ${REQUEST}, limit: 1) { explanation { summary } }`)} }`;
  expectAnswers([await ask(url, query)]);
  expectAnswers(await all(strength(5, 2), () => ask(url, query)));
});

attack('headroom under 240 aliases', async ({ url }) => {
  const query = `{ ${aliases(240, `headroom(request: ${REQUEST}, upTo: ${strength(100_000, 1_000)}) { count }`)} }`;
  expectAnswers([await ask(url, query)]);
  expectAnswers(await all(strength(5, 2), () => ask(url, query)));
});

attack('totals of the fleet under 400 aliases, and the audit under 100', async ({ url }) => {
  const totals = aliases(400, 'fleetTotals(first: 1000) { nodes { used } totalCount }');
  expectAnswers([await ask(url, `{ ${totals} }`)]);
  const audits = aliases(strength(100, 20), 'audit(first: 1) { totalCount nodes { message } }');
  expectAnswers([await ask(url, `{ ${audits} }`)]);
});

attack('requests of 256 groups, with orders and subtrees', async ({ url }) => {
  const groups = Array.from({ length: 256 }, (_, number) => ({
    suffix: `_G${number}`,
    resources: [{ resourceClass: number % 2 ? 'VCPU' : 'SRIOV_NET_VF', amount: 1 }],
  }));
  const suffixes = groups.map(({ suffix }) => suffix);
  const query = `query ($request: AllocationCandidatesInput!) {
    allocationCandidates(request: $request, limit: 10) { complete allocationRequests { mappings { suffix } } } }`;
  const requests = [
    { groups },
    { groups, groupPolicy: 'ISOLATE' },
    { groups: groups.slice(0, 12), groupPolicy: 'ISOLATE' },
    {
      groups: groups.slice(0, 12),
      isolate: suffixes.slice(0, 6),
      orderBy: [{ freeShare: { resourceClass: 'VCPU', strategy: 'PACK' } }],
    },
    { groups, sameSubtree: [{ groups: suffixes }] },
    {
      groups: groups.slice(0, 30),
      sameSubtree: [{ groups: suffixes.slice(0, 15), except: suffixes.slice(15, 30) }],
    },
  ];
  for (const request of requests) expectAnswers([await ask(url, query, { request })]);
  expectAnswers(await Promise.all(requests.map((request) => ask(url, query, { request }))));
});
