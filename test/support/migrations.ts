import { readdirSync } from 'node:fs';

/** How many migrations there are. */
export const MIGRATIONS = readdirSync('prisma/migrations', { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
).length;
