import type { Report } from '../../runtime/report.js';
import { Unauthenticated } from '../failures.js';
import type { Method } from '../method.js';
import { rolesOf } from '../roles.js';
import type { Viewer } from '../viewer.js';
import { WatchedFile } from '../watchedFile.js';
import { hashOf, isStaticToken } from './secret.js';
import { parseTokens } from './tokenFile.js';

/** Tokens of a file, which may change at any time. */
export class StaticTokens implements Method {
  readonly name = 'static tokens';
  /** A look-up by hash takes a microsecond, and sees at once what was revoked. */
  readonly remembers = 0;
  private readonly viewers: WatchedFile<ReadonlyMap<string, Viewer>>;

  /** @throws Error where the file cannot be read, or makes no sense */
  constructor(file: string, report: Report) {
    try {
      this.viewers = new WatchedFile(file, viewersIn, report, 'tokens');
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new Error(`${message}: "placement-graphql token create" makes it`, { cause: error });
    }
  }

  recognizes(token: string): boolean {
    return isStaticToken(token);
  }

  verify(token: string): Viewer {
    const viewer = this.viewers.current.get(hashOf(token));
    if (viewer === undefined) throw new Unauthenticated('The token is not known, or is revoked.');
    if (viewer.expiresAt !== null && viewer.expiresAt <= Date.now())
      throw new Unauthenticated('The token has expired.');
    return viewer;
  }

  close(): void {
    this.viewers.close();
  }
}

function viewersIn(text: string): Map<string, Viewer> {
  return new Map(
    parseTokens(text).map(({ hash, name, roles, projectId, expires }) => [
      hash,
      {
        userId: name,
        roles: rolesOf(roles, projectId),
        projectId,
        expiresAt: expires === null ? null : Date.parse(expires),
      },
    ]),
  );
}
