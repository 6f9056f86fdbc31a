import type { ObjectRef } from '@pothos/core';
import type { ProviderEntity } from '../reads/entities.js';
import { builder, type Types } from './builder.js';
import type { Context } from './context.js';
import { costOfList } from './cost/fieldCost.js';
import {
  DEFAULT_PAGE,
  LARGEST_PAGE,
  ORDER_OF_NAMES,
  pageOf,
  type Connection,
  type Page,
} from '../reads/paging/paging.js';
import { ResourceProvider } from './refs.js';

/** The types <Name>Connection and <Name>Edge for pages of a list of `node`. */
export function connectionType<T>(
  node: ObjectRef<Types, T>,
  words: { readonly one: string; readonly many: string; readonly order: string },
) {
  const Edge = builder.edgeObject({
    name: `${node.name}Edge`,
    type: node,
    description: `${words.one} and its place in a list.`,
  });
  return builder.objectRef<Connection<T>>(`${node.name}Connection`).implement({
    description: `A page of a list of ${words.many}, by ${words.order}.`,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        complexity: { field: 0, multiplier: 1 },
        description: `The ${words.many} of this page, each with its cursor.`,
        resolve: ({ edges }) => edges as (typeof Edge.$inferType)[],
      }),
      nodes: t.field({
        type: [node],
        complexity: costOfList(1),
        description: `The ${words.many} of this page.`,
        resolve: ({ edges }) => edges.map((edge) => edge.node),
      }),
      pageInfo: t.expose('pageInfo', {
        type: builder.pageInfoRef(),
        complexity: 0,
        description: 'Where this page lies in the whole list.',
      }),
      totalCount: t.int({
        nullable: true,
        description: `How many ${words.many} the whole list has. Counted only when asked for.`,
        resolve: ({ totalCount }) => totalCount(),
      }),
    }),
  });
}

export const ResourceProviderConnection = connectionType(ResourceProvider, {
  one: 'A provider',
  many: 'providers',
  order: 'name unless ordered otherwise',
});

/** The cost of a page: what is selected of it counts once for each of its objects. */
export function costOfPage({ first, last }: { first?: number | null; last?: number | null }) {
  return { field: 1, multiplier: Math.min(first ?? last ?? DEFAULT_PAGE, LARGEST_PAGE) };
}

/** The arguments of every list that comes page by page: it is read forwards or backwards. */
export const PAGE_ARGUMENTS = builder.args((t) => ({
  first: t.int({
    description: `How many from the front, 0 to ${LARGEST_PAGE}; ${DEFAULT_PAGE} when nothing is said.`,
  }),
  after: t.string({ description: 'Only what comes after this cursor.' }),
  last: t.int({ description: `How many from the back instead, 0 to ${LARGEST_PAGE}.` }),
  before: t.string({ description: 'Only what comes before this cursor.' }),
}));

/** The same, where readers of a project may use the list: they may read it from either end. */
export const PAGE_RULES = { first: 'FREE', after: 'FREE', last: 'FREE', before: 'FREE' } as const;

/** Gives a type the field `resourceProviders`, page by page. */
export function membersField<T>(
  owner: ObjectRef<Types, T>,
  description: string,
  read: (owner: T, page: Page<string>, context: Context) => Promise<Connection<ProviderEntity>>,
): void {
  builder.objectField(owner, 'resourceProviders', (t) =>
    t.field({
      type: ResourceProviderConnection,
      description: `${description} A page that is too large, or a bad cursor, is INVALID_INPUT.`,
      complexity: costOfPage,
      args: PAGE_ARGUMENTS,
      resolve: (source, args, context) => read(source, pageOf(ORDER_OF_NAMES, args), context),
    }),
  );
}
