import type { IncomingHttpHeaders } from 'node:http';
import type { Report } from '../runtime/report.js';
import { tokenOf } from './credentials.js';
import { Unauthenticated } from './failures.js';
import { Jwt } from './jwt/jwt.js';
import { Keystone } from './keystone.js';
import type { Method } from './method.js';
import { RememberedViewers } from './rememberedViewers.js';
import { contradictions, type AuthenticationSettings } from './settings.js';
import { StaticTokens } from './tokens/staticTokens.js';
import type { Viewer } from './viewer.js';

export interface Authenticator {
  /**
   * Who sends a request with these headers. At once where the credentials are known.
   * @throws Unauthenticated where credentials are missing or do not hold
   * @throws AuthenticationUnavailable where who knows cannot be reached
   */
  authenticate(headers: IncomingHttpHeaders): Viewer | Promise<Viewer>;
  /** Stops watching files. */
  close(): void;
}

/**
 * What finds out who sends a request; null where no method of doing so is set.
 * @throws Error with a line for each setting that makes no sense, or whose file cannot be read
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
 * By the setting whose value may be at fault. In this order they are asked whether a token is of their kind: whatever is not of the
 * others may be Keystone's.
 */
const METHODS: Readonly<Record<string, (settings: AuthenticationSettings, report: Report) => Method | null>> =
  {
    'tokens.file': ({ 'tokens.file': file }, report) =>
      file === null ? null : new StaticTokens(file, report),
    'jwt.keyFile': (settings, report) => Jwt.of(settings, report),
    'keystone.url': (settings, report) => Keystone.of(settings, report),
  };

class AuthenticatorByMethods implements Authenticator {
  private readonly remembered = new RememberedViewers();
  private readonly kinds: string;

  constructor(private readonly methods: readonly Method[]) {
    this.kinds = methods.map(({ name }) => name).join(', ');
  }

  authenticate(headers: IncomingHttpHeaders): Viewer | Promise<Viewer> {
    const token = tokenOf(headers);
    const remembered = this.remembered.get(token);
    if (remembered !== undefined) return remembered;
    const method = this.methods.find((each) => each.recognizes(token));
    if (method === undefined)
      throw new Unauthenticated(`The token is none of the kinds that are taken here: ${this.kinds}.`);
    if (method.remembers === 0) return method.verify(token);
    return this.remembered.find(token, method.remembers, (one) => method.verify(one));
  }

  close(): void {
    for (const method of this.methods) method.close?.();
  }
}
