import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Report } from '../../runtime/report.js';
import { Unauthenticated } from '../failures.js';
import type { Method } from '../method.js';
import { rolesOf } from '../roles.js';
import type { Viewer } from '../viewer.js';
import { hashOf, isStaticToken } from './secret.js';
import { parseTokens } from './tokenFile.js';

/** How often the file is read. Its content is compared, for no time stamp is fine enough to tell every change. */
const INTERVAL_MS = 1_000;

/** Tokens of a file, which may change at any time: it is read every second. */
export class StaticTokens implements Method {
  readonly name = 'static tokens';
  /** A look-up by hash takes a microsecond, and sees at once what was revoked. */
  readonly remembers = 0;
  private text: string;
  private viewers: ReadonlyMap<string, Viewer>;
  /** What was wrong with the file when it was read last. */
  private problem: string | null = null;
  private readonly timer: NodeJS.Timeout;

  /** @throws Error where the file cannot be read, or makes no sense */
  constructor(
    private readonly file: string,
    private readonly report: Report,
  ) {
    try {
      this.text = readFileSync(file, 'utf8');
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`${message}: "placement-graphql token create" makes it`, { cause: error });
    }
    try {
      this.viewers = viewersIn(this.text);
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
    }
    this.timer = setInterval(() => void this.read(), INTERVAL_MS).unref();
  }

  recognizes(token: string): boolean {
    return isStaticToken(token);
  }

  verify(token: string): Viewer {
    const viewer = this.viewers.get(hashOf(token));
    if (viewer === undefined) throw new Unauthenticated('The token is not known, or is revoked.');
    if (viewer.expiresAt !== null && viewer.expiresAt <= Date.now())
      throw new Unauthenticated('The token has expired.');
    return viewer;
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Takes the file if it has changed. What cannot be read, or makes no sense, is reported once, and the tokens stay. */
  private async read(): Promise<void> {
    try {
      const text = await readFile(this.file, 'utf8');
      if (text === this.text && this.problem === null) return;
      this.viewers = viewersIn(text);
      this.text = text;
      this.problem = null;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.problem)
        this.report(error, `reading ${this.file}; the tokens stay as they were before`);
      this.problem = message;
    }
  }
}

function viewersIn(text: string): Map<string, Viewer> {
  return new Map(
    parseTokens(text).map(({ hash, name, roles, projectId, expires }) => [
      hash,
      {
        userId: name,
        roles: rolesOf(roles),
        projectId,
        expiresAt: expires === null ? null : Date.parse(expires),
      },
    ]),
  );
}
