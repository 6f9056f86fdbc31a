import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

export const AUDIENCE = 'placement';

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

interface TokenOptions {
  readonly key?: SigningKey;
  /** Claims besides those of every token, or in their place; undefined: none of that name. */
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
}

/** Seconds since 1970, that much from now. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** An identity provider on this machine: its OpenID configuration and its keys, by HTTP. */
export class Issuer {
  /** Requests that it was sent, by path. */
  readonly requests: string[] = [];
  /** What it answers with in place of its keys. */
  instead: { status: number; body: string } | null = null;
  /** How its configuration calls it, where that is wrong. */
  claimedIssuer: string | null = null;
  private server: Server | null = null;
  private port = 0;
  private published: SigningKey[] = [];

  static async start(): Promise<Issuer> {
    taken.clear();
    const issuer = new Issuer();
    await issuer.rotate();
    await issuer.resume();
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/realms/cloud`;
  }

  get key(): SigningKey {
    return this.published[0];
  }

  /** Takes a new key, and withdraws the others. */
  async rotate(alg = 'RS256'): Promise<SigningKey> {
    const key = await newKey(alg);
    this.publish(key);
    return key;
  }

  /** Publishes this key alone. */
  publish(key: SigningKey): void {
    this.published = [key];
  }

  async publicKeys(): Promise<JWK[]> {
    return Promise.all(
      this.published.map(async ({ kid, alg, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg,
        use: 'sig',
      })),
    );
  }

  /** Also one that was stopped, at the same port. */
  async resume(): Promise<void> {
    this.server = createServer((request, response) => {
      this.requests.push(request.url!);
      void this.answer(request.url!).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.server?.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** A token as it is given to a user, for an hour. */
  token({ key = this.key, claims = {}, header = {} }: TokenOptions = {}): Promise<string> {
    const all = {
      iss: this.url,
      aud: AUDIENCE,
      sub: 'alice',
      exp: inSeconds(3_600),
      roles: ['reader'],
      ...claims,
    };
    return new SignJWT(all)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  private async answer(path: string): Promise<{ status: number; body: string }> {
    if (path === '/realms/cloud/.well-known/openid-configuration') {
      const issuer = this.claimedIssuer ?? this.url;
      return { status: 200, body: JSON.stringify({ issuer, jwks_uri: `${this.url}/certs` }) };
    }
    if (path !== '/realms/cloud/certs') return { status: 404, body: '{}' };
    return this.instead ?? { status: 200, body: JSON.stringify({ keys: await this.publicKeys() }) };
  }
}

let keys = 0;

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/** Key pairs by algorithm. The next issuer takes them again, because generating an RSA key takes long. */
const generated = new Map<string, Promise<KeyPair>[]>();
/** The number of key pairs that have been taken since the issuer started, by algorithm. */
const taken = new Map<string, number>();

/** Returns a key that differs from all keys since the issuer started. */
export async function newKey(alg: string): Promise<SigningKey> {
  const pairs = generated.get(alg) ?? [];
  generated.set(alg, pairs);
  const at = taken.get(alg) ?? 0;
  taken.set(alg, at + 1);
  const pair = await (pairs[at] ??= generateKeyPair(alg, { extractable: true }));
  return { kid: `key-${++keys}`, alg, ...pair };
}
