import { encodeGlobalID } from '@pothos/plugin-relay';
import type { WatchEvent } from '../../feed/watch.js';
import { builder } from '../builder.js';
import { resetLoaders } from '../mutation.js';
import { ResourceProvider } from '../refs.js';
import { READERS } from '../access/rules.js';

const ResourceProviderChange = builder.objectRef<WatchEvent>('ResourceProviderChange').implement({
  description: 'That a commit has touched a resource provider.',
  fields: (t) => ({
    id: t.id({
      description: 'The global id of the provider.',
      resolve: ({ change }) => encodeGlobalID(ResourceProvider.name, change.uuid),
    }),
    uuid: t.field({
      type: 'UUID',
      description: 'The uuid of the provider.',
      resolve: ({ change }) => change.uuid,
    }),
    generation: t.int({
      nullable: true,
      description: 'Its generation after the commit; null when it was deleted.',
      resolve: ({ change }) => change.generation,
    }),
    deleted: t.boolean({
      description:
        'Whether the commit deleted it. It is the last event of this provider; one created anew with the same uuid begins at generation 0.',
      resolve: ({ change }) => change.generation === null,
    }),
    cursor: t.exposeString('cursor', {
      description: 'The place behind this event, opaque to clients: for `since`.',
    }),
    resourceProvider: t.field({
      type: ResourceProvider,
      nullable: true,
      description:
        'The provider as it is now, when the event is sent, which may be later than the commit; null when it is gone.',
      resolve: ({ change }, _args, { loaders }) => loaders.providers.byId(change.providerId),
    }),
  }),
});

builder.subscriptionType({
  description: 'What can be watched, as server-sent events: `accept: text/event-stream`.',
  fields: (t) => ({
    resourceProviderChanged: t.field({
      authScopes: READERS,
      type: ResourceProviderChange,
      description:
        'An event after every commit that touched a provider, by whichever server process: what it offers, who uses it, ' +
        'its name or place, that it exists. At least once, and for each provider in the order of its generations; ' +
        'different providers come in no order. Every commit after the answer has begun comes.',
      args: {
        inTree: t.arg({
          type: 'UUID',
          description:
            'Only providers of the tree that this one is in, wherever in it; one that moves in or out counts. While ' +
            'there is no provider with this uuid the stream waits for one.',
        }),
        since: t.arg.string({
          description:
            'The `cursor` of an earlier event, of any server process: the stream goes on behind it without a gap. When ' +
            'it is too long ago the stream ends with a CURSOR_EXPIRED in `errors`: read afresh then, and subscribe ' +
            'without it. Ten minutes are never too long.',
        }),
      },
      subscribe: async (_root, options, { watch, operation: { signal } }) => {
        const events = await watch.watch(options);
        const end = (): void => void events.return?.();
        if (signal.aborted) end();
        signal.addEventListener('abort', end, { once: true });
        return events;
      },
      resolve: async (event, _args, context) => {
        if (event instanceof Error) throw event;
        await context.operation.pause(); // one commit is an event of every stream
        context.operation.restart();
        resetLoaders(context);
        return event;
      },
    }),
  }),
});
