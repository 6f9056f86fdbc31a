import type { Report } from '../../../model/operation/report.js';
import { Unauthenticated } from '../credentials.js';
import { rolesOf, type Method, type Viewer } from '../../../model/viewer.js';
import { WatchedFiles } from '../../start/watchedFiles.js';
import { hashOf, isStaticToken } from './secret.js';
import { parseTokens } from './tokenFile.js';

/** Verifies the tokens of a file. Reads the file again when it changes. */
export class StaticTokens implements Method {
  readonly name = 'static tokens';
  /** No cache: a look-up by hash takes a microsecond and rejects revoked tokens at once. */
  readonly cacheMs = 0;
  private readonly viewers: WatchedFiles<ReadonlyMap<string, Viewer>>;

  /** @throws Error if the file is unreadable or invalid */
  constructor(file: string, report: Report) {
    try {
      this.viewers = new WatchedFiles([{ name: file, path: file }], ([text]) => viewersIn(text)).watch({
        report,
      });
    } catch (error) {
      const { message, cause } = error as Error & { readonly cause?: NodeJS.ErrnoException };
      if (cause?.syscall === undefined) throw new Error(`${file}: ${message}`, { cause: error });
      throw new Error(`${cause.message}: "placement-graphql token create" creates it`, { cause: error });
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
    this.viewers.stop();
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
