/** Where a database is, in the connector's terms. */
export interface DatabaseAddress {
  readonly host?: string;
  readonly port?: number;
  readonly socketPath?: string;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  readonly ssl?: boolean;
}

/**
 * How every connection is opened. The connector gives up after a second unless told otherwise: too soon for a busy machine, and
 * not a long wait where nobody answers at all. (A pool waits no longer than its own `acquireTimeout`, also ten seconds.)
 */
export const CONNECTING = { allowPublicKeyRetrieval: true, connectTimeout: 10_000 };

const OPTIONS = ['socketPath', 'ssl'];

/**
 * Reads a database URL: `mysql://user:password@host:port/name`, or with `mariadb:` in front. User and password
 * may be percent-encoded. Options: `?socketPath=/absolute/path` for a Unix socket (host and port do not count
 * then) and `?ssl=true` for an encrypted connection with a checked certificate.
 *
 * Throws an Error with a one-line message, without the password, on anything else.
 */
export function databaseAddress(url: string): DatabaseAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['mysql:', 'mariadb:'].includes(parsed.protocol)) {
    throw new Error('a database URL looks like mysql://user:password@host:3306/name');
  }
  const database = decodeURIComponent(parsed.pathname.slice(1));
  if (database === '') throw new Error(`the database URL of ${parsed.host} names no database`);
  const unknown = [...parsed.searchParams.keys()].find((key) => !OPTIONS.includes(key));
  if (unknown !== undefined) {
    throw new Error(`unknown option ${unknown} in the database URL (known: ${OPTIONS.join(', ')})`);
  }
  const socketPath = parsed.searchParams.get('socketPath');
  return {
    ...(socketPath
      ? { socketPath }
      : { host: parsed.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(parsed.port || 3306) }),
    user: decodeURIComponent(parsed.username) || 'root',
    ...(parsed.password && { password: decodeURIComponent(parsed.password) }),
    database,
    ...(parsed.searchParams.get('ssl') === 'true' && { ssl: true }),
  };
}
