import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Log } from '../../src/model/observation.js';
import { AUDIENCE, Issuer } from '../authentication/issuer.js';
import { authenticatorOfFile, newFile } from '../authentication/support.js';
import { lateBound, startApi, type Api, type ApiOfFile } from '../support/api.js';
import { testDatabase } from '../support/database.js';
import { TOKEN_FILE } from './viewers.js';

interface GuardedApi extends ApiOfFile {
  /** A second server on the same database, without authentication. */
  readonly unguarded: Api;
  /** Signs tokens that `api` accepts. */
  readonly issuer: Issuer;
}

interface Options {
  /** Fills the database before the server with authentication starts. */
  readonly fill?: (unguarded: Api) => Promise<unknown>;
  readonly log?: Log;
}

/**
 * Starts a database and two servers before the tests of a file, and stops them afterwards. `api` authenticates the
 * sender of each request. Fails if a server or the authenticator has reported an unexpected error.
 */
export function useGuardedApi({ fill, log }: Options = {}): GuardedApi {
  const started: { -readonly [Part in keyof GuardedApi]?: GuardedApi[Part] } = {};
  beforeAll(async () => {
    [started.database, started.issuer] = await Promise.all([testDatabase(), Issuer.start()]);
    started.unguarded = await startApi(started.database);
    await fill?.(started.unguarded);
    const authenticator = authenticatorOfFile({
      'tokens.file': newFile(TOKEN_FILE),
      'jwt.issuer': started.issuer.url,
      'jwt.audience': AUDIENCE,
      'jwt.wholeCloud': true,
    });
    started.api = await startApi(started.database, { authenticator, log });
  });
  afterAll(async () => {
    const servers = [started.api, started.unguarded];
    const logged = servers.flatMap((server) => server?.logged ?? []);
    await Promise.all([...servers.map((server) => server?.close()), started.issuer?.stop()]);
    await started.database?.close();
    expect(logged).toEqual([]);
  });
  return lateBound(started as GuardedApi);
}
