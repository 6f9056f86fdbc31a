import { encodeGlobalID } from '@pothos/plugin-relay';
import { kindsIn, type ChangeKind } from '../../model/recordedChanges.js';
import type { WatchEvent } from '../../store/feed/watch.js';
import { builder, meanings, objectType } from '../builder.js';
import { optional } from '../inputFields.js';
import { beginEvent, endingWith } from '../subscription.js';
import { ProviderRef, ResourceProvider } from '../refs.js';
import { READERS } from '../access/rules.js';

const ResourceProviderChangeKind = builder.enumType('ResourceProviderChangeKind', {
  description: 'The kind of a change of a provider.',
  values: meanings<ChangeKind>({
    CREATED: 'Created. The same event lists its initial inventories and traits.',
    DELETED: 'Deleted. The event has no other kinds.',
    MOVED: 'The parent or the tree has changed.',
    RENAMED: 'The name has changed.',
    INVENTORY: 'An inventory was created, changed or deleted.',
    USAGE: 'The allocations have changed.',
    TRAITS: 'The traits have changed.',
    AGGREGATES: 'The aggregates have changed.',
  }),
});

const ResourceProviderChange = objectType<WatchEvent>('ResourceProviderChange', {
  description: 'The change of a provider by one commit.',
  fields: (t) => ({
    resourceProviderId: t.id({
      description: 'The global id of the provider.',
      resolve: ({ change }) => encodeGlobalID(ResourceProvider.name, change.uuid),
    }),
    uuid: t.field({
      type: 'UUID',
      description: 'The uuid of the provider.',
      resolve: ({ change }) => change.uuid,
    }),
    kinds: t.field({
      type: [ResourceProviderChangeKind],
      description: 'The kinds of the change; all possible kinds for writes of other programs.',
      resolve: ({ change }) => kindsIn(change.kinds),
    }),
    generation: t.int({
      nullable: true,
      description: 'The generation after the commit. Null if deleted.',
      resolve: ({ change }) => change.generation,
    }),
    deleted: t.boolean({
      description: 'Whether the provider was deleted.',
      resolve: ({ change }) => change.generation === null,
    }),
    resourceProvider: t.field({
      type: ResourceProvider,
      nullable: true,
      description: 'The current provider, maybe newer. Null if it no longer exists.',
      resolve: ({ change }, _args, { loaders }) => loaders.providers.byId(change.id),
    }),
    cursor: t.exposeString('cursor', { description: 'The position after this event, for `since`.' }),
  }),
});

builder.subscriptionType({
  description: 'Streams of server-sent events (`accept: text/event-stream`).',
  fields: (t) => ({
    resourceProviderChanged: t.field({
      authScopes: READERS,
      type: ResourceProviderChange,
      description:
        'Changes of providers after each commit, at least once, by generation. Includes writes of other ' +
        'programs.',
      args: {
        inTree: optional(
          ProviderRef,
          "Only providers in this provider's tree, also those that move in or out.",
        ),
        kinds: optional([ResourceProviderChangeKind], 'Only changes of these kinds. Defaults to all.'),
        since: optional(
          'String',
          'The `cursor` of the last event received. Fails with CURSOR_EXPIRED if it is too old.',
        ),
      },
      subscribe: async (_root, options, context) => endingWith(context, await context.watch.watch(options)),
      resolve: (event, _args, context) => beginEvent(event, context),
    }),
  }),
});
