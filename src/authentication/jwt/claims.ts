import type { JWTPayload } from 'jose';
import { Unauthenticated } from '../failures.js';
import { rolesOf } from '../roles.js';
import type { AuthenticationSettings } from '../settings.js';
import type { Viewer } from '../viewer.js';

type ClaimNames = Pick<AuthenticationSettings, 'jwt.userClaim' | 'jwt.rolesClaim' | 'jwt.projectClaim'>;

/**
 * Whom the claims of a token describe, which is valid until `expiresAt`. A token without roles is one of a user who may do nothing.
 * @throws Unauthenticated where a claim is missing that must be there, or is of another type than it may be
 */
export function viewerOf(payload: JWTPayload, names: ClaimNames, expiresAt: number): Viewer {
  const userId = textOf(payload, names['jwt.userClaim']);
  if (userId === null) throw new Unauthenticated(`The token has no claim "${names['jwt.userClaim']}".`);
  return {
    userId,
    roles: rolesOf(wordsOf(payload, names['jwt.rolesClaim'])),
    projectId: textOf(payload, names['jwt.projectClaim']),
    expiresAt,
  };
}

/** Null where it is missing. One that is there and no text must not be taken for that: a viewer without a project is of the whole cloud. */
function textOf(payload: JWTPayload, name: string): string | null {
  const value = claim(payload, name);
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '') return value;
  throw new Unauthenticated(`The claim "${name}" of the token must be a text.`);
}

/** A list of words, or a text with spaces between them, as `scope` is. */
function wordsOf(payload: JWTPayload, name: string): string[] {
  const value = claim(payload, name);
  if (value === undefined) return [];
  if (typeof value === 'string') return value.split(' ');
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new Unauthenticated(`The claim "${name}" of the token must be a list of texts.`);
}

/** A claim of that name, dots and all, as names that are URLs have them; otherwise what the path leads to. */
function claim(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
