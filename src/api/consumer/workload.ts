import { ensure } from '../../model/input.js';
import { judgeRules, requestOfMember, rulesOfText } from '../../moves/workloadRules.js';
import { allocationsIn, readHoldingsOf } from '../../moves/heldConsumers.js';
import type { TopologyRule as EngineRule } from '../../moves/workload/workload.js';
import { currentSnapshot } from '../../search/candidateSearch.js';
import { resultInSlices } from '../../search/timeSlices.js';
import { readHeldConsumers } from '../../store/sql/consumers.js';
import {
  countWorkloads,
  readWorkloads,
  type WorkloadEntity,
  type WorkloadMemberEntity,
} from '../../store/sql/workloads.js';
import { hiddenFromProjects, maySee, ownProject, readersAndProjects } from '../access/rules.js';
import { ClaimPlacement } from '../allocation/claim.js';
import { TopologyRule } from '../allocation/topologyFields.js';
import { builder, objectType, query } from '../builder.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS, PAGE_RULES } from '../connection.js';
import type { Context } from '../context.js';
import { costOfList } from '../cost/operationCost.js';
import { optional, required } from '../inputFields.js';
import { boundsOf, connectionOf, ORDER_OF_IDS, pageOf } from '../paging/paging.js';
import { Consumer, Project } from '../refs.js';
import { readJson, withLength } from '../storedJson.js';

const WorkloadMember = objectType<WorkloadMemberEntity>('WorkloadMember', {
  description: 'The consumers of a named workload that got the same request.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the member.' }),
    placement: t.field({
      type: ClaimPlacement,
      description: 'How its consumers may be placed relative to each other.',
      resolve: ({ placement }) => placement as 'ANY',
    }),
    consumerCount: t.int({
      description: 'The number of its consumers.',
      resolve: ({ consumers }) => consumers.length,
    }),
    consumers: t.field({
      type: [Consumer],
      complexity: costOfList(1),
      description: 'Its consumers, by age.',
      resolve: ({ consumers }, _args, { loaders }) => loaders.consumers.existing(consumers),
    }),
    requests: t.field({
      ...hiddenFromProjects,
      type: ['JSON'],
      description:
        'The alternatives of its last claim in the form of AllocationCandidatesInput. Null for readers of a project.',
      resolve: ({ texts }) => texts.map(readJson),
    }),
  }),
});

interface JudgedRule {
  readonly rule: EngineRule;
  readonly input: object;
  readonly holds: boolean | null;
}

const WorkloadRule = objectType<JudgedRule>('WorkloadRule', {
  description: 'A topology rule of a named workload.',
  fields: (t) => ({
    rule: t.field({ type: TopologyRule, description: 'The rule.', resolve: ({ rule }) => rule.rule }),
    members: t.stringList({
      description: 'The names of its members.',
      resolve: ({ rule }) => [...rule.members],
    }),
    holds: t.exposeBoolean('holds', {
      nullable: true,
      description: 'Whether the present allocations meet the rule. Null for PACK, which is a preference.',
    }),
    input: t.field({
      ...hiddenFromProjects,
      type: 'JSON',
      description: 'The rule in the form of TopologyRuleInput. Null for readers of a project.',
      resolve: ({ input }) => input,
    }),
  }),
});

async function judgedRules({ id }: WorkloadEntity, context: Context): Promise<JudgedRule[]> {
  const { database, excludedRootTraits, loaders, operation, snapshots } = context;
  const topology = await loaders.topologies.load(id);
  const rules = topology === null ? [] : rulesOfText(topology);
  if (topology === null || rules.length === 0) return [];
  const members = await loaders.workloadMembers.load(id);
  const consumers = new Set(members.flatMap((member) => member.consumers));
  const requestsOf = members.map(({ texts }) =>
    texts.map((text) => requestOfMember(text, consumers, excludedRootTraits)),
  );
  const [held, holdings] = await Promise.all([
    readHeldConsumers(database, [...consumers]),
    readHoldingsOf(
      database,
      requestsOf.flat().map((request) => ({ request })),
    ),
  ]);
  const snapshot = await currentSnapshot(snapshots, operation);
  const placed = members.map((member, at) => ({
    ...member,
    requests: requestsOf[at].map((request) => ({ ...request, holdings })),
    allocations: member.consumers.flatMap((uuid) => {
      const consumer = held.get(uuid);
      return consumer === undefined ? [] : [allocationsIn(snapshot, consumer.allocations)];
    }),
  }));
  const judged = await resultInSlices((effort) => judgeRules(snapshot, rules, placed, effort), operation);
  const { topology: inputs } = JSON.parse(topology) as { readonly topology: readonly object[] };
  return rules.map((rule, at) => {
    const input = withLength(inputs[at], JSON.stringify(inputs[at]).length);
    return { rule, input, holds: judged[at] };
  });
}

/** The cost of judging the rules of a workload. */
const COST_OF_RULES = 100;

const Workload = objectType<WorkloadEntity>('Workload', {
  description: 'A named workload. Exists as long as it has consumers.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name, unique in the project.' }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The project of its consumers. Null if it was deleted since.',
      resolve: ({ projectId }, _args, { loaders }) => loaders.owners('projects').load(projectId),
    }),
    projectId: t.exposeString('projectId', { description: 'The id of the project.' }),
    generation: t.exposeInt('generation', { description: 'From 1, plus 1 with every claim with the name.' }),
    members: t.field({
      type: [WorkloadMember],
      complexity: costOfList(2),
      description: 'The members that have consumers, in the order of their claims.',
      resolve: ({ id }, _args, { loaders }) => loaders.workloadMembers.load(id),
    }),
    topology: t.field({
      type: [WorkloadRule],
      complexity: { field: COST_OF_RULES, multiplier: 4 },
      description: 'The rules of its last claim.',
      resolve: (workload, _args, context) => judgedRules(workload, context),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was first claimed.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was claimed again. Null if never.',
    }),
  }),
});

builder.objectField(Consumer, 'workload', (t) =>
  t.field({
    type: Workload,
    nullable: true,
    description: 'The named workload of the consumer. Null if it is in none.',
    resolve: ({ uuid }, _args, { loaders }) => loaders.workloads.load(uuid),
  }),
);

query('workload', {
  authScopes: readersAndProjects({ projectId: 'OWN_PROJECT', name: 'FREE' }),
  type: Workload,
  description: 'A workload by its project and name. Null if it has no consumers.',
  args: {
    projectId: required('String', 'The id of the project.'),
    name: required('String', 'The name, case-sensitive.'),
  },
  resolve: async (_root, { projectId, name }, { database, viewer }) => {
    ensure(name.length > 0, ['name'], 'the name is empty');
    if (!maySee(viewer, { projectId })) return null;
    return (await readWorkloads(database, { projectId, name })).find((one) => one.name === name) ?? null;
  },
});

const WorkloadConnection = connectionType(Workload, { one: 'A workload', many: 'workloads', order: 'age' });

query('workloads', {
  authScopes: readersAndProjects({ projectId: 'OWN_PROJECT', ...PAGE_RULES }),
  type: WorkloadConnection,
  complexity: costOfPage,
  description: 'The named workloads that the viewer may see, by age.',
  args: {
    projectId: optional('String', 'Workloads of this project. Defaults to all projects.'),
    ...PAGE_ARGUMENTS,
  },
  resolve: async (_root, { projectId, ...args }, { database, viewer }) => {
    const filter = { projectId: ownProject(viewer) ?? projectId ?? null };
    const page = pageOf(ORDER_OF_IDS, args);
    const found = await readWorkloads(database, { ...filter, ...boundsOf(page) });
    return connectionOf(ORDER_OF_IDS, page, found, () => countWorkloads(database, filter));
  },
});
