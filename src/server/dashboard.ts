import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCoding, compress, type Coding } from './http/compression.js';

/** The built dashboard, beside the compiled server. In a checkout it is built while the server runs. */
const FILES = new URL('../../dist/dashboard/', import.meta.url);

/** The views of the page (dashboard/routes.ts): each path answers the page, which shows the view. */
export const DASHBOARD_PATHS = [
  '/',
  '/new-host',
  '/hosts/:host',
  '/place',
  '/rebalance',
  '/consumers',
  '/consumers/:consumer',
  '/projects',
  '/projects/:project',
  '/audit',
];

/** The page runs its own scripts, and connects to nobody but this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Names that do not lead out of the folder. */
const NAME = /^(assets\/)?\w[\w.-]*$/;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file as it is sent. It is compressed on demand, once. */
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

  /** The headers of every answer, of one without a body as well: a browser takes them for those of what it has kept. */
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

class StaticFiles {
  private readonly files = new Map<string, StaticFile>();

  /** Returns the file as it is now, or null if there is none. */
  find(name: string): StaticFile | null {
    if (!NAME.test(name) || TYPES[extname(name)] === undefined) return null;
    const modified = statSync(new URL(name, FILES), { throwIfNoEntry: false })?.mtimeMs;
    if (modified === undefined) return null;
    const known = this.files.get(name);
    if (known?.modified === modified) return known;
    const file = new StaticFile(name, modified);
    this.files.set(name, file);
    return file;
  }
}

const NOT_BUILT = 'The dashboard is being built. Load this page again in a few seconds.\n';

/** Sends the page. */
type SendPage = (request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * Serves the page at the paths of its views, and its files. They contain no data: no credential is required.
 * Returns what sends the page elsewhere.
 */
export function addDashboard(app: Pick<FastifyInstance, 'get'>, hasCompression: boolean): SendPage {
  const files = new StaticFiles();
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
    const page = files.find('index.html');
    if (page !== null) return send(request, reply, page, 'no-cache');
    return reply.code(503).headers({ 'retry-after': '2', 'cache-control': 'no-store' }).send(NOT_BUILT);
  };
  for (const path of DASHBOARD_PATHS) app.get(path, sendPage);
  // the names of these files are derived from their content
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const file = files.find(`assets/${request.params.name}`);
    if (file === null) return reply.callNotFound();
    return send(request, reply, file, 'public, max-age=31536000, immutable');
  });
  return sendPage;
}
