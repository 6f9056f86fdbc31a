import type { ObjectRef } from '@pothos/core';
import type { ProviderEntity } from './entities.js';
import { builder, objectType, type Types } from './builder.js';
import type { Context } from './context.js';
import { checkedBefore } from './selection.js';
import { costOfList } from './cost/operationCost.js';
import { optional } from './inputFields.js';
import {
  DEFAULT_PAGE,
  LARGEST_PAGE,
  ORDER_OF_NAMES,
  pageOf,
  type Connection,
  type Page,
  type PageArguments,
} from './paging/paging.js';
import { ResourceProvider } from './refs.js';

/** Defines the types <Name>Connection and <Name>Edge for pages of a list of `node`. */
export function connectionType<T>(
  node: ObjectRef<Types, T>,
  words: { readonly one: string; readonly many: string; readonly order: string },
) {
  const Edge = builder.edgeObject({
    name: `${node.name}Edge`,
    type: node,
    description: `${words.one} with its cursor.`,
  });
  return objectType<Connection<T>>(`${node.name}Connection`, {
    description: `A page of ${words.many}, sorted by ${words.order}.`,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        complexity: { field: 0, multiplier: 1 },
        description: `The ${words.many} with their cursors.`,
        resolve: ({ edges }) => edges as (typeof Edge.$inferType)[],
      }),
      nodes: t.field({
        type: [node],
        complexity: costOfList(1),
        description: `The ${words.many} of the page.`,
        resolve: ({ edges }) => edges.map((edge) => edge.node),
      }),
      pageInfo: t.expose('pageInfo', {
        type: builder.pageInfoRef(),
        complexity: 0,
        description: 'The position in the list.',
      }),
      totalCount: t.int({
        nullable: true,
        description: 'The length of the list.',
        resolve: ({ totalCount }) => totalCount(),
      }),
    }),
  });
}

export const ResourceProviderConnection = connectionType(ResourceProvider, {
  one: 'A provider',
  many: 'providers',
  order: 'name by default',
});

/** Returns the cost of a page. The selection counts once per object. */
export function costOfPage({ first, last }: { first?: number | null; last?: number | null }) {
  return { field: 1, multiplier: Math.min(first ?? last ?? DEFAULT_PAGE, LARGEST_PAGE) };
}

/** The arguments of every connection. */
export const PAGE_ARGUMENTS = {
  first: optional('Int', `The page size, 0 to ${LARGEST_PAGE}. Defaults to ${DEFAULT_PAGE}.`),
  after: optional('String', 'Entries after this cursor.'),
  last: optional('Int', 'Entries from the end. Excludes `first`.'),
  before: optional('String', 'Entries before this cursor.'),
};

/** The access rules of {@link PAGE_ARGUMENTS} in lists that readers of a project may use. */
export const PAGE_RULES = { first: 'FREE', after: 'FREE', last: 'FREE', before: 'FREE' } as const;

/** Adds a connection field of providers, `resourceProviders` unless it has another name, to a type. */
export function membersField<T>(
  owner: ObjectRef<Types, T>,
  description: string,
  read: (owner: T, page: Page<string>, context: Context) => Promise<Connection<ProviderEntity>>,
  name = 'resourceProviders',
): void {
  builder.objectField(owner, name, (t) =>
    t.field({
      type: ResourceProviderConnection,
      description,
      complexity: costOfPage,
      extensions: checkedBefore((args: PageArguments) => pageOf(ORDER_OF_NAMES, args)),
      args: PAGE_ARGUMENTS,
      resolve: (source, args, context) => read(source, pageOf(ORDER_OF_NAMES, args), context),
    }),
  );
}
