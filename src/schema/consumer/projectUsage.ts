import { checkExternalId } from '../../ledger/allocation/allocationInput.js';
import { readProjectUsage, type TypeUsage } from '../../reads/consumer/usages.js';
import { builder } from '../builder.js';
import { costOfList } from '../cost/fieldCost.js';
import { Usage } from '../provider/usage.js';
import { ALL, ConsumerTypeGroup, typeCondition, typeGroup, UNKNOWN } from './consumerTypeFilter.js';
import { readersAndProjects } from '../access/rules.js';

const ConsumerTypeUsage = builder.objectRef<TypeUsage>('ConsumerTypeUsage').implement({
  description: 'How much the consumers of one type use, or those of all types together.',
  fields: (t) => ({
    consumerType: t.exposeString('consumerType', {
      nullable: true,
      description: `The type; null for consumers whose type is unknown; "${ALL}" for the group of all, if that was asked for.`,
    }),
    consumerTypeGroup: t.field({
      type: ConsumerTypeGroup,
      nullable: true,
      description: 'The group, where they are not those of one type.',
      resolve: ({ consumerType }) => typeGroup({ consumerType: consumerType ?? UNKNOWN }),
    }),
    consumerCount: t.exposeInt('consumerCount', { description: 'How many consumers that are.' }),
    usages: t.expose('usages', {
      type: [Usage],
      description:
        'How much they use together of each class that any of them uses, by the name of the class.',
    }),
  }),
});

builder.queryField('usages', (t) =>
  t.field({
    authScopes: readersAndProjects({
      projectId: 'OWN_PROJECT',
      userId: 'FREE',
      consumerType: 'FREE',
      consumerTypeGroup: 'FREE',
    }),
    type: [ConsumerTypeUsage],
    complexity: costOfList(3),
    description:
      'How much the consumers of a project use on all providers together, grouped by their type: by name, those of ' +
      'unknown type last. Only types that use something are listed, so nothing is an empty list. An id or type that no ' +
      'consumer can have is INVALID_INPUT.',
    args: {
      projectId: t.arg.string({ required: true, description: 'The project.' }),
      userId: t.arg.string({ description: 'Only consumers of this user; without it, of all users.' }),
      consumerType: t.arg.string({
        description:
          `Only consumers of this type; without it, a group for each type. "${UNKNOWN}" and "${ALL}" are taken as well, and ` +
          'mean what they mean as consumerTypeGroup.',
      }),
      consumerTypeGroup: t.arg({
        type: ConsumerTypeGroup,
        description:
          'UNKNOWN: only consumers without a type. ALL: one group for all types. Not together with consumerType.',
      }),
    },
    resolve: (_root, { consumerType, consumerTypeGroup, ...owners }, { database }) => {
      const types = { consumerType, consumerTypeGroup };
      checkExternalId(owners.projectId, ['projectId'], 'project');
      if (owners.userId != null) checkExternalId(owners.userId, ['userId'], 'user');
      return readProjectUsage(database, {
        ...owners,
        consumerType: typeCondition(types, []),
        together: typeGroup(types) === 'ALL' ? ALL : undefined,
      });
    },
  }),
);
