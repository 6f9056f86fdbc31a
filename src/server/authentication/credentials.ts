import type { IncomingHttpHeaders } from 'node:http';

/** The maximum length (characters). JWTs with many claims have 4 KiB. */
const MAX_TOKEN_LENGTH = 8_192;

const BEARER = /^bearer +/i;
/** The form of a bearer token (RFC 6750). It excludes the commas of repeated headers. */
const TOKEN = /^[\w.~+/-]+=*$/;

/**
 * Returns the token of `Authorization: Bearer`, or of `X-Auth-Token`, which OpenStack clients send.
 * @throws Unauthenticated if the request has none or both of them
 */
export function tokenOf(headers: IncomingHttpHeaders): string {
  const { authorization, 'x-auth-token': ofOpenStack } = headers;
  if (authorization === undefined) {
    if (ofOpenStack !== undefined) return String(ofOpenStack);
    throw new Unauthenticated(
      'The request has no token: send "Authorization: Bearer TOKEN" or "X-Auth-Token: TOKEN".',
    );
  }
  if (ofOpenStack !== undefined)
    throw new Unauthenticated('The request has both Authorization and X-Auth-Token: send one of them.');
  const [scheme] = BEARER.exec(authorization) ?? [];
  if (scheme === undefined) throw new Unauthenticated('Authorization must be "Bearer TOKEN".');
  return authorization.slice(scheme.length);
}

/** @throws Unauthenticated if a text cannot be one token */
export function assertToken(text: string): void {
  if (text.length > MAX_TOKEN_LENGTH)
    throw new Unauthenticated(`The token is longer than ${MAX_TOKEN_LENGTH} characters.`);
  if (!TOKEN.test(text))
    throw new Unauthenticated('The header does not have one token, or it has characters that no token has.');
}

/** Credentials are missing or invalid. Clients may see the message. */
export class Unauthenticated extends Error {
  override readonly name = 'Unauthenticated';
}

/** Credentials cannot be verified now. Clients may see the message, but not the reported cause. */
export class AuthenticationUnavailable extends Error {
  override readonly name = 'AuthenticationUnavailable';
  /** In seconds. */
  readonly retryAfter = 1;
}
