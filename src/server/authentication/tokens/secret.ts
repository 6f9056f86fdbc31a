import { hash, randomBytes } from 'node:crypto';

/** Identifies static tokens among other tokens, in logs and in repositories. */
const PREFIX = 'pgt_';

const FORM = /^pgt_[\w-]{43}$/;

/** Returns a new token of 256 random bits. */
export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

export function isStaticToken(token: string): boolean {
  return FORM.test(token);
}

/** Returns the hash to store. It is fast and has no salt: 256 random bits cannot be guessed. */
export function hashOf(token: string): string {
  return `sha256:${hash('sha256', token, 'hex')}`;
}
