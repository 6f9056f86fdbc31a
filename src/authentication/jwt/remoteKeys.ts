import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from 'jose';
import { AuthenticationUnavailable } from '../credentials.js';
import { jsonOf, type Answer, type IdentityProvider } from '../identityProvider.js';
import { z } from 'zod';
import { isSecureUrl } from '../settings.js';

/** How often keys are fetched again, so that one that was withdrawn is not taken for long. */
const RENEWAL_MS = 600_000;

/** For how long keys are taken that cannot be fetched again. */
const LONGEST_USE_MS = 3_600_000;

/** The minimum time between fetches for tokens with unknown keys: many such tokens cause few fetches. */
const COOLDOWN_MS = 5_000;

/** How long after a failed fetch it is not tried again. */
const RETRY_MS = 1_000;

const isReported = () => undefined;

/** The keys of an identity provider, which changes them when it likes. */
export class RemoteKeys {
  private keys: RemoteJWKSet | null = null;
  /** While the address is being asked for. */
  private discovery: Promise<URL> | null = null;
  private failedAt = -Infinity;
  private renewal: NodeJS.Timeout | undefined;

  /** @param url where they are; null: where the issuer says that they are */
  constructor(
    private readonly issuer: string,
    private readonly url: URL | null,
    private readonly provider: IdentityProvider,
  ) {}

  /** The key for a token. @throws what jose does where there is none, or AuthenticationUnavailable */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.keys === null) {
      const address = await this.address();
      this.keys ??= this.keySet(address);
    }
    return this.keys(header, token);
  };

  private address(): URL | Promise<URL> {
    if (this.url !== null) return this.url;
    this.assertMayAsk();
    return (this.discovery ??= discoverKeys(this.issuer, this.provider)
      .catch(this.failed)
      .finally(() => (this.discovery = null)));
  }

  /** Fetches no keys any more. */
  close(): void {
    clearInterval(this.renewal);
  }

  private keySet(address: URL): RemoteJWKSet {
    const keys = createRemoteJWKSet(address, {
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: LONGEST_USE_MS,
      [customFetch]: (url) => this.fetch(new URL(url)),
    });
    this.renewal = setInterval(() => void keys.reload().catch(isReported), RENEWAL_MS).unref();
    return keys;
  }

  private async fetch(url: URL): Promise<Response> {
    this.assertMayAsk();
    const keys = await this.provider.ask(url, { accept: 'application/json' }, keysIn).catch(this.failed);
    return Response.json(keys);
  }

  private readonly failed = (error: unknown): never => {
    this.failedAt = performance.now();
    throw error;
  };

  private assertMayAsk(): void {
    if (performance.now() - this.failedAt < RETRY_MS)
      throw new AuthenticationUnavailable('The keys of the issuer cannot be fetched: try again later.');
  }
}

/** @throws Error where they are no keys, so that it is reported like any other answer that cannot be used */
function keysIn(answer: Answer): JSONWebKeySet {
  const keys = jsonOf(answer) as JSONWebKeySet;
  createLocalJWKSet(keys);
  return keys;
}

/** What is needed of what OpenID Connect Discovery says of an issuer. */
const configuration = z.object({
  issuer: z.string(),
  jwks_uri: z.string().refine(isSecureUrl, 'must be https, or on this machine'),
});

/** Where an issuer says that its keys are. @throws AuthenticationUnavailable where it does not say so */
function discoverKeys(issuer: string, provider: IdentityProvider): Promise<URL> {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  return provider.ask(url, { accept: 'application/json' }, (answer: Answer) => {
    const { issuer: named, jwks_uri: keys } = configuration.parse(jsonOf(answer));
    // the specification asks for this, so that nobody speaks for another issuer
    if (named !== issuer)
      throw new Error(`it is of the issuer ${named}, not of ${issuer}: correct jwt.issuer`);
    return new URL(keys);
  });
}
