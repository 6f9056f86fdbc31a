import { Comparison, type Difference } from '../compare/comparison.js';
import { FleetComparison } from '../compare/fleetComparison.js';
import { RestServer } from '../compare/restServer.js';
import { tokenOf } from '../client.js';
import { command } from '../command.js';
import { EXIT, Failure } from '../failure.js';
import { LIMIT, number, text } from '../options.js';
import type { OutputPage } from '../output.js';

const TOKEN = 'PLACEMENT_OTHER_TOKEN';

export const COMPARE = command(
  'compare <url>',
  "compare this server's REST API with another Placement: fleet and candidates; ends with 1 if they differ",
  {
    here: text(
      '--here <url>',
      'the REST API of this server (default: /placement beside PLACEMENT_URL)',
      addressOf,
    ),
    providers: number('--providers <number>', 'number of providers whose parts are compared', 0, Infinity),
    candidates: number('--candidates <number>', 'number of candidate requests', 0, 100),
    limit: LIMIT,
  },
  async (client, { here, limit, ...sizes }, url: string) => {
    const own = new RestServer(
      here ?? client.url.replace(/(\/graphql)?\/?$/, '/placement'),
      client.token,
      'PLACEMENT_TOKEN',
    );
    const other = new RestServer(addressOf(url), tokenOf(process.env, TOKEN), TOKEN);
    const version = Math.min(await own.maxVersion(), await other.maxVersion());
    own.version = other.version = version;
    const comparison = new Comparison({ here: own, there: other });
    const pages = limited(
      new FleetComparison(client, comparison, { ...sizes, version }).differences(),
      limit,
    );
    return {
      pages: reported(pages, comparison),
      columns: { read: 'read', at: 'at', here: shown('here'), there: shown('there') },
      none: 'no differences',
      exitOfSome: EXIT.failed,
    };
  },
);

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '')
    throw Failure.usage(`${text} must be the address of a REST API, such as http://placement.example:8778`);
  return url.href.replace(/\/+$/, '');
}

function shown(side: 'here' | 'there') {
  return ({ [side]: value }: Difference): string => {
    if (value === undefined) return '-';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
}

/** Ends after a number of rows. */
async function* limited(
  batches: AsyncIterable<readonly Difference[]>,
  limit: number,
): AsyncGenerator<OutputPage<Difference>> {
  let left = limit;
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    const hasMore = rows.length >= left;
    yield { rows: rows.slice(0, left), hasMore };
    if (hasMore) return;
    left -= rows.length;
  }
  if (left === limit) yield { rows: [], hasMore: false };
}

const REPORT_MS = 10_000;

/** Writes the number of reads to standard error, regularly and at the end. */
async function* reported<Row>(pages: AsyncIterable<Row>, comparison: Comparison): AsyncGenerator<Row> {
  const report = (): void => console.error(`compared ${comparison.reads.toLocaleString('en')} reads`);
  const timer = setInterval(report, REPORT_MS);
  try {
    yield* pages;
    report();
  } finally {
    clearInterval(timer);
  }
}
