import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCoding, compress, type Coding } from './http/compression.js';

/** What Vite has built of the folder `dashboard`, beside the compiled server. */
const FILES = new URL('../../dist/dashboard/', import.meta.url);

/** The views of the page (dashboard/routes.ts): each path answers the page, which shows the view. */
export const DASHBOARD_PATHS = [
  '/',
  '/hosts/:host',
  '/place',
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

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file as it is sent, compressed on demand and once. */
class StaticFile {
  readonly etag: string;
  private readonly text: string;
  private readonly compressed = new Map<Coding, Promise<Buffer>>();

  constructor(private readonly name: string) {
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

/** Whether the dashboard was built: not where tests need none. */
export function hasDashboardFiles(): boolean {
  return existsSync(new URL('index.html', FILES));
}

/** Serves the page at the paths of its views, and the files that it is made of. There is no data in them: everybody may have them. */
export function addDashboard(app: Pick<FastifyInstance, 'get'>, hasCompression: boolean): void {
  const codingOf = ({ raw }: FastifyRequest): Coding | null => (hasCompression ? acceptedCoding(raw) : null);
  const serve = (path: string, file: StaticFile, cacheControl: string): unknown =>
    app.get(path, (request, reply) => {
      reply.headers(file.headers(cacheControl));
      if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
      return file.send(reply, codingOf(request));
    });
  const page = new StaticFile('index.html');
  for (const path of DASHBOARD_PATHS) serve(path, page, 'no-cache');
  // the names of the others are made of their content
  for (const name of readdirSync(new URL('assets/', FILES)))
    serve(`/assets/${name}`, new StaticFile(`assets/${name}`), 'public, max-age=31536000, immutable');
}
