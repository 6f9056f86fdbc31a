import { randomUUID } from 'node:crypto';
import { fleet } from '../../src/tools/demo/fleet.js';
import type { Bench } from '../bench.js';
import { operationsOn, type Operation } from '../compare/operations.js';
import { amounts, claimInput, fleetInputs, OWNER } from '../requests.js';

const WORKLOAD_CONSUMERS = 100;

const HEADROOM = 'query ($request: AllocationCandidatesInput!) { headroom(request: $request) { count } }';

const EXPLANATION = `query ($request: AllocationCandidatesInput!) {
  allocationCandidates(request: $request, limit: 10) { explanation { summary } }
}`;

const WORKLOAD_PLAN = `query ($input: ClaimInput!) {
  planWorkload(input: $input) { outcome plans { members { name } } }
}`;

const DRAIN_PLAN = `query ($from: TreesInput!) {
  planDrain(from: $from) { complete moves { consumer { uuid } allocationRequest { claimToken } } }
}`;

const REBALANCE_PLAN = `query ($input: RebalanceInput!) {
  planRebalance(input: $input) { gain moveCount moves { consumer { uuid } claimToken } }
}`;

/** Returns an operation of each kind: searches, lists, a claim, totals, plans and the audit. */
export function scaleOperations({
  hosts,
  options,
  targets,
}: Pick<Bench, 'hosts' | 'options' | 'targets'>): Operation[] {
  const { q1, q5 } = fleetInputs(targets);
  const { host, rack } = firstRack(hosts, options.seed);
  const operation = (what: string, document: string, variables?: object): Operation => ({
    what,
    ask: (client) => client.send(document, variables),
  });
  const consumers = Array.from({ length: WORKLOAD_CONSUMERS }, () => ({ consumer: randomUUID(), ...OWNER }));
  const machine = { groups: [{ resources: amounts({ VCPU: 1, MEMORY_MB: 256 }) }] };
  const rebalance = { goal: 'FREE_HOSTS', maxMoves: 100, resourceClasses: ['VCPU', 'MEMORY_MB'] };
  return [
    ...operationsOn(targets),
    operation('totals of the fleet', '{ fleetTotals { nodes { capacity used } } }'),
    operation(
      'totals by aggregate',
      '{ fleetTotals(groupBy: AGGREGATE, first: 100) { nodes { capacity used } } }',
    ),
    operation('map of the fleet', '{ fleetMap(resourceClass: "VCPU") { names capacities used available } }'),
    operation('explanation of q5', EXPLANATION, { request: q5 }),
    operation('headroom of q1', HEADROOM, { request: q1 }),
    operation(`plan of ${WORKLOAD_CONSUMERS} consumers`, WORKLOAD_PLAN, {
      input: claimInput(machine, consumers),
    }),
    operation('drain plan of a host', DRAIN_PLAN, { from: { providers: [{ uuid: host }] } }),
    operation('rebalance plan of a rack', REBALANCE_PLAN, { input: { ...rebalance, scope: { uuid: rack } } }),
    operation('rebalance plan of the fleet', REBALANCE_PLAN, { input: rebalance }),
    operation('audit with totalCount', '{ audit { totalCount nodes { check message } } }'),
  ];
}

/** Returns the first host and the aggregate of its rack. */
function firstRack(hosts: number, seed: number): { readonly host: string; readonly rack: string } {
  const [{ providers }] = fleet({ hosts, seed });
  const [storage] = providers;
  const host = providers.find(({ parentId, name }) => parentId === null && name.startsWith('host-'))!;
  return { host: host.uuid, rack: storage.aggregates[0] };
}
