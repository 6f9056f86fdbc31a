import type { Reader } from '../statements.js';

/** Values by name; those that the server does not know are missing. */
type Settings = Readonly<Record<string, string | undefined>>;

/** Reads variables or the status of a server: what every user may read, on a node in whatever state. */
export async function readSettings(
  reader: Reader,
  kind: 'VARIABLES' | 'STATUS',
  names: readonly string[],
): Promise<Settings> {
  const rows = await reader.query<{ Variable_name: string; Value: string }[]>(
    `SHOW GLOBAL ${kind} WHERE Variable_name IN (?)`,
    [names],
  );
  return Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
}
