import { encodeGlobalID } from '@pothos/plugin-relay';
import { checkExternalId } from '../../model/input.js';
import type { ConsumerEvent } from '../../store/feed/watch.js';
import { maySee, ownProject, readersAndProjects } from '../access/rules.js';
import { builder, objectType } from '../builder.js';
import { optional } from '../inputFields.js';
import { Consumer } from '../refs.js';
import { beginEvent, endingWith } from '../subscription.js';
import { visibleConsumer } from './consumer.js';

const ConsumerChange = objectType<ConsumerEvent>('ConsumerChange', {
  description: 'The change of a consumer by one commit.',
  fields: (t) => ({
    consumerId: t.id({
      description: 'The global id of the consumer.',
      resolve: ({ change }) => encodeGlobalID(Consumer.name, change.uuid),
    }),
    uuid: t.field({
      type: 'UUID',
      description: 'The uuid of the consumer.',
      resolve: ({ change }) => change.uuid,
    }),
    generation: t.int({
      nullable: true,
      description: 'The generation after the commit. Null if deleted.',
      resolve: ({ change }) => change.generation,
    }),
    deleted: t.boolean({
      description: 'Whether it lost its last allocation and no longer exists.',
      resolve: ({ change }) => change.generation === null,
    }),
    projectId: t.string({
      nullable: true,
      description: 'The last project. Null if the viewer may not see it.',
      resolve: ({ change }, _args, { viewer }) => (maySee(viewer, change) ? change.projectId : null),
    }),
    consumer: t.field({
      type: Consumer,
      nullable: true,
      description:
        'The current consumer, maybe newer. Null if it no longer exists or the viewer may not see it.',
      resolve: ({ change }, _args, context) => visibleConsumer(change.uuid, context),
    }),
    cursor: t.exposeString('cursor', { description: 'The position after this event, for `since`.' }),
  }),
});

builder.subscriptionField('consumerChanged', (t) =>
  t.field({
    authScopes: readersAndProjects({ consumer: 'FREE', projectId: 'OWN_PROJECT', since: 'FREE' }),
    type: ConsumerChange,
    description:
      'Changes of consumers after each commit, at least once, by generation. Omits writes of other programs.',
    args: {
      consumer: optional('UUID', 'Only this consumer, which may not exist yet.'),
      projectId: optional('String', 'Only consumers of this project, also those that leave it.'),
      since: optional(
        'String',
        'The `cursor` of the last event received. Fails with CURSOR_EXPIRED if it is too old.',
      ),
    },
    subscribe: async (_root, { projectId, ...options }, context) => {
      if (projectId != null) checkExternalId(projectId, ['projectId'], 'project');
      const visible = ownProject(context.viewer) ?? projectId;
      return endingWith(context, await context.consumerWatch.watch({ ...options, projectId: visible }));
    },
    resolve: (event, _args, context) => beginEvent(event, context),
  }),
);
