import type { GraphiQLOptions } from 'graphql-yoga';
import { TABS } from './graphiqlTabs.js';

/** What GraphiQL shows when it is opened for the first time: sixteen requests to the sample cloud. */
export const GRAPHIQL: GraphiQLOptions = {
  title: 'placement-graphql',
  defaultTabs: TABS.map((query) => ({ query })),
  defaultQuery: '',
  shouldPersistHeaders: false,
};

/**
 * GraphiQL's tabs can be dragged, and one that was never touched jumps away under the pointer, so that the first click on
 * it is lost. Held in place they can be clicked.
 */
const STEADY_TABS = '<style>.graphiql-tab { transform: none !important; }</style>';

let page: Promise<string> | undefined;

/** The page with all that it needs in it: 9 MB, so it is made once, and only on demand. */
export function renderGraphiql(options: GraphiQLOptions): Promise<string> {
  page ??= import('@graphql-yoga/render-graphiql').then(({ renderGraphiQL }) =>
    String(renderGraphiQL(options)).replace('</head>', `${STEADY_TABS}</head>`),
  );
  return page;
}
