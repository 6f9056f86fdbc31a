import { hash, randomBytes } from 'node:crypto';

/** Marks static tokens among other tokens, and in logs and repositories. */
const PREFIX = 'pgt_';

const FORM = /^pgt_[\w-]{43}$/;

/** Returns a new token of 256 random bits. */
export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

export function isStaticToken(token: string): boolean {
  return FORM.test(token);
}

/** Returns the hash that is stored. A fast one without salt is enough, because nobody can guess 256 random bits. */
export function hashOf(token: string): string {
  return `sha256:${hash('sha256', token, 'hex')}`;
}
