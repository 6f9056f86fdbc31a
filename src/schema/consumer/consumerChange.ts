import { encodeGlobalID } from '@pothos/plugin-relay';
import { checkExternalId } from '../../ledger/allocation/allocationInput.js';
import type { ConsumerEvent } from '../../feed/watch.js';
import { maySee, ownProject, readersAndProjects } from '../access/rules.js';
import { builder } from '../builder.js';
import { Consumer } from '../refs.js';
import { beginEvent, endingWith } from '../subscription.js';
import { visibleConsumer } from './consumer.js';

const ConsumerChange = builder.objectRef<ConsumerEvent>('ConsumerChange').implement({
  description: 'That a commit has changed a consumer: what it has, or to whom it belongs.',
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
      description: 'Its generation after the commit; null when it has ceased to exist.',
      resolve: ({ change }) => change.generation,
    }),
    deleted: t.boolean({
      description:
        'Whether the commit took from it the last that it had, so that it has ceased to exist. One that comes into being with the ' +
        'same uuid is another consumer, and begins at generation 1.',
      resolve: ({ change }) => change.generation === null,
    }),
    projectId: t.string({
      nullable: true,
      description:
        'The project that it belongs to after the commit, or that it belonged to last; null where the viewer may not see that one, ' +
        'and the consumer has left the project of the viewer for it.',
      resolve: ({ change }, _args, { viewer }) => (maySee(viewer, change) ? change.projectId : null),
    }),
    cursor: t.exposeString('cursor', {
      description: 'The place behind this event, opaque to clients: for `since` of `consumerChanged`.',
    }),
    consumer: t.field({
      type: Consumer,
      nullable: true,
      description:
        'The consumer as it is now, when the event is sent, which may be later than the commit; null when it is gone, or of a project ' +
        'that the viewer may not see.',
      resolve: ({ change }, _args, context) => visibleConsumer(change.uuid, context),
    }),
  }),
});

builder.subscriptionField('consumerChanged', (t) =>
  t.field({
    authScopes: readersAndProjects({ consumer: 'FREE', projectId: 'OWN_PROJECT', since: 'FREE' }),
    type: ConsumerChange,
    description:
      'An event after every commit of a server process that changed a consumer: that it came into being, what it has, its project, ' +
      'user or type, that it ceased to exist. At least once, and for each consumer in the order of its generations; different ' +
      'consumers come in no order. What other programs write, such as an OpenStack Placement on the same database, is not told here. ' +
      'Readers of a project get the events of its own consumers.',
    args: {
      consumer: t.arg({
        type: 'UUID',
        description: 'Only the consumer with this uuid; while there is none the stream waits for one.',
      }),
      projectId: t.arg.string({
        description: 'Only consumers of this project; that one leaves it for another project is told, too.',
      }),
      since: t.arg.string({
        description:
          'The `cursor` of an earlier event of this subscription, of any server process: the stream goes on behind it without a gap. ' +
          'When it is too long ago the stream ends with a CURSOR_EXPIRED in `errors`: read afresh then, and subscribe without it. ' +
          'Ten minutes are never too long.',
      }),
    },
    subscribe: async (_root, { projectId, ...options }, context) => {
      if (projectId != null) checkExternalId(projectId, ['projectId'], 'project');
      const visible = ownProject(context.viewer) ?? projectId;
      return endingWith(context, await context.consumerWatch.watch({ ...options, projectId: visible }));
    },
    resolve: (event, _args, context) => beginEvent(event, context),
  }),
);
