/**
 * Signatures that may be allowed: those with a private key alone. With those of a shared secret (HS256) whoever can check a token can make
 * one, and a public key could be taken for the secret; none is no signature.
 */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;
