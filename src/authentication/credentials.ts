import type { IncomingHttpHeaders } from 'node:http';
import { Unauthenticated } from './failures.js';

/** JWTs with many claims are of 4 KiB; what is longer is not read. */
const LONGEST_TOKEN = 8_192;

const BEARER = /^bearer +/i;
/** What a bearer token may consist of (RFC 6750); no commas, so that a header that came twice is refused. */
const TOKEN = /^[\w.~+/-]+=*$/;

/**
 * The token of a request: of `Authorization: Bearer`, or of `X-Auth-Token`, as clients of OpenStack send it.
 * @throws Unauthenticated where there is none, more than one, or what can be none
 */
export function tokenOf(headers: IncomingHttpHeaders): string {
  const { authorization, 'x-auth-token': ofOpenStack } = headers;
  if (authorization === undefined) {
    if (ofOpenStack !== undefined) return checked(ofOpenStack);
    throw new Unauthenticated(
      'The request has no token: send "Authorization: Bearer TOKEN" or "X-Auth-Token: TOKEN".',
    );
  }
  if (ofOpenStack !== undefined)
    throw new Unauthenticated('The request has both Authorization and X-Auth-Token: send one of them.');
  const [scheme] = BEARER.exec(authorization) ?? [];
  if (scheme === undefined) throw new Unauthenticated('Authorization must be "Bearer TOKEN".');
  return checked(authorization.slice(scheme.length));
}

function checked(token: string | string[]): string {
  if (token.length > LONGEST_TOKEN)
    throw new Unauthenticated(`The token is longer than ${LONGEST_TOKEN} characters.`);
  if (typeof token !== 'string' || !TOKEN.test(token))
    throw new Unauthenticated('The header does not have one token, or it has characters that no token has.');
  return token;
}
