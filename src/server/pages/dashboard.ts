import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCoding, compress, type Coding } from '../http/headers.js';
import { contentPolicy } from './contentPolicy.js';

/** The folder of the built dashboard. In a checkout it is built while the server runs. */
const FILES = new URL('../../../dist/dashboard/', import.meta.url);

/** The paths of the views (dashboard/routes.ts). The server sends the same page at each of them. */
export const DASHBOARD_PATHS = [
  '/',
  '/new-host',
  '/hosts/:host',
  '/drain',
  '/place',
  '/rebalance',
  '/consumers',
  '/consumers/:consumer',
  '/projects',
  '/projects/:project',
  '/audit',
];

const POLICY = contentPolicy("script-src 'self'", "style-src 'self'", "img-src 'self'");

/** File names that cannot leave the folder. */
const NAME = /^(assets\/)?\w[\w.-]*$/;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file to send. Each coding is computed once, on demand. */
class StaticFile {
  readonly etag: string;
  private readonly text: string;
  private readonly compressed = new Map<Coding, Promise<Buffer>>();

  constructor(
    private readonly name: string,
    readonly modified: number,
  ) {
    this.text = readFileSync(new URL(name, FILES), 'utf8');
    this.etag = `"${createHash('sha256').update(this.text).digest('base64url')}"`;
  }

  /** Returns the headers of every answer. A 304 needs them too: browsers update cached headers. */
  headers(cacheControl: string): Record<string, string> {
    return {
      'content-security-policy': POLICY,
      'cache-control': cacheControl,
      etag: this.etag,
      vary: 'accept-encoding, origin',
    };
  }

  async send(reply: FastifyReply, coding: Coding | null): Promise<FastifyReply> {
    const body = coding ? await this.compressedBy(coding) : this.text;
    if (coding) reply.header('content-encoding', coding);
    return reply.type(TYPES[extname(this.name)]).send(body);
  }

  private compressedBy(coding: Coding): Promise<Buffer> {
    const made = this.compressed.get(coding) ?? compress(this.text, coding);
    this.compressed.set(coding, made);
    return made;
  }
}

const files = new Map<string, StaticFile>();

/** Returns the current version of a file. Null if it is missing or has a wrong name or type. */
function findFile(name: string): StaticFile | null {
  if (!NAME.test(name) || TYPES[extname(name)] === undefined) return null;
  const modified = statSync(new URL(name, FILES), { throwIfNoEntry: false })?.mtimeMs;
  if (modified === undefined) return null;
  const known = files.get(name);
  const file = known?.modified === modified ? known : new StaticFile(name, modified);
  files.set(name, file);
  return file;
}

const NOT_BUILT = 'The dashboard is being built. Load this page again in a few seconds.\n';

type SendPage = (request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * Serves the page at the paths of its views, and its files. They require no credentials, because
 * they contain no data. Returns the function that sends the page for other paths.
 */
export function addDashboard(app: Pick<FastifyInstance, 'get'>, hasCompression: boolean): SendPage {
  const codingOf = ({ raw }: FastifyRequest): Coding | null => (hasCompression ? acceptedCoding(raw) : null);
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    file: StaticFile,
    cacheControl: string,
  ): unknown => {
    reply.headers(file.headers(cacheControl));
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    return file.send(reply, codingOf(request));
  };
  const sendPage: SendPage = (request, reply) => {
    const page = findFile('index.html');
    if (page !== null) return send(request, reply, page, 'no-cache');
    return reply.code(503).headers({ 'retry-after': '2', 'cache-control': 'no-store' }).send(NOT_BUILT);
  };
  for (const path of DASHBOARD_PATHS) app.get(path, sendPage);
  // the names of these files are derived from their content
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const file = findFile(`assets/${request.params.name}`);
    if (file === null) return reply.callNotFound();
    return send(request, reply, file, 'public, max-age=31536000, immutable');
  });
  return sendPage;
}
