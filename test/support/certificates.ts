import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
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
  const begin = new Date(Date.now() - 2 * DAY_MS);
  const end = new Date(Date.now() + DAY_MS);
  const common = { notBefore: begin, notAfter: end, signingAlgorithm: ALGORITHM };
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...common,
    name: `CN=root of ${name}`,
    keys: root,
    extensions: [new BasicConstraintsExtension(true)],
  });
  const between = await X509CertificateGenerator.create({
    ...common,
    subject: `CN=intermediate of ${name}`,
    issuer: authority.subject,
    publicKey: intermediate.publicKey,
    signingKey: root.privateKey,
    extensions: [new BasicConstraintsExtension(true)],
  });
  const own = await X509CertificateGenerator.create({
    ...common,
    notAfter: new Date(Date.now() + days * DAY_MS),
    subject: `CN=${name}`,
    issuer: between.subject,
    publicKey: leaf.publicKey,
    signingKey: intermediate.privateKey,
    extensions: [NAMES],
  });
  return {
    certificate: `${own.toString('pem')}\n${between.toString('pem')}\n`,
    key: PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey), 'PRIVATE KEY'),
    authority: authority.toString('pem'),
  };
}

/** Returns a certificate of a key for RS256, in PEM. */
export async function selfSigned(name: string, keys: webcrypto.CryptoKeyPair): Promise<string> {
  const signingAlgorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm,
  });
  return certificate.toString('pem');
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
