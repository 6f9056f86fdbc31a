import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { FollowedFiles } from '../../runtime/followedFiles.js';

/** Whoever may read a file that is everybody's. */
const OTHERS_READ = 0o004;

/** A certificate with its chain and its key, in PEM, and which versions of TLS they are for. */
export type KeyPair = Pick<SecureContextOptions, 'cert' | 'key' | 'minVersion'>;

export interface KeyPairFiles {
  readonly certificate: string;
  readonly key: string;
}

/**
 * The certificate and the key in these files.
 * @param warn told in one line what is unwise, but no reason to stop
 * @throws Error with one line: which file is wrong, and why
 */
export async function readKeyPair(
  { certificate, key }: KeyPairFiles,
  warn: (line: string) => void,
): Promise<FollowedFiles<KeyPair>> {
  const files = [
    { name: 'tls.certificate', path: certificate },
    { name: 'tls.key', path: key },
  ];
  const pair = await FollowedFiles.read(files, ([cert, secret]) => {
    const leaf = inFile('tls.certificate', certificate, () => new X509Certificate(cert));
    const own = inFile('tls.key', key, () => privateKey(secret));
    if (!leaf.checkPrivateKey(own))
      throw new Error(`tls.key: ${key} is not the key of the first certificate in ${certificate}`);
    const made: KeyPair = { cert, key: secret, minVersion: 'TLSv1.2' };
    inFile('tls.certificate', certificate, () => createSecureContext(made));
    if (Date.parse(leaf.validTo) < Date.now())
      warn(`tls.certificate: ${certificate} has expired: it was valid until ${leaf.validTo}`);
    return made;
  });
  const { mode } = await stat(key);
  if (mode & OTHERS_READ) warn(`tls.key: every user of this machine can read ${key}: chmod o-r it`);
  return pair;
}

function privateKey(pem: string): KeyObject {
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: .*ENCRYPTED/m.test(pem))
    throw new Error('it has a passphrase, and must have none');
  return createPrivateKey(pem);
}

function inFile<T>(setting: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${setting}: ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
