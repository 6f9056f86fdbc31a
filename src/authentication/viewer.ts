/** What a viewer may do, as OpenStack names it; others that an identity provider knows mean nothing here. */
export type Role = 'admin' | 'service' | 'reader' | 'member';

/** Who sends a request. */
export interface Viewer {
  /** The id by which the identity provider or the token file knows the user. */
  readonly userId: string;
  readonly roles: ReadonlySet<Role>;
  /** The project that the credentials are for; null: for none, that is for the whole cloud. */
  readonly projectId: string | null;
  /** When the credentials expire (ms since 1970); null: never. */
  readonly expiresAt: number | null;
}
