import { checkExternalId } from '../../model/input.js';
import { readUsageReport, type TypeUsage, type UsageReport } from './usages.js';
import { objectType, query } from '../builder.js';
import { optional, required } from '../inputFields.js';
import { costOfList } from '../cost/operationCost.js';
import { ConsumerType, Usage } from '../refs.js';
import { readersAndProjects } from '../access/rules.js';

const ConsumerTypeUsage = objectType<TypeUsage>('ConsumerTypeUsage', {
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

const UsageReportRef = objectType<UsageReport>('UsageReport', {
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

query('usages', {
  authScopes: readersAndProjects({ projectId: 'OWN_PROJECT', userId: 'FREE' }),
  type: UsageReportRef,
  description: 'The usage by the consumers of a project. A malformed id fails with INVALID_INPUT.',
  args: {
    projectId: required('String', 'The id of the project.'),
    userId: optional('String', 'Defaults to all users.'),
  },
  resolve: (_root, owners, { database }) => {
    checkExternalId(owners.projectId, ['projectId'], 'project');
    if (owners.userId != null) checkExternalId(owners.userId, ['userId'], 'user');
    return readUsageReport(database, owners);
  },
});
