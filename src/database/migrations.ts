import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** One migration of `prisma/migrations`, in Prisma's layout: `<timestamp>_<name>/migration.sql`. */
export interface Migration {
  /** The folder's name, whose order is the order of application. */
  readonly name: string;
  /** SHA-256 of the file in hexadecimal, as Prisma records it. */
  readonly checksum: string;
  readonly statements: readonly string[];
}

/** The migrations under `directory` in order. */
export function readMigrations(directory: URL): Migration[] {
  const folder = new URL('migrations/', directory);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const file = readFileSync(new URL(`${name}/migration.sql`, folder));
      const checksum = createHash('sha256').update(file).digest('hex');
      return { name, checksum, statements: splitStatements(file.toString('utf8')) };
    });
}

/** Our migrations keep to this: a statement ends with a semicolon at a line's end, a comment has a line of its own. */
function splitStatements(sql: string): string[] {
  return sql
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
