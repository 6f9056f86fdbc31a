import * as api from '../generated/client/operations.js';
import { groupName } from './arguments.js';
import type { Client } from './client.js';
import { EXIT, Failure } from './failure.js';
import { amountsIn, tableOf, type Output } from './output.js';
import { lossesOf, partsOf } from './planFile.js';

type WorkloadPlans = NonNullable<api.PlanWorkloadQuery['planWorkload']>;
type WorkloadPlan = WorkloadPlans['plans'][number];

/** Shows plans of a claim. If it cannot be placed, the exit code is that of a rejected claim. */
export async function plan(
  client: Client,
  input: api.ClaimInput,
  { plans = 1, seed, makeRoom }: Partial<Omit<api.PlanWorkloadQueryVariables, 'input'>> = {},
): Promise<Output> {
  const { planWorkload } = await client.run(api.PlanWorkloadDocument, { input, plans, seed, makeRoom });
  const found = planWorkload!;
  if (found.outcome !== 'FOUND') {
    const { message } = Failure.ofRejection({ ...found.failure!, code: 'NO_CANDIDATES' });
    const blocks = [`${found.outcome.toLowerCase()}: ${message}`];
    return { data: found, blocks, names: [], exit: EXIT.refused };
  }
  const blocks = [...movesOf(found.plans[0].moves), ...placementsOf(found)];
  const names = found.plans[0].consumers.map(({ consumerUuid }) => consumerUuid);
  return { data: found, blocks, names };
}

function placementsOf(found: WorkloadPlans): Output['blocks'] {
  return found.plans.flatMap((each) => [
    ...(found.plans.length > 1 ? [`seed ${each.seed}:`] : []),
    ...placementOf(each),
    ...totalsOf(found.totalsBefore, each.totalsAfter),
  ]);
}

/** Shows the moves of other consumers before the claim; nothing if it needs none. */
function movesOf(moves: WorkloadPlan['moves']): Output['blocks'] {
  if (moves.length === 0) return [];
  const columns = {
    move: 'consumer.uuid',
    generation: 'generation',
    from: ({ from }: WorkloadPlan['moves'][number]) => partsOf(from),
    to: ({ to }: WorkloadPlan['moves'][number]) => partsOf(to),
  };
  const how =
    'the workload fits after these moves: execute them in this order with `consumer set`, or with setAllocations and the ' +
    'generations, then claim it';
  return [tableOf(moves, columns), ...lossesOf(moves), how];
}

function placementOf(workloadPlan: WorkloadPlan): Output['blocks'] {
  const { consumers, members, topology, rejectedTopologies, optimal } = workloadPlan;
  const rows = consumers.flatMap(({ allocationRequest, ...consumer }) =>
    allocationRequest.allocations.map((each) => ({ ...consumer, ...each })),
  );
  const losses = consumers.map(({ consumerUuid, traitsLost }) => ({
    consumer: { uuid: consumerUuid },
    traitsLost,
  }));
  return [
    tableOf(rows, {
      member: 'member',
      consumer: 'consumerUuid',
      provider: 'resourceProvider.name',
      takes: ({ resources }) => amountsIn(resources),
    }),
    ...lossesOf(losses),
    ...alternativesOf(members),
    ...topologiesOf(rejectedTopologies),
    ...domainsOf(topology),
    ...(optimal ? [] : ['a better placement may exist: the search ended before it could prove the opposite']),
  ];
}

/** Shows the domains of each rule, and how many of its consumers are in none. */
export function domainsOf(topology: readonly api.RulePlacementFieldsFragment[]): Output['blocks'] {
  const rows = topology.flatMap(({ rule: kind, domains, outsideCount }, at) => {
    const rule = `${at + 1} ${kind}`;
    const inside = domains
      .map(({ domain, consumerCount }) => ({ rule, domain: groupName(domain), consumers: consumerCount }))
      .sort((a, b) => a.domain.localeCompare(b.domain, 'en', { numeric: true }));
    const outside = { rule, domain: '(outside)', consumers: outsideCount };
    return outsideCount === 0 ? inside : [...inside, outside];
  });
  return rows.length === 0 ? [] : [tableOf(rows)];
}

/** Shows why preferred requests of members were not chosen. */
export function alternativesOf(members: readonly api.MemberPlacementFieldsFragment[]): Output['blocks'] {
  const rows = members.flatMap(({ name: member, rejectedRequests }) =>
    rejectedRequests.map(({ requestIndex, reason }) => ({
      member,
      request: requestIndex + 1,
      'not chosen because': reason,
    })),
  );
  return rows.length === 0 ? [] : [tableOf(rows)];
}

/** Shows why preferred alternatives of the topology were not chosen. */
export function topologiesOf(rejected: readonly api.RejectedTopologyFieldsFragment[]): Output['blocks'] {
  if (rejected.length === 0) return [];
  const rows = rejected.map(({ alternativeIndex, reason }) => ({
    topology: alternativeIndex + 1,
    'not chosen because': reason,
  }));
  return [tableOf(rows)];
}

/** Shows the usage of each class before and after a plan. */
export function totalsOf(
  before: readonly api.TotalFieldsFragment[],
  after: readonly api.TotalFieldsFragment[],
): Output['blocks'] {
  const usageIn = (totals: typeof before, name: string): string => {
    const total = totals.find(({ resourceClass }) => resourceClass.name === name);
    return `${total?.used ?? 0}/${total?.capacity ?? 0}`;
  };
  const names = [...new Set([...before, ...after].map(({ resourceClass }) => resourceClass.name))];
  const rows = names.map((name) => ({
    class: name,
    'used/capacity now': usageIn(before, name),
    'used/capacity then': usageIn(after, name),
  }));
  return [tableOf(rows)];
}
