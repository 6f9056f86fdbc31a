/** The settings of authentication. Null means not set. */
export interface AuthenticationSettings {
  /** Enables static tokens. */
  readonly 'tokens.file': string | null;
  /** Enables JWTs, together with the audience. */
  readonly 'jwt.issuer': string | null;
  readonly 'jwt.audience': string | null;
  readonly 'jwt.jwksUrl': string | null;
  readonly 'jwt.keyFile': string | null;
  readonly 'jwt.algorithms': readonly string[];
  readonly 'jwt.clockSkewSeconds': number;
  readonly 'jwt.userClaim': string;
  readonly 'jwt.rolesClaim': string;
  readonly 'jwt.projectClaim': string;
  /** The required `typ` of the header. Null allows all types of access tokens. */
  readonly 'jwt.type': string | null;
  /** Whether the server accepts tokens without a project, which are for the whole cloud. */
  readonly 'jwt.wholeCloud': boolean;
  /** Enables tokens of Keystone. */
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
    .map(([name]) => `${name}: is set without jwt.issuer: set both, or neither`);
  if (issuer !== null && audience === null)
    lines.push('jwt.issuer: is set without jwt.audience: the server would accept JWTs for other services');
  if (url !== null && file !== null)
    lines.push('jwt.jwksUrl: is set together with jwt.keyFile: set only one of them');
  return lines;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether the answers of a URL can be trusted: it uses https or addresses this machine. */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** Algorithms with a private key. Excludes HS256: its verifiers could also create signatures. */
// oxfmt-ignore
export const ALGORITHMS = [
  'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519',
] as const;
