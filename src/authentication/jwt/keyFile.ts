import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** RSA keys of fewer bits can be broken (RFC 7518 asks for as many). */
const LEAST_BITS = 2_048;

/**
 * The keys of a file: one public key or certificate in PEM, which is for whatever key a token names, or a JWKS in JSON.
 * @throws Error where there is no such key in it
 */
export function keysOfFile(file: string): JWTVerifyGetKey {
  const text = readFileSync(file, 'utf8');
  try {
    if (text.trimStart().startsWith('{')) return createLocalJWKSet(publicKeySet(JSON.parse(text)));
    const key = publicKey(text).export({ format: 'jwk' });
    const keys = createLocalJWKSet({ keys: [key] });
    return ({ alg }) => keys({ alg });
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
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
