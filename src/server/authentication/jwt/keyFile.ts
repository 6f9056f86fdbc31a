import { createPublicKey, X509Certificate } from 'node:crypto';
import type { JSONWebKeySet, JWK } from 'jose';
import type { Report } from '../../../model/operation/report.js';
import { WatchedFiles } from '../../start/watchedFiles.js';
import { KeySet } from './keySet.js';
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
  return { find: (header, token) => keys.current.find(header, token), close: () => keys.stop() };
}

function keysOf(file: string, text: string): KeySet {
  try {
    return new KeySet(text.trimStart().startsWith('{') ? publicKeySet(JSON.parse(text)) : pemKeys(text));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

const PEM_BLOCK = /-----BEGIN (PUBLIC KEY|RSA PUBLIC KEY|CERTIFICATE)-----.*?-----END \1-----/gs;

/** Reads the public keys and certificates of a PEM file. They fit any key id. */
function pemKeys(text: string): JSONWebKeySet {
  if (text.includes('PRIVATE KEY-----'))
    throw new Error('is a private key: use the public key of the issuer');
  const blocks = text.match(PEM_BLOCK) ?? [text];
  const certificates = blocks.filter(isCertificate).map((block) => new X509Certificate(block));
  const keys = blocks.filter((block) => !isCertificate(block) || !isAuthority(block, certificates));
  return { keys: keys.map(publicKey) };
}

function isCertificate(block: string): boolean {
  return block.startsWith('-----BEGIN CERTIFICATE-----');
}

/** Returns whether a certificate signed another one: the keys of a chain's authorities sign no tokens. */
function isAuthority(block: string, certificates: readonly X509Certificate[]): boolean {
  const { publicKey, fingerprint256 } = new X509Certificate(block);
  return certificates.some((other) => other.fingerprint256 !== fingerprint256 && other.verify(publicKey));
}

function publicKey(block: string): JWK {
  const key = createPublicKey(block);
  const { modulusLength: bits } = key.asymmetricKeyDetails ?? {};
  if (bits !== undefined && bits < MIN_BITS)
    throw new Error(`an RSA key must have ${MIN_BITS} bits or more, not ${bits}`);
  return key.export({ format: 'jwk' });
}

function publicKeySet(content: unknown): JSONWebKeySet {
  const { keys } = content as JSONWebKeySet;
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('has no keys');
  for (const { kty, d } of keys) {
    if (kty === 'oct' || d !== undefined) throw new Error('has a secret key: use public keys only');
  }
  return { keys };
}
