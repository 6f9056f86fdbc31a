import { createPublicKey, type KeyObject } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Report } from '../../runtime/report.js';
import { WatchedFiles } from '../../runtime/watchedFiles.js';
import type { RemoteKeys } from './remoteKeys.js';

/** The source of the keys of the issuer. */
export type Keys = Pick<RemoteKeys, 'find' | 'close'>;

/** The minimum size of RSA keys in bits (RFC 7518). */
const MIN_BITS = 2_048;

/**
 * Returns the keys in a file. Reads the file again when it changes.
 * @throws Error if the file cannot be read or has no public key
 */
export function keysInFile(file: string, report: Report): Keys {
  const keys = new WatchedFiles([{ name: file, path: file }], ([text]) => keysOf(file, text));
  keys.watch({ report });
  return { find: (header, token) => keys.current(header, token), close: () => keys.stop() };
}

function keysOf(file: string, text: string): JWTVerifyGetKey {
  try {
    return keysIn(text);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads a JWKS, or one public key or certificate in PEM, which is used for any key id. */
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
  if (bits !== undefined && bits < MIN_BITS)
    throw new Error(`an RSA key must have ${MIN_BITS} bits or more, not ${bits}`);
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
