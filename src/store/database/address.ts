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
 * The options of every connection. The connector's default timeout of one second is too short for a
 * busy machine.
 */
export const CONNECTING = { allowPublicKeyRetrieval: true, connectTimeout: 10_000 };

const OPTIONS = ['socketPath', 'ssl'];

const HOSTS = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*,[^/?#]*)(.*)$/;

/**
 * Reads a database URL that may name several hosts, the nodes of a cluster, separated by commas in the order of
 * preference.
 *
 * Throws like {@link databaseAddress}.
 */
export function databaseAddresses(url: string): [DatabaseAddress, ...DatabaseAddress[]] {
  const [, start, hosts, rest] = HOSTS.exec(url) ?? [];
  if (hosts === undefined) return [databaseAddress(url)];
  const [first, ...others] = hosts.split(',').map((host) => {
    if (host === '')
      throw new Error('the database URL names an empty host: mysql://user:password@host1,host2:3306/name');
    return databaseAddress(`${start}${host}${rest}`);
  });
  return [first, ...others];
}

/**
 * Reads a database URL of one host: `mysql://user:password@host:port/name`, or with `mariadb:`. User and password may
 * be percent-encoded. Options: `?socketPath=/absolute/path` for a Unix socket, which replaces host and port, and
 * `?ssl=true` for an encrypted connection with a checked certificate.
 *
 * @throws Error with a one-line message, without the password
 */
export function databaseAddress(url: string): DatabaseAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['mysql:', 'mariadb:'].includes(parsed.protocol)) {
    const other = /^(?!(?:mysql|mariadb):)([a-z][\w+.-]*:\/\/)/i.exec(url)?.[1];
    const found = other === undefined ? '' : `, and not ${other}`;
    throw new Error(`a database URL looks like mysql://user:password@host:3306/name${found}`);
  }
  const database = decodeURIComponent(parsed.pathname.slice(1));
  if (database === '') throw new Error(`the database URL of ${parsed.host} names no database`);
  const unknown = [...parsed.searchParams.keys()].find((key) => !OPTIONS.includes(key));
  if (unknown !== undefined) {
    throw new Error(`unknown option ${unknown} in the database URL (known: ${OPTIONS.join(', ')})`);
  }
  const ssl = parsed.searchParams.get('ssl');
  if (ssl !== null && ssl !== 'true' && ssl !== 'false')
    throw new Error(`the option ssl of the database URL is true or false, and not ${ssl}`);
  const socketPath = parsed.searchParams.get('socketPath');
  return {
    ...(socketPath
      ? { socketPath }
      : { host: parsed.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(parsed.port || 3306) }),
    user: decodeURIComponent(parsed.username) || 'root',
    ...(parsed.password && { password: decodeURIComponent(parsed.password) }),
    database,
    ...(ssl === 'true' && { ssl: true }),
  };
}

/** Names a database and its server in messages. */
export function nameOf({ database, socketPath, host, port }: DatabaseAddress): string {
  return `the database ${database} on ${socketPath ?? `${host}:${port}`}`;
}

export function quoted(database: string): string {
  return `\`${database.replaceAll('`', '``')}\``;
}
