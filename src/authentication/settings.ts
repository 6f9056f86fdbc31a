/** The settings of authentication by their names. Null means not set. */
export interface AuthenticationSettings {
  /** Turns static tokens on. */
  readonly 'tokens.file': string | null;
  /** Turns JWTs on, together with the audience. */
  readonly 'jwt.issuer': string | null;
  readonly 'jwt.audience': string | null;
  readonly 'jwt.jwksUrl': string | null;
  readonly 'jwt.keyFile': string | null;
  readonly 'jwt.algorithms': readonly string[];
  readonly 'jwt.clockSkewSeconds': number;
  readonly 'jwt.userClaim': string;
  readonly 'jwt.rolesClaim': string;
  readonly 'jwt.projectClaim': string;
  /** The required `typ` of the header. Null: any of an access token. */
  readonly 'jwt.type': string | null;
  /** Whether a token without a project is for the whole cloud. */
  readonly 'jwt.wholeCloud': boolean;
  /** Turns tokens of Keystone on. */
  readonly 'keystone.url': string | null;
  readonly 'keystone.cacheSeconds': number;
}

/** Returns a line for each contradiction between settings. */
export function contradictions(settings: AuthenticationSettings): string[] {
  const {
    'jwt.issuer': issuer,
    'jwt.audience': audience,
    'jwt.jwksUrl': url,
    'jwt.keyFile': file,
  } = settings;
  const lines = Object.entries({ 'jwt.audience': audience, 'jwt.jwksUrl': url, 'jwt.keyFile': file })
    .filter(([, value]) => value !== null && issuer === null)
    .map(([name]) => `${name}: is set without jwt.issuer, which JWTs are taken of: set both, or neither`);
  if (issuer !== null && audience === null)
    lines.push('jwt.issuer: is set without jwt.audience: JWTs for other services would be taken, too');
  if (url !== null && file !== null)
    lines.push('jwt.jwksUrl: is set, and jwt.keyFile as well: keys are from one of them');
  return lines;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether answers of an address can be trusted: by https, or from this machine. */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** Signatures with a private key. A shared secret (HS256) that verifies a signature can also make one. */
// prettier-ignore
export const ALGORITHMS = [
  'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519',
] as const;
