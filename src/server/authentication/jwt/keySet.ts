import { createLocalJWKSet, errors, flattenedVerify } from 'jose';
import type {
  CryptoKey,
  FlattenedJWSInput,
  JSONWebKeySet,
  JWK,
  JWSHeaderParameters,
  LocalJWKSet,
} from 'jose';

/** The maximum number of keys that are tried for one token. */
const MAX_KEYS = 16;

/** Two names of one algorithm (RFC 9864). */
const ED25519: readonly unknown[] = ['EdDSA', 'Ed25519'];

/** None of the first {@link MAX_KEYS} keys that fit a token has signed it, and more keys fit. */
export class TooManyKeys extends Error {
  constructor() {
    super(`More than ${MAX_KEYS} keys of the issuer match the token: it must name its key (kid).`);
  }
}

/** The public keys of an issuer. */
export class KeySet {
  private readonly ids: ReadonlySet<unknown>;
  private readonly all: LocalJWKSet;
  private readonly unnamed: LocalJWKSet;

  /** @throws JWKSInvalid if this is no JWKS */
  constructor(content: JSONWebKeySet) {
    const { keys } = createLocalJWKSet(content).jwks();
    const usable = keys.map(withoutAlias);
    this.ids = new Set(keys.map(({ kid }) => kid));
    this.all = createLocalJWKSet({ keys: usable });
    this.unnamed = createLocalJWKSet({ keys: usable.filter(({ kid }) => kid === undefined) });
  }

  /**
   * Returns the key that signed a token. A key without an id fits each id that no other key has.
   * @throws JWKSNoMatchingKey if no key fits
   * @throws JWSSignatureVerificationFailed or TooManyKeys if no key that fits has signed the token
   */
  readonly find = async (header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    let tried = 0;
    for await (const key of await this.fitting(header)) {
      if (tried++ === MAX_KEYS) throw new TooManyKeys();
      if (await hasSigned(key, token)) return key;
    }
    throw new errors.JWSSignatureVerificationFailed();
  };

  private async fitting({ alg, kid }: JWSHeaderParameters): Promise<AsyncIterable<CryptoKey> | [CryptoKey]> {
    const isUnknown = kid !== undefined && !this.ids.has(kid);
    try {
      return [await (isUnknown ? this.unnamed({ alg }) : this.all({ alg, kid }))];
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return error;
      throw error;
    }
  }
}

/** Removes the name of the algorithm if it has two: the curve of the key determines it. */
function withoutAlias(key: JWK): JWK {
  return key.crv === 'Ed25519' && ED25519.includes(key.alg) ? { ...key, alg: undefined } : key;
}

function hasSigned(key: CryptoKey, token: FlattenedJWSInput): Promise<boolean> {
  return flattenedVerify(token, key).then(
    () => true,
    () => false,
  );
}
