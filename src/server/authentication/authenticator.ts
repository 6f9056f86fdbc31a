import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Report } from '../../model/operation/report.js';
import { assertToken, tokenOf, Unauthenticated } from './credentials.js';
import { Jwt } from './jwt/jwt.js';
import { Keystone } from './keystone.js';
import { contradictions, type AuthenticationSettings } from './settings.js';
import { StaticTokens } from './tokens/staticTokens.js';
import { PROJECT_ID, type Method, type Viewer } from '../../model/viewer.js';

export interface Authenticator {
  /**
   * Returns the sender of a request with these headers. A cached sender is not a promise.
   * @throws Unauthenticated if credentials are missing or invalid
   * @throws AuthenticationUnavailable if the identity provider cannot be reached
   */
  authenticate(headers: IncomingHttpHeaders): Viewer | Promise<Viewer>;
  /** Stops watching files. */
  close(): void;
}

/**
 * Returns null if authentication is disabled.
 * @throws Error with a line for each invalid setting or unreadable file
 */
export function createAuthenticator(settings: AuthenticationSettings, report: Report): Authenticator | null {
  const problems = contradictions(settings);
  const methods: Method[] = [];
  for (const [name, make] of Object.entries(METHODS)) {
    try {
      const method = make(settings, report);
      if (method !== null) methods.push(method);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  }
  if (problems.length === 0) return methods.length === 0 ? null : new AuthenticatorByMethods(methods);
  for (const method of methods) method.close?.();
  throw new Error(problems.join('\n'));
}

/**
 * Maps the setting that errors name to its method. The first method that recognizes a token
 * verifies it. Keystone is last.
 */
const METHODS: Readonly<Record<string, (settings: AuthenticationSettings, report: Report) => Method | null>> =
  {
    'tokens.file': ({ 'tokens.file': file }, report) =>
      file === null ? null : new StaticTokens(file, report),
    'jwt.keyFile': (settings, report) => Jwt.of(settings, report),
    'keystone.url': (settings, report) => Keystone.of(settings, report),
  };

class AuthenticatorByMethods implements Authenticator {
  private readonly cache = new TokenCache();

  constructor(private readonly methods: readonly Method[]) {}

  authenticate(headers: IncomingHttpHeaders): Viewer | Promise<Viewer> {
    const token = tokenOf(headers);
    const cached = this.cache.get(token);
    if (cached !== undefined) return cached;
    assertToken(token);
    const method = this.methods.find((each) => each.recognizes(token));
    if (method === undefined) {
      const kinds = this.methods.map(({ name }) => name).join(', ');
      throw new Unauthenticated(`The server does not accept this kind of token. It accepts ${kinds}.`);
    }
    if (method.cacheMs === 0) return verified(method, token);
    return this.cache.find(token, method.cacheMs, (one) => verified(method, one));
  }

  close(): void {
    for (const method of this.methods) method.close?.();
  }
}

function verified(method: Method, token: string): Viewer | Promise<Viewer> {
  const viewer = method.verify(token);
  return viewer instanceof Promise ? viewer.then(withValidProject) : withValidProject(viewer);
}

/** @throws Unauthenticated for a project id that begins or ends with a blank */
function withValidProject(viewer: Viewer): Viewer {
  if (viewer.projectId === null || PROJECT_ID.test(viewer.projectId)) return viewer;
  throw new Unauthenticated(
    `The project id of the token, ${JSON.stringify(viewer.projectId)}, begins or ends with a blank.`,
  );
}

/** The maximum size of the cache, and the approximate size of a viewer (bytes). */
const MAX_BYTES = 33_554_432;
const VIEWER_BYTES = 500;

/** Caches the viewers of verified tokens. Failures are not cached. */
class TokenCache {
  private readonly viewers = new LRUCache<string, Viewer>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_, token) => token.length + VIEWER_BYTES,
    ttl: 1, // each entry sets its own value
  });
  /** Running verifications, shared by requests with the same token. */
  private readonly pending = new Map<string, Promise<Viewer>>();

  get(token: string): Viewer | undefined {
    return this.viewers.get(token);
  }

  /** Verifies a token, and caches its viewer until it expires, at most for `longest` (ms). */
  async find(
    token: string,
    longest: number,
    verify: (token: string) => Viewer | Promise<Viewer>,
  ): Promise<Viewer> {
    const running = this.pending.get(token);
    if (running !== undefined) return running;
    const verified = (async () => verify(token))();
    this.pending.set(token, verified);
    try {
      const viewer = await verified;
      const left = (viewer.expiresAt ?? Infinity) - Date.now();
      const ttl = Math.floor(Math.min(longest, left));
      if (ttl >= 1) this.viewers.set(token, viewer, { ttl });
      return viewer;
    } finally {
      this.pending.delete(token);
    }
  }
}
