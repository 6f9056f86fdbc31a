import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { GraphiQLOptions } from 'graphql-yoga';
import { compress, type Coding } from '../http/headers.js';
import { contentPolicy } from './contentPolicy.js';

/** The folder of the example requests to the demo data: one file per tab, sorted by name. */
const TABS = new URL('../../../examples/graphiql/', import.meta.url);

/** The settings of GraphiQL. A new user sees the tabs of the examples. */
export const GRAPHIQL: GraphiQLOptions = {
  title: 'placement-graphql',
  defaultTabs: readdirSync(TABS)
    .sort()
    .map((file) => ({ query: readFileSync(new URL(file, TABS), 'utf8') })),
  defaultQuery: '',
  shouldPersistHeaders: false,
};

/**
 * Fixes the position of the tabs: GraphiQL makes them draggable, so a tab moves at the first click
 * and loses it. On a narrow screen, stacks the panes and makes both toolbars horizontal.
 */
const STYLE = `<style>
.graphiql-tab { transform: none !important; }
/* the link to the dashboard takes the place of the logo */
.graphiql-logo { visibility: hidden; }
#dashboard { position: fixed; top: 14px; right: 20px; z-index: 5; }
#dashboard { color: inherit; font: 500 15px system-ui, sans-serif; }
body.graphiql-dark #dashboard { color: #fff; }
@media (prefers-color-scheme: dark) { body:not(.graphiql-light) #dashboard { color: #fff; } }
@media (max-width: 800px) {
  #dashboard { top: auto; right: 12px; bottom: 4px; font-size: 13px; }
  .graphiql-container .graphiql-container, .graphiql-main, #graphiql-session { flex-direction: column !important; }
  .graphiql-main, .graphiql-sessions, #graphiql-session, .graphiql-editors { min-height: 0; }
  .graphiql-sidebar, .graphiql-toolbar { flex-direction: row !important; width: auto !important; }
  .graphiql-sidebar > button { margin-top: 0 !important; }
  .graphiql-sessions { margin: 0 var(--px-8) var(--px-8) !important; }
  .graphiql-logo, .graphiql-horizontal-drag-bar { display: none !important; }
  .graphiql-query-editor { flex-direction: column-reverse !important; padding: var(--px-8) !important; }
  .graphiql-query-editor > .graphiql-editor { flex: 1; min-height: 0; }
  .graphiql-editor-tool { padding: 0 !important; }
  .graphiql-editors { flex: 3 1 0% !important; }
  .graphiql-response { flex: 2 1 0% !important; min-height: 0; }
  .graphiql-plugin { min-height: 40vh; }
}
</style>`;

/**
 * Adds the token of the dashboard, which the session storage of the browser tab holds, to requests.
 * Adds all earlier events to each event, latest first: GraphiQL shows only the last event. Sorts the types of the docs
 * explorer by name.
 */
const SCRIPT = `<script>
const send = window.fetch;
window.fetch = async (url, options = {}) => {
  const headers = new Headers(options.headers);
  const token = sessionStorage.getItem('placement-token');
  if (token !== null && !headers.has('authorization')) headers.set('authorization', 'Bearer ' + token);
  const response = await send(url, { ...options, headers });
  const isStream = (response.headers.get('content-type') || '').startsWith('text/event-stream');
  if (isStream) return new Response(response.body.pipeThrough(keepEvents()), response);
  const isIntrospection = String(options.body).includes('query IntrospectionQuery');
  return isIntrospection && response.ok ? Response.json(sorted(await response.json())) : response;
};
function sorted(answer) {
  const types = answer.data && answer.data.__schema && answer.data.__schema.types;
  if (types) types.sort((one, other) => (one.name < other.name ? -1 : 1));
  return answer;
}
function keepEvents() {
  const events = [];
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\\n\\n');
      rest = parts.pop();
      for (const part of parts) {
        const [head, data] = part.split('\\ndata: ');
        if (head.endsWith('event: next')) events.unshift(JSON.parse(data));
        const text = head.endsWith('event: next') ? head + '\\ndata: ' + JSON.stringify({ events }) : part;
        controller.enqueue(encoder.encode(text + '\\n\\n'));
      }
    },
  });
}
</script>`;

export interface HtmlPage {
  readonly body: Buffer;
  /** The content security policy allows only the page's scripts and connections to this server. */
  readonly headers: Readonly<Record<string, string>>;
}

let html: Promise<string> | undefined;
const pages = new Map<Coding | null, Promise<HtmlPage>>();

/** Returns the self-contained page. It has 9 MB, so it is built and compressed once, on demand. */
export function graphiqlPage(coding: Coding | null): Promise<HtmlPage> {
  html ??= render();
  const page = pages.get(coding) ?? html.then((text) => pageOf(text, coding));
  pages.set(coding, page);
  return page;
}

/** In GraphiQL's code: a tab gets the name of the operation that runs, otherwise that of its first operation. */
const RENAMED_TAB = /title:\w+\.operationName\|\|/;

async function render(): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return String(renderGraphiQL(GRAPHIQL))
    .replace(RENAMED_TAB, 'title:')
    .replace('<head>', '<head><meta name="viewport" content="width=device-width, initial-scale=1">')
    .replace('</head>', () => `${STYLE}${SCRIPT}</head>`)
    .replace('<div id="root">', '<a id="dashboard" href="/">Dashboard</a><div id="root">');
}

async function pageOf(text: string, coding: Coding | null): Promise<HtmlPage> {
  return {
    body: coding ? await compress(text, coding) : Buffer.from(text),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(text),
      ...(coding && { 'content-encoding': coding, vary: 'accept-encoding, origin' }),
    },
  };
}

function policyOf(html: string): string {
  const scripts = Array.from(html.matchAll(/<script>(.*?)<\/script>/gs), ([, script]) => script);
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return contentPolicy(
    `script-src ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob: data:',
  );
}
