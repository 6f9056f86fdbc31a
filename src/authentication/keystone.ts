import { z } from 'zod';
import type { Report } from '../runtime/report.js';
import { AuthenticationUnavailable, Unauthenticated } from './failures.js';
import { IdentityProvider, jsonOf, type Answer } from './identityProvider.js';
import type { Method } from './method.js';
import { rolesOf } from './roles.js';
import type { AuthenticationSettings } from './settings.js';
import type { Viewer } from './viewer.js';

/** Keystone's tokens are of some hundred characters, signed ones of a thousand; it is asked with two headers of that length. */
const LONGEST_TOKEN = 2_048;

/** Tokens that are being asked for at the same time; of more Keystone would answer few in time. */
const MOST_UNDER_WAY = 1_000;

const answer = z.object({
  token: z.object({
    user: z.object({ id: z.string().min(1) }),
    roles: z.array(z.object({ name: z.string() })).default([]),
    project: z.object({ id: z.string().min(1) }).optional(),
    system: z.object({ all: z.literal(true) }).optional(),
    expires_at: z.iso.datetime({ offset: true }),
  }),
});

/** Tokens of OpenStack's Keystone, which is asked with the token itself: everybody may ask for his own. */
export class Keystone implements Method {
  readonly name = 'tokens of Keystone';
  private readonly provider: IdentityProvider;
  private underWay = 0;

  private constructor(
    private readonly url: URL,
    readonly remembers: number,
    report: Report,
  ) {
    this.provider = new IdentityProvider('Keystone', report);
  }

  /** Null where it is not set. */
  static of(settings: AuthenticationSettings, report: Report): Keystone | null {
    const { 'keystone.url': url, 'keystone.cacheSeconds': seconds } = settings;
    if (url === null) return null;
    return new Keystone(tokensUrl(url), 1_000 * seconds, report);
  }

  recognizes(token: string): boolean {
    return token.length <= LONGEST_TOKEN;
  }

  async verify(token: string): Promise<Viewer> {
    if (this.underWay >= MOST_UNDER_WAY)
      throw new AuthenticationUnavailable('Too many tokens are being checked: try again later.');
    this.underWay += 1;
    try {
      const headers = { accept: 'application/json', 'x-auth-token': token, 'x-subject-token': token };
      const viewer = await this.provider.ask(this.url, headers, viewerOf);
      if (viewer === null)
        throw new Unauthenticated('The token is not known to Keystone, has expired or is revoked.');
      if (viewer.expiresAt! <= Date.now()) throw new Unauthenticated('The token has expired.');
      return viewer;
    } finally {
      this.underWay -= 1;
    }
  }
}

/** The address may be that of Keystone, or of its version 3. The catalog of services, which answers have otherwise, is long. */
function tokensUrl(keystone: string): URL {
  const base = keystone.replace(/\/+$/, '').replace(/\/v3$/, '');
  return new URL(`${base}/v3/auth/tokens?nocatalog`);
}

/** Null where the token does not hold. */
function viewerOf(response: Answer): Viewer | null {
  const { status } = response;
  if (status === 401 || status === 404) return null;
  if (status === 403)
    throw new Error('a token may not ask for itself: identity:validate_token must allow rule:token_subject');
  const { token } = answer.parse(jsonOf(response));
  // roles in a domain say nothing of the cloud, and the projects of a domain are not known here
  const names = token.project || token.system ? token.roles.map(({ name }) => name.toLowerCase()) : [];
  return {
    userId: token.user.id,
    roles: rolesOf(names),
    projectId: token.project?.id ?? null,
    expiresAt: Date.parse(token.expires_at),
  };
}
