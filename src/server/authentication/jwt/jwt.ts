import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTVerifyOptions } from 'jose';
import type { Report } from '../../../model/operation/report.js';
import { AuthenticationUnavailable, Unauthenticated } from '../credentials.js';
import { IdentityProvider } from '../identityProvider.js';
import type { AuthenticationSettings } from '../settings.js';
import type { Method, Viewer } from '../../../model/viewer.js';
import { assertAccessToken, viewerOf } from './claims.js';
import { keysInFile, type Keys } from './keyFile.js';
import { TooManyKeys } from './keySet.js';
import { RemoteKeys } from './remoteKeys.js';

/** How long verified tokens are cached (ms): a withdrawn key takes effect within this time. */
const CACHE_MS = 60_000;

const THREE_PARTS = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Verifies JWTs of one issuer for one audience: access tokens of OpenID Connect. */
export class Jwt implements Method {
  readonly name = 'JWTs';
  readonly cacheMs = CACHE_MS;

  private constructor(
    private readonly settings: AuthenticationSettings,
    private readonly keys: Keys,
    private readonly options: JWTVerifyOptions & { readonly clockTolerance: number },
  ) {}

  /** Returns null if JWTs are not configured. @throws Error if the key file has no keys */
  static of(settings: AuthenticationSettings, report: Report): Jwt | null {
    const { 'jwt.issuer': issuer, 'jwt.audience': audience, 'jwt.algorithms': algorithms } = settings;
    if (issuer === null || audience === null) return null;
    return new Jwt(settings, keysOf(issuer, settings, report), {
      issuer,
      audience,
      algorithms: [...algorithms],
      clockTolerance: settings['jwt.clockSkewSeconds'],
      requiredClaims: ['exp'],
      typ: settings['jwt.type'] ?? undefined,
    });
  }

  /** Excludes JWTs without an issuer, because signed tokens of Keystone have none. */
  recognizes(token: string): boolean {
    if (!THREE_PARTS.test(token)) return false;
    try {
      return decodeJwt(token).iss !== undefined;
    } catch {
      return false;
    }
  }

  async verify(token: string): Promise<Viewer> {
    const { payload, protectedHeader } = await jwtVerify(token, this.keys.find, this.options).catch(
      (error: unknown) => {
        throw failureOf(error, token);
      },
    );
    assertAccessToken(this.settings['jwt.type'] === null ? protectedHeader.typ : undefined, payload);
    const expiresAt = 1_000 * (payload.exp! + this.options.clockTolerance);
    return viewerOf(payload, this.settings, expiresAt);
  }

  close(): void {
    this.keys.close();
  }
}

function keysOf(issuer: string, settings: AuthenticationSettings, report: Report): Keys {
  const { 'jwt.jwksUrl': url, 'jwt.keyFile': file } = settings;
  if (file !== null) return keysInFile(file, report);
  const provider = new IdentityProvider('The issuer of the token', report);
  return new RemoteKeys(issuer, url === null ? null : new URL(url), provider);
}

/** Returns an error for the client, which names the fault of the token, but no keys. */
function failureOf(error: unknown, token: string): Error {
  if (error instanceof AuthenticationUnavailable) return error;
  if (error instanceof errors.JWTExpired) return new Unauthenticated('The token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) return new Unauthenticated(claimMessage(error));
  if (error instanceof errors.JOSEAlgNotAllowed)
    return new Unauthenticated('The token is signed by an algorithm that is not allowed.');
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid)
    return new Unauthenticated('The token is malformed.');
  if (error instanceof errors.JWKSNoMatchingKey) return new Unauthenticated(noKeyMessage(token));
  if (error instanceof TooManyKeys) return new Unauthenticated(error.message);
  return new Unauthenticated('The signature of the token is invalid.');
}

/** The maximum length of a key id in a message (characters). */
const SHOWN = 60;

function noKeyMessage(token: string): string {
  const { alg, kid } = decodeProtectedHeader(token);
  const id = kid === undefined ? '' : ` and the key id ${JSON.stringify(kid).slice(0, SHOWN)}`;
  return `No key of the issuer matches the token with the algorithm ${alg}${id}.`;
}

function claimMessage({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return `The token has no claim "${claim}".`;
  if (reason === 'invalid') return `The claim "${claim}" of the token must be a number.`;
  const wrong: Readonly<Record<string, string>> = {
    aud: 'The token is for another audience.',
    iss: 'The token is of another issuer.',
    nbf: 'The token is not valid yet.',
    typ: 'The token is not an access token: its header has another typ.',
  };
  return wrong[claim] ?? `The claim "${claim}" of the token is invalid.`;
}
