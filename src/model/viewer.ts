/** The supported roles of OpenStack. */
export type Role = 'admin' | 'service' | 'reader' | 'member';

/** The sender of a request. */
export interface Viewer {
  /** The id of the user in the identity provider or the token file. */
  readonly userId: string;
  readonly roles: ReadonlySet<Role>;
  /** The project of the credentials. Null means the whole cloud. */
  readonly projectId: string | null;
  /** Whether the credentials are for the system of Keystone, not for one of its projects. */
  readonly isOfSystem?: boolean;
  /** The expiry of the credentials (ms since 1970). Null means never. */
  readonly expiresAt: number | null;
}

export const ROLES: readonly Role[] = ['admin', 'service', 'reader', 'member'];

/** Returns the roles among these names. Members are also readers, but only with a project. */
export function rolesOf(names: readonly string[], projectId: string | null): ReadonlySet<Role> {
  const roles = new Set(ROLES.filter((role) => names.includes(role)));
  if (roles.has('member') && projectId !== null) roles.add('reader');
  return roles;
}

/** The form of a project id. Databases ignore blanks at the end, so such an id could name another project. */
export const PROJECT_ID = /^\S(.*\S)?$/s;

/** A method of authentication. */
export interface Method {
  /** The name of the method's tokens in messages. */
  readonly name: string;
  /** How long a verified token is cached (ms). 0 means never, for methods that verify at once. */
  readonly cacheMs: number;
  /** Returns whether a token has the form of this method. */
  recognizes(token: string): boolean;
  /**
   * @throws Unauthenticated if the token is invalid
   * @throws AuthenticationUnavailable if the identity provider cannot be reached
   */
  verify(token: string): Viewer | Promise<Viewer>;
  close?(): void;
}
