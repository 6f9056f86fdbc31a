import { readdirSync, readFileSync } from 'node:fs';
import type { GraphiQLOptions } from 'graphql-yoga';

/** Requests to the sample cloud, a file for each tab, in the order of their names. */
const TABS = new URL('../../examples/graphiql/', import.meta.url);

/** What GraphiQL shows to whoever opens it for the first time. */
export const GRAPHIQL: GraphiQLOptions = {
  title: 'placement-graphql',
  defaultTabs: readdirSync(TABS)
    .sort()
    .map((file) => ({ query: readFileSync(new URL(file, TABS), 'utf8') })),
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
