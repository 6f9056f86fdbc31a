import {
  createRemoteJWKSet,
  customFetch,
  type CryptoKey,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from 'jose';
import * as z from 'zod';
import { AuthenticationUnavailable } from '../credentials.js';
import { jsonOf, type IdentityAnswer, type IdentityProvider } from '../identityProvider.js';
import { isSecureUrl } from '../settings.js';
import { KeySet } from './keySet.js';

/** The interval at which keys are fetched again (ms), so that withdrawn keys are rejected soon. */
const RENEWAL_MS = 600_000;

/** How long keys are accepted if they cannot be fetched again (ms). */
const LONGEST_USE_MS = 3_600_000;

/** The minimum time between fetches for unknown keys (ms): many such tokens cause few fetches. */
const COOLDOWN_MS = 5_000;

/** The minimum time between a failed fetch and the next one (ms). */
const RETRY_MS = 1_000;

const isReported = () => undefined;

/** The keys of an identity provider, which may change them at any time. */
export class RemoteKeys {
  /** Decides when to fetch. Null before the address of the keys is known. */
  private remote: RemoteJWKSet | null = null;
  /** The keys of the last fetch. */
  private keys = new KeySet({ keys: [] });
  /** The running request for the address of the keys. Null if there is none. */
  private discovery: Promise<URL> | null = null;
  private failedAt = -Infinity;
  private renewal: NodeJS.Timeout | undefined;

  /** @param url the address of the keys; null: OpenID Connect Discovery returns it */
  constructor(
    private readonly issuer: string,
    private readonly url: URL | null,
    private readonly provider: IdentityProvider,
  ) {}

  /**
   * Returns the key that signed a token. Fetches the keys again before it reports that there is none.
   * @throws AuthenticationUnavailable, or the errors of {@link KeySet.find}
   */
  readonly find: JWTVerifyGetKey<CryptoKey> = async (header, token) => {
    if (this.remote === null) {
      const address = await this.address();
      this.remote ??= this.remoteSet(address);
    }
    if (!this.remote.fresh) await this.remote.reload();
    try {
      return await this.keys.find(header, token);
    } catch (error) {
      if (this.remote.coolingDown) throw error;
      await this.remote.reload();
      return this.keys.find(header, token);
    }
  };

  private address(): URL | Promise<URL> {
    if (this.url !== null) return this.url;
    this.assertMayAsk();
    return (this.discovery ??= discoverKeys(this.issuer, this.provider)
      .catch(this.failed)
      .finally(() => (this.discovery = null)));
  }

  /** Stops fetching keys. */
  close(): void {
    clearInterval(this.renewal);
  }

  private remoteSet(address: URL): RemoteJWKSet {
    const remote = createRemoteJWKSet(address, {
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: LONGEST_USE_MS,
      [customFetch]: (url) => this.fetch(new URL(url)),
    });
    this.renewal = setInterval(() => void remote.reload().catch(isReported), RENEWAL_MS).unref();
    return remote;
  }

  private async fetch(url: URL): Promise<Response> {
    this.assertMayAsk();
    const answer = await this.provider.ask(url, { accept: 'application/json' }, keysIn).catch(this.failed);
    this.keys = new KeySet(answer);
    return Response.json(answer);
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

/** @throws Error if the answer has no keys, so that it is reported like other invalid answers */
function keysIn(answer: IdentityAnswer): JSONWebKeySet {
  const keys = jsonOf(answer) as JSONWebKeySet;
  new KeySet(keys);
  return keys;
}

/** The required fields of the metadata of OpenID Connect Discovery. */
const configuration = z.object({
  issuer: z.string(),
  jwks_uri: z.string().refine(isSecureUrl, 'must be https, or on this machine'),
});

/** Returns the URL of an issuer's keys. @throws AuthenticationUnavailable without valid metadata */
function discoverKeys(issuer: string, provider: IdentityProvider): Promise<URL> {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  return provider.ask(url, { accept: 'application/json' }, (answer: IdentityAnswer) => {
    const { issuer: named, jwks_uri: keys } = configuration.parse(jsonOf(answer));
    // the specification requires this check, so that no server can impersonate another issuer
    if (named !== issuer)
      throw new Error(`it is of the issuer ${named}, not of ${issuer}: correct jwt.issuer`);
    return new URL(keys);
  });
}
