import { databaseAddress } from '../../src/store/database/address.js';

/**
 * Returns the URL of a database for the configuration of a program in Python, where `$` has a
 * meaning. @param session SQL that each connection runs first
 */
export function sqlalchemyUrl(databaseUrl: string, session?: string): string {
  const { socketPath, host, port, user, password, database } = databaseAddress(databaseUrl);
  const login = encodeURIComponent(user ?? '') + (password ? `:${encodeURIComponent(password)}` : '');
  const where = socketPath === undefined ? `${host}:${port}` : 'localhost';
  const options = new URLSearchParams({ charset: 'utf8mb4' });
  if (session !== undefined) options.set('init_command', session);
  if (socketPath !== undefined) options.set('unix_socket', socketPath);
  return `mysql+pymysql://${login}@${where}/${database}?${options.toString()}`.replaceAll('$', '$$$$');
}
