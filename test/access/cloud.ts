import { randomUUID } from 'node:crypto';
import type { Api } from '../support/api.js';
import { claimed, nodeId } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';

export const OWN = 'project-own';
export const OTHER = 'project-other';

/** What is stored for the questions. */
export interface Cloud {
  readonly provider: string;
  /** Consumers of the two projects. */
  readonly own: string;
  readonly other: string;
}

/** A provider of which a consumer of each project takes something. */
export async function createCloud(api: Api): Promise<Cloud> {
  const { host } = await createProviders(api, {
    name: 'host',
    inventories: { VCPU: 16 },
    aggregates: [randomUUID()],
    traits: ['HW_CPU_X86_AVX2'],
  });
  const ofProject = (projectId: string) =>
    claimed(api, { [host]: { VCPU: 2 } }, { projectId, userId: 'user', consumerType: 'INSTANCE' });
  const [own, other] = [await ofProject(OWN), await ofProject(OTHER)];
  return { provider: host, own, other };
}

const REQUEST = '{ groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }';

/** Arguments for every field that needs some. Writes are about what does not exist, or change nothing. */
export function argumentsFor({ provider, own }: Cloud): (field: string) => string {
  const none = '"00000000-0000-4000-8000-00000000dead"';
  const input = (fields: string): string => `(input: { ${fields} })`;
  const byField: Readonly<Record<string, string>> = {
    'Query.aggregate': `(by: { uuid: ${none} })`,
    'Query.allocationCandidates': `(request: ${REQUEST})`,
    'Query.consumer': `(uuid: "${own}")`,
    'FleetMap.traits': '(names: [])',
    'Query.fleetMap': '(resourceClass: "VCPU")',
    'Query.headroom': `(request: ${REQUEST})`,
    'Mutation.deleteAggregates': input(`aggregates: { uuid: ${none} }`),
    'Mutation.updateAggregateMembers': input(`aggregate: { uuid: ${none} }, add: { uuid: ${none} }`),
    'Mutation.nameAggregate': input(`aggregate: { uuid: ${none} }, name: "zone"`),
    'Query.node': `(id: "${nodeId('Consumer', own)}")`,
    'Query.nodes': `(ids: ["${nodeId('Consumer', own)}"])`,
    'Query.project': `(projectId: "${OWN}")`,
    'Query.planDrain': `(from: { providers: { uuid: "${provider}" } })`,
    'Query.planRebalance': '(input: { goal: FIX })',
    'Query.planWorkload': input(
      `members: { name: "member", requests: ${REQUEST}, consumers: { consumer: ${none}, projectId: "p", userId: "u" } }`,
    ),
    'Query.resourceClass': '(name: "VCPU")',
    'Query.resourceProvider': `(by: { uuid: "${provider}" })`,
    'Query.trait': '(name: "HW_CPU_X86_AVX2")',
    'Query.user': '(userId: "user")',
    'Query.usages': `(projectId: "${OWN}")`,
    'Query.workload': `(projectId: "${OWN}", name: "web")`,
    'AllocationCandidates.quota': `(projectId: "${OWN}")`,
    'Mutation.rememberRequests': input(`consumers: [], request: ${REQUEST}`),
    'Mutation.setQuotas': input('defaults: []'),
    'Mutation.applyProviderTrees': input('owner: "fleet", trees: [], dryRun: true'),
    'Mutation.applyProviderTree': input('root: { name: "host" }, dryRun: true'),
    'Mutation.claim': input(`members: { name: "member", consumers: [], requests: ${REQUEST} }`),
    'Mutation.createResourceClass': input('name: "CUSTOM_ACCESS"'),
    'Mutation.createResourceProvider': input('name: "host"'),
    'Mutation.createTrait': input('name: "CUSTOM_ACCESS"'),
    'Mutation.deleteConsumer': input(`consumer: ${none}`),
    'Mutation.deleteResourceClass': input('name: "CUSTOM_NONE"'),
    'Mutation.deleteResourceProvider': input(`resourceProvider: { uuid: ${none} }`),
    'Mutation.deleteResourceProviders': input(`resourceProviders: { uuid: ${none} }`),
    'Mutation.deleteTrait': input('name: "CUSTOM_NONE"'),
    'Mutation.reshape': input('allocations: [], inventories: [], dryRun: true'),
    'Mutation.setAllocations': input('consumers: []'),
    'Mutation.extendConsumers': input('consumers: []'),
    'Mutation.confirmConsumers': input('consumers: []'),
    'Mutation.unsetAllocations': input(`consumer: ${none}, resourceClasses: ["VCPU"]`),
    'Mutation.updateResourceProvider': input(`resourceProvider: { uuid: ${none} }, name: "other"`),
    'ResourceProvider.inventory': '(resourceClass: "VCPU")',
    'Viewer.may': '(operation: "viewer")',
  };
  return (field) => byField[field] ?? '';
}
