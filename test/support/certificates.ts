import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type Extension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

const NAMES = new SubjectAlternativeNameExtension([
  { type: 'dns', value: 'localhost' },
  { type: 'dns', value: 'placement.example' },
  { type: 'ip', value: '127.0.0.1' },
]);

export interface IssuedPair {
  /** The certificate, followed by the certificate of an intermediate authority, in PEM. */
  readonly certificate: string;
  readonly key: string;
  /** The root authority, which clients trust. */
  readonly authority: string;
}

/**
 * Issues a certificate of this machine with its chain and key, by a new authority. @param days its
 * validity from now
 */
export async function issuePair(name: string, days = 1): Promise<IssuedPair> {
  const [root, intermediate, leaf] = await Promise.all([1, 2, 3].map(generateKeys));
  const inDays = (count: number): Date => new Date(Date.now() + count * DAY_MS);
  const issue = (
    subject: string,
    keys: CryptoKeyPair,
    issuer: string,
    signer: CryptoKeyPair,
    own?: Extension,
  ) =>
    X509CertificateGenerator.create({
      ...{ subject, issuer, publicKey: keys.publicKey, signingKey: signer.privateKey },
      signingAlgorithm: ALGORITHM,
      notBefore: inDays(-2),
      notAfter: inDays(own === undefined ? 1 : days),
      extensions: [own ?? new BasicConstraintsExtension(true)],
    });
  const names = [`CN=root of ${name}`, `CN=intermediate of ${name}`];
  const authority = await issue(names[0], root, names[0], root);
  const between = await issue(names[1], intermediate, names[0], root);
  const own = await issue(`CN=${name}`, leaf, names[1], intermediate, NAMES);
  return {
    certificate: `${own.toString('pem')}\n${between.toString('pem')}\n`,
    key: PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey), 'PRIVATE KEY'),
    authority: authority.toString('pem'),
  };
}

/** Returns a certificate of a key for RS256 in PEM, which this authority signed. Defaults to the key itself. */
export async function certificateOf(
  name: string,
  keys: CryptoKeyPair,
  authority: { readonly name: string; readonly keys: CryptoKeyPair } = { name, keys },
): Promise<string> {
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: `CN=${authority.name}`,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  });
  return certificate.toString('pem');
}

type CryptoKeyPair = webcrypto.CryptoKeyPair;

function generateKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
