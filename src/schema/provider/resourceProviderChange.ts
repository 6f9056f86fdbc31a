import { encodeGlobalID } from '@pothos/plugin-relay';
import { kindsIn, type ChangeKind } from '../../feed/recordedChanges.js';
import type { WatchEvent } from '../../feed/watch.js';
import { builder } from '../builder.js';
import { beginEvent, endingWith } from '../subscription.js';
import { ProviderRef, ResourceProvider } from '../refs.js';
import { READERS } from '../access/rules.js';

const KINDS: Readonly<Record<ChangeKind, { readonly description: string }>> = {
  CREATED: { description: 'It is new. What it came with, such as inventories, is told beside.' },
  DELETED: { description: 'It is gone; nothing else is told beside.' },
  MOVED: { description: 'It has another parent, or is in another tree because one above it has moved.' },
  RENAMED: { description: 'It has another name.' },
  INVENTORY: { description: 'An inventory was created, changed or deleted.' },
  USAGE: { description: 'A consumer has more or less of it, another one, or none any more.' },
  TRAITS: { description: 'It has other traits.' },
  AGGREGATES: { description: 'It is in other aggregates.' },
};

const ResourceProviderChangeKind = builder.enumType('ResourceProviderChangeKind', {
  description: 'What of a resource provider a commit has changed.',
  values: KINDS,
});

const ResourceProviderChange = builder.objectRef<WatchEvent>('ResourceProviderChange').implement({
  description: 'That a commit has touched a resource provider.',
  fields: (t) => ({
    resourceProviderId: t.id({
      description: 'The global id of the provider: that of `resourceProvider`, also when it is gone.',
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
    kinds: t.field({
      type: [ResourceProviderChangeKind],
      description:
        'What the commit has changed of it, at least one. Where a program has written that does not say what it changes, such as an ' +
        'OpenStack Placement, or a server of version 0.1.0, all that it may have changed.',
      resolve: ({ change }) => kindsIn(change.kinds),
    }),
    cursor: t.exposeString('cursor', {
      description: 'The place behind this event, opaque to clients: for `since`.',
    }),
    resourceProvider: t.field({
      type: ResourceProvider,
      nullable: true,
      description:
        'The provider as it is now, when the event is sent, which may be later than the commit; null when it is gone.',
      resolve: ({ change }, _args, { loaders }) => loaders.providers.byId(change.id),
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
          type: ProviderRef,
          description:
            'Only providers of the tree of this provider, including those that move in or out. ' +
            'If the uuid is unknown, the stream waits for a provider with it.',
        }),
        kinds: t.arg({
          type: [ResourceProviderChangeKind],
          description:
            'Only commits that have changed any of this, or may have; without it, or with [], all.',
        }),
        since: t.arg.string({
          description:
            'The `cursor` of an earlier event, of any server process: the stream goes on behind it without a gap. When ' +
            'it is too long ago the stream ends with a CURSOR_EXPIRED in `errors`: read afresh then, and subscribe ' +
            'without it. Ten minutes are never too long.',
        }),
      },
      subscribe: async (_root, options, context) => endingWith(context, await context.watch.watch(options)),
      resolve: (event, _args, context) => beginEvent(event, context),
    }),
  }),
});
