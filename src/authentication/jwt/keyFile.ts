import { createPublicKey, type KeyObject } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Report } from '../../runtime/report.js';
import { WatchedFile } from '../watchedFile.js';

/** RSA keys of fewer bits can be broken (RFC 7518 asks for as many). */
const LEAST_BITS = 2_048;

/** Keys of a file, which may be replaced at any time. */
export class KeyFile {
  private readonly keys: WatchedFile<JWTVerifyGetKey>;

  /** @throws Error where the file cannot be read, or has no public key */
  constructor(file: string, report: Report) {
    this.keys = new WatchedFile(file, keysIn, report, 'keys');
  }

  readonly find: JWTVerifyGetKey = (header, token) => this.keys.current(header, token);

  close(): void {
    this.keys.close();
  }
}

/** One public key or certificate in PEM, which is for whatever key a token names, or a JWKS in JSON. */
function keysIn(text: string): JWTVerifyGetKey {
  if (text.trimStart().startsWith('{')) return createLocalJWKSet(publicKeySet(JSON.parse(text)));
  const key = publicKey(text).export({ format: 'jwk' });
  const keys = createLocalJWKSet({ keys: [key] });
  return ({ alg }) => keys({ alg });
}

function publicKey(text: string): KeyObject {
  if (text.includes('PRIVATE KEY-----'))
    throw new Error('is a private key, which only the issuer should have: the public key is needed');
  const key = createPublicKey(text);
  const { modulusLength: bits } = key.asymmetricKeyDetails ?? {};
  if (bits !== undefined && bits < LEAST_BITS)
    throw new Error(`an RSA key must have ${LEAST_BITS} bits or more, not ${bits}`);
  return key;
}

function publicKeySet(content: unknown): JSONWebKeySet {
  const { keys } = content as JSONWebKeySet;
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('has no keys');
  for (const { kty, d } of keys) {
    if (kty === 'oct' || d !== undefined) throw new Error('has a secret key: only public keys belong there');
  }
  return { keys };
}
