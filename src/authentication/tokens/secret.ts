import { hash, randomBytes } from 'node:crypto';

/** Tells static tokens from others, and from what else is in a log or a repository. */
const PREFIX = 'pgt_';

const FORM = /^pgt_[\w-]{43}$/;

/** A new token: 256 random bits. */
export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

export function isStaticToken(token: string): boolean {
  return FORM.test(token);
}

/**
 * What is stored of a token. A fast hash is right here: slow ones are for passwords, which can be guessed, and nobody guesses 256 random
 * bits; a salt would be against tables of guesses.
 */
export function hashOf(token: string): string {
  return `sha256:${hash('sha256', token, 'hex')}`;
}
