import type { JWTPayload } from 'jose';
import { Unauthenticated } from '../credentials.js';
import { rolesOf, type Viewer } from '../../../model/viewer.js';
import type { AuthenticationSettings } from '../settings.js';

type ClaimSettings = Pick<
  AuthenticationSettings,
  'jwt.userClaim' | 'jwt.rolesClaim' | 'jwt.projectClaim' | 'jwt.wholeCloud'
>;

/**
 * Returns the viewer that the claims of a token describe. A viewer without roles may do nothing.
 * @throws Unauthenticated if a required claim is missing, or a claim has the wrong type
 */
export function viewerOf(payload: JWTPayload, names: ClaimSettings, expiresAt: number): Viewer {
  const userId = textOf(payload, names['jwt.userClaim']);
  if (userId === null) throw new Unauthenticated(`The token has no claim "${names['jwt.userClaim']}".`);
  const projectId = textOf(payload, names['jwt.projectClaim']);
  if (projectId === null && !names['jwt.wholeCloud'])
    throw new Unauthenticated(
      `The token has no claim "${names['jwt.projectClaim']}", and the server requires a project (jwt.wholeCloud).`,
    );
  const roles = rolesOf(wordsOf(payload, names['jwt.rolesClaim']), projectId);
  return { userId, roles, projectId, expiresAt };
}

/** Returns null if the claim is missing. Throws if it is invalid: null can mean the whole cloud. */
function textOf(payload: JWTPayload, name: string): string | null {
  const value = claim(payload, name);
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '') return value;
  throw new Unauthenticated(`The claim "${name}" of the token must be a text.`);
}

/** Reads a list of words, or a text of words separated by spaces, such as `scope`. */
function wordsOf(payload: JWTPayload, name: string): string[] {
  const value = claim(payload, name);
  if (value === undefined) return [];
  if (typeof value === 'string') return value.split(' ');
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new Unauthenticated(`The claim "${name}" of the token must be a list of texts.`);
}

/** Returns the claim with this name, which may be a URL with dots, or the value at this path. */
function claim(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Claims that only ID tokens have, for all issuers. */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash'];

/** The values of the claim `typ` by which Keycloak marks tokens that are not access tokens. */
const OTHER_TYPES: readonly unknown[] = ['ID', 'Refresh', 'Offline', 'Logout'];

/** The allowed values of `typ` in the header. Issuers before RFC 9068 set JWT or none. */
const ACCESS_TOKEN_TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** @throws Unauthenticated if a token is not an access token, for example if it is an ID token */
export function assertAccessToken(headerType: string | undefined, payload: JWTPayload): void {
  const isOther =
    !ACCESS_TOKEN_TYPES.includes(headerType?.toLowerCase()) ||
    OTHER_TYPES.includes(payload.typ) ||
    ID_TOKEN_CLAIMS.some((name) => Object.hasOwn(payload, name)) ||
    // issuers other than Keycloak copy the nonce only into ID tokens
    (Object.hasOwn(payload, 'nonce') && payload.typ === undefined && !Object.hasOwn(payload, 'scope'));
  if (isOther) throw new Unauthenticated('The token is not an access token.');
}
