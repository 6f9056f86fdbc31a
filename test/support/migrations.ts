import { readdirSync } from 'node:fs';

/** The names of the migrations, in their order. */
export const MIGRATION_NAMES = readdirSync('prisma/migrations', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

export const MIGRATIONS = MIGRATION_NAMES.length;

/** The migrations of 1.0.0, which have several statements. */
export const FIRST_MIGRATIONS = 2;
