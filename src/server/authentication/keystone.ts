import * as z from 'zod';
import type { Report } from '../../model/operation/report.js';
import { AuthenticationUnavailable, Unauthenticated } from './credentials.js';
import { IdentityProvider, jsonOf, type IdentityAnswer } from './identityProvider.js';
import { rolesOf, type Method, type Viewer } from '../../model/viewer.js';
import type { AuthenticationSettings } from './settings.js';

/** The maximum length (characters). Tokens of Keystone have hundreds, signed ones a thousand. */
const MAX_TOKEN_LENGTH = 2_048;

/** The maximum number of concurrent requests: Keystone would answer few further ones in time. */
const MAX_PENDING = 1_000;

const answer = z.object({
  token: z.object({
    user: z.object({ id: z.string().min(1) }),
    roles: z.array(z.object({ name: z.string() })).default([]),
    project: z.object({ id: z.string().min(1) }).optional(),
    system: z.object({ all: z.literal(true) }).optional(),
    expires_at: z.iso.datetime({ offset: true }),
  }),
});

/** Verifies tokens by requests to Keystone. Every token is allowed to validate itself. */
export class Keystone implements Method {
  readonly name = 'tokens of Keystone';
  private readonly provider: IdentityProvider;
  private pending = 0;

  private constructor(
    private readonly url: URL,
    readonly cacheMs: number,
    report: Report,
  ) {
    this.provider = new IdentityProvider('Keystone', report);
  }

  /** Returns null if Keystone is not configured. */
  static of(settings: AuthenticationSettings, report: Report): Keystone | null {
    const { 'keystone.url': url, 'keystone.cacheSeconds': seconds } = settings;
    if (url === null) return null;
    return new Keystone(tokensUrl(url), 1_000 * seconds, report);
  }

  recognizes(token: string): boolean {
    return token.length <= MAX_TOKEN_LENGTH;
  }

  async verify(token: string): Promise<Viewer> {
    if (this.pending >= MAX_PENDING)
      throw new AuthenticationUnavailable('Too many tokens are being checked: try again later.');
    this.pending += 1;
    try {
      const headers = { accept: 'application/json', 'x-auth-token': token, 'x-subject-token': token };
      const viewer = await this.provider.ask(this.url, headers, viewerOf);
      if (viewer === null)
        throw new Unauthenticated('The token is not known to Keystone, has expired or is revoked.');
      if (viewer.expiresAt! <= Date.now()) throw new Unauthenticated('The token has expired.');
      return viewer;
    } finally {
      this.pending -= 1;
    }
  }
}

/** Accepts an address with or without /v3. Omits the long service catalog from answers. */
function tokensUrl(keystone: string): URL {
  const base = keystone.replace(/\/+$/, '').replace(/\/v3$/, '');
  return new URL(`${base}/v3/auth/tokens?nocatalog`);
}

/** Returns null if the token is invalid. */
function viewerOf(response: IdentityAnswer): Viewer | null {
  const { status } = response;
  if (status === 401 || status === 404) return null;
  if (status === 403)
    throw new Error(
      'Keystone does not allow a token to validate itself: identity:validate_token must allow rule:token_subject',
    );
  const { token } = answer.parse(jsonOf(response));
  // roles in a domain are ignored, because the projects of the domain are unknown
  const names = token.project || token.system ? token.roles.map(({ name }) => name.toLowerCase()) : [];
  const projectId = token.project?.id ?? null;
  return {
    userId: token.user.id,
    roles: rolesOf(names, projectId),
    projectId,
    isOfSystem: token.system !== undefined,
    expiresAt: Date.parse(token.expires_at),
  };
}
