import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from 'jose';
import { AuthenticationUnavailable } from '../failures.js';
import { jsonOf, type Answer, type IdentityProvider } from '../identityProvider.js';
import { discoverKeys } from './discovery.js';

/** Keys are fetched again in the background after this time, so that one that was withdrawn is not taken for long. */
const RENEWAL_MS = 600_000;

/** For how long keys are taken that cannot be fetched again. */
const LONGEST_USE_MS = 3_600_000;

/** After a fetch a token with an unknown key leads to another one only after this time, so that many of them lead to few. */
const COOLDOWN_MS = 5_000;

/** How long after a failed fetch it is not tried again. */
const RETRY_MS = 1_000;

/** The keys of an identity provider, which changes them when it likes. */
export class RemoteKeys {
  private keys: RemoteJWKSet | null = null;
  /** While the address is being asked for. */
  private discovery: Promise<URL> | null = null;
  private fetchedAt = -Infinity;
  private failedAt = -Infinity;

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
    const key = await this.keys(header, token);
    if (performance.now() - this.fetchedAt > RENEWAL_MS) this.keys.reload().catch(() => undefined); // is reported
    return key;
  };

  private address(): URL | Promise<URL> {
    if (this.url !== null) return this.url;
    this.assertMayAsk();
    return (this.discovery ??= discoverKeys(this.issuer, this.provider)
      .catch(this.failed)
      .finally(() => (this.discovery = null)));
  }

  private keySet(address: URL): RemoteJWKSet {
    return createRemoteJWKSet(address, {
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: LONGEST_USE_MS,
      [customFetch]: (url) => this.fetch(new URL(url)),
    });
  }

  private async fetch(url: URL): Promise<Response> {
    this.assertMayAsk();
    const keys = await this.provider.ask(url, { accept: 'application/json' }, keysIn).catch(this.failed);
    this.fetchedAt = performance.now();
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
