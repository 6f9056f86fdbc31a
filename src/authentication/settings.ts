/** What methods are on, and how they work, by the names of the settings of a server. Null: not set. */
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

/** What contradicts itself in settings that are each right alone, one line each. */
export function contradictions(settings: AuthenticationSettings): string[] {
  const isSet = (name: 'jwt.issuer' | 'jwt.audience' | 'jwt.jwksUrl' | 'jwt.keyFile'): boolean =>
    settings[name] !== null;
  const lines: string[] = [];
  for (const name of ['jwt.audience', 'jwt.jwksUrl', 'jwt.keyFile'] as const) {
    if (isSet(name) && !isSet('jwt.issuer'))
      lines.push(`${name}: is set without jwt.issuer, which JWTs are taken of: set both, or neither`);
  }
  if (isSet('jwt.issuer') && !isSet('jwt.audience'))
    lines.push('jwt.issuer: is set without jwt.audience: JWTs for other services would be taken, too');
  if (isSet('jwt.jwksUrl') && isSet('jwt.keyFile'))
    lines.push('jwt.jwksUrl: is set, and jwt.keyFile as well: keys are from one of them');
  return lines;
}
