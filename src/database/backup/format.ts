import { z } from 'zod';

/*
 * A backup is a gzip file of lines, each of them JSON:
 *
 *   { "format": "placement-graphql backup", "version": 1, ... }     the head
 *   { "table": "traits", "columns": ["id", "name"] }                a table begins
 *   [7, "HW_NUMA_ROOT"]                                             a row of it
 *   { "end": "traits", "rows": 1, "figures": { "checksum": "1" } }  it is complete
 *   { "sha256": "..." }                                             of everything before; the last line
 */

export const FORMAT = 'placement-graphql backup';
export const FORMAT_VERSION = 1;

export const HEAD = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  /** Of the program that made it. */
  program: z.string(),
  /** What the database server calls itself. */
  server: z.string(),
  /** When its moment was, by the clock of the database, in UTC. */
  takenAt: z.string(),
  /** The migrations that were done, in their order. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** By table that gives ids: the next one. */
  nextIds: z.record(z.string(), z.number().int().positive()),
});
export type Head = z.infer<typeof HEAD>;

export const TABLE = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
export const TABLE_END = z.object({
  end: z.string(),
  rows: z.number().int(),
  figures: z.record(z.string(), z.string()),
});
export type TableEnd = z.infer<typeof TABLE_END>;
export const END = z.object({ sha256: z.string() });

/** A file that is no backup, or not as it was written. */
export class DamagedBackup extends Error {
  constructor(file: string, what: string) {
    super(`${file} cannot be restored: ${what}`);
    this.name = 'DamagedBackup';
  }
}
