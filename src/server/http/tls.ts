import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { WatchedFiles } from '../start/watchedFiles.js';

/** The permissions of other users to access a secret. A service user reads files of root through its group. */
export const OTHERS_ACCESS = 0o027;

/** A certificate with its chain and its key in PEM, and the minimum version of TLS. */
export type KeyPair = Pick<SecureContextOptions, 'cert' | 'key' | 'minVersion'>;

export interface KeyPairFiles {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Reads and checks the certificate and the key.
 * @param warn is called with one line for each risk that does not prevent the start
 * @throws Error with one line that names the file and the fault
 */
export async function readKeyPair(
  { certificate, key }: KeyPairFiles,
  warn: (line: string) => void,
): Promise<WatchedFiles<KeyPair>> {
  const files = [
    { name: 'tls.certificate', path: certificate },
    { name: 'tls.key', path: key },
  ];
  const pair = new WatchedFiles(files, ([cert, secret]) => {
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
  if (mode & OTHERS_ACCESS) warn(`tls.key: others may read or write ${key}: chmod o=,g-w ${key}`);
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
