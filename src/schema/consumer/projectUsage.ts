import { checkExternalId } from '../../ledger/allocation/allocationInput.js';
import { readUsageReport, type TypeUsage, type UsageReport } from '../../reads/consumer/usages.js';
import { builder } from '../builder.js';
import { costOfList } from '../cost/fieldCost.js';
import { Usage } from '../provider/usage.js';
import { ConsumerType } from '../refs.js';
import { readersAndProjects } from '../access/rules.js';

const ConsumerTypeUsage = builder.objectRef<TypeUsage>('ConsumerTypeUsage').implement({
  description: 'The usage by the consumers of one type.',
  fields: (t) => ({
    type: t.field({
      type: ConsumerType,
      nullable: true,
      description: 'The type. Null for consumers without a type.',
      resolve: ({ type }) => (type === null ? null : { name: type }),
    }),
    consumerCount: t.exposeInt('consumerCount', { description: 'The number of these consumers.' }),
    usages: t.expose('usages', {
      type: [Usage],
      description: 'Their usage, by class name.',
    }),
  }),
});

const UsageReportRef = builder.objectRef<UsageReport>('UsageReport').implement({
  description: 'The usage by the consumers of a project at one moment.',
  fields: (t) => ({
    consumerCount: t.exposeInt('consumerCount', { description: 'The number of consumers.' }),
    usages: t.expose('usages', {
      type: [Usage],
      description: 'Their usage, by class name.',
    }),
    byType: t.expose('byType', {
      type: [ConsumerTypeUsage],
      complexity: costOfList(3),
      description: 'The usage of each type, by name; no type comes last.',
    }),
  }),
});

builder.queryField('usages', (t) =>
  t.field({
    authScopes: readersAndProjects({ projectId: 'OWN_PROJECT', userId: 'FREE' }),
    type: UsageReportRef,
    nullable: true,
    description: 'The usage by the consumers of a project. A malformed id fails with INVALID_INPUT.',
    args: {
      projectId: t.arg.string({ required: true, description: 'The id of the project.' }),
      userId: t.arg.string({ description: 'Defaults to all users.' }),
    },
    resolve: (_root, owners, { database }) => {
      checkExternalId(owners.projectId, ['projectId'], 'project');
      if (owners.userId != null) checkExternalId(owners.userId, ['userId'], 'user');
      return readUsageReport(database, owners);
    },
  }),
);
