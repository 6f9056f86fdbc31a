#!/usr/bin/env bash
# jose 6.2.17 (npm): "EdDSA" and "Ed25519" name one algorithm for a key with the curve Ed25519 (RFC 9864 deprecates the
# first name), but a key set with a key of one name does not verify a token of the other. An issuer that changes
# the name in its tokens or in its key set, and keeps the key, locks out every client.
#
# Seen on 2026-11-28: a token and a key of the same name verify; of unlike names both fail with
# ERR_JWKS_NO_MATCHING_KEY, and verify with the same key if it states no algorithm.
# Needs Node 20 or later and npm. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund jose@6.2.17 > /dev/null
cat > check.mjs <<'JS'
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';

const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
const jwk = await exportJWK(publicKey);

async function outcome(ofToken, ofKey) {
  const token = await new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg: ofToken }).sign(privateKey);
  const keys = createLocalJWKSet({ keys: [ofKey === null ? jwk : { ...jwk, alg: ofKey }] });
  return jwtVerify(token, keys).then(
    () => 'verified',
    (error) => error.code,
  );
}

const expected = {
  'EdDSA EdDSA': 'verified',
  'Ed25519 Ed25519': 'verified',
  'EdDSA Ed25519': 'ERR_JWKS_NO_MATCHING_KEY',
  'Ed25519 EdDSA': 'ERR_JWKS_NO_MATCHING_KEY',
  'EdDSA none': 'verified',
  'Ed25519 none': 'verified',
};
let isAsExpected = true;
for (const [pair, wanted] of Object.entries(expected)) {
  const [ofToken, ofKey] = pair.split(' ');
  const found = await outcome(ofToken, ofKey === 'none' ? null : ofKey);
  console.log(`token ${ofToken}, key ${ofKey}: ${found}`);
  isAsExpected &&= found === wanted;
}
process.exit(isAsExpected ? 0 : 1);
JS
node check.mjs
