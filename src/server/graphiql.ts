import { createHash } from 'node:crypto';
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

export interface Page {
  readonly html: Buffer;
  /** Its content security policy: it runs no scripts but its own, and connects to nobody but this server. */
  readonly policy: string;
}

let page: Promise<Page> | undefined;

/** The page with all that it needs in it: 9 MB, so it is made once, and only on demand. */
export function graphiqlPage(): Promise<Page> {
  page ??= import('@graphql-yoga/render-graphiql').then(({ renderGraphiQL }) => {
    const html = String(renderGraphiQL(GRAPHIQL)).replace('</head>', `${STEADY_TABS}</head>`);
    return { html: Buffer.from(html), policy: policyOf(html) };
  });
  return page;
}

function policyOf(html: string): string {
  const scripts = Array.from(html.matchAll(/<script>(.*?)<\/script>/gs), ([, script]) => script);
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob: data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
