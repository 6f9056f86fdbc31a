import { readdirSync } from 'node:fs';

/** The number of migrations. */
export const MIGRATIONS = readdirSync('prisma/migrations', { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
).length;
