import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import type { Row } from './rows.js';

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

const HEAD = z.object({
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

const TABLE = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
const TABLE_END = z.object({
  end: z.string(),
  rows: z.number().int(),
  figures: z.record(z.string(), z.string()),
});
export type TableEnd = z.infer<typeof TABLE_END>;
const END = z.object({ sha256: z.string() });

/** A file that is no backup, or not as it was written. */
export class DamagedBackup extends Error {
  constructor(file: string, what: string) {
    super(`${file} cannot be restored: ${what}`);
    this.name = 'DamagedBackup';
  }
}

/** What is done with the parts of a backup, in their order. */
export interface BackupVisitor {
  head?(head: Head): Promise<void> | void;
  table?(name: string, columns: readonly string[]): Promise<void> | void;
  /** Some rows of the table that has begun, at most as many as one statement may have. */
  rows?(rows: readonly Row[]): Promise<void> | void;
  tableEnd?(end: TableEnd): Promise<void> | void;
}

const ROWS_AT_ONCE = 5_000;

/**
 * Reads a backup from its beginning to its end, and checks all of it.
 *
 * @throws DamagedBackup where it is cut off, or not as it was written: then the visitor may have been given parts of it
 */
export async function readBackup(file: string, visitor: BackupVisitor): Promise<void> {
  const reading = new Reading(file, visitor);
  const unpacked = createGunzip();
  pipeline(createReadStream(file), unpacked, () => undefined); // what fails is told where it is read
  try {
    for await (const lines of linesOf(unpacked)) for (const line of lines) await reading.take(line);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_')) throw new DamagedBackup(file, `it is cut off or damaged (${message})`);
    throw error;
  }
  reading.finish();
}

/** Whole lines; what is behind the last line break is none. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop()!;
    yield lines;
  }
}

class Reading {
  private readonly hash = createHash('sha256');
  private line = 0;
  private hasHead = false;
  private isOver = false;
  private table: { readonly name: string; readonly width: number; rows: number } | null = null;
  private rows: Row[] = [];

  constructor(
    private readonly file: string,
    private readonly visitor: BackupVisitor,
  ) {}

  async take(text: string): Promise<void> {
    this.line += 1;
    if (this.isOver) throw this.damaged('something follows its last line');
    const value = this.parsed(text);
    if (
      this.hasHead &&
      this.table === null &&
      typeof value === 'object' &&
      value !== null &&
      'sha256' in value
    )
      return this.end(this.as(END, value).sha256);
    this.hash.update(text).update('\n');
    if (!this.hasHead) return this.head(value);
    if (Array.isArray(value)) return this.row(value);
    return this.table === null ? this.begin(this.as(TABLE, value)) : this.complete(this.as(TABLE_END, value));
  }

  finish(): void {
    if (!this.isOver) throw this.damaged('it is cut off');
  }

  private async head(value: unknown): Promise<void> {
    const head = HEAD.safeParse(value);
    if (!head.success) throw new DamagedBackup(this.file, 'it is no backup of this program');
    if (head.data.version > FORMAT_VERSION)
      throw new DamagedBackup(
        this.file,
        `it was made by version ${head.data.program} of this program: use that one, or a newer one`,
      );
    this.hasHead = true;
    await this.visitor.head?.(head.data);
  }

  private async begin({ table, columns }: z.infer<typeof TABLE>): Promise<void> {
    this.table = { name: table, width: columns.length, rows: 0 };
    await this.visitor.table?.(table, columns);
  }

  private row(values: readonly unknown[]): Promise<void> | void {
    if (values.length !== this.table?.width || !values.every(isValue))
      throw this.damaged('it has no such row');
    this.table.rows += 1;
    this.rows.push(values);
    if (this.rows.length === ROWS_AT_ONCE) return this.pass();
  }

  private async pass(): Promise<void> {
    const rows = this.rows;
    this.rows = [];
    if (rows.length > 0) await this.visitor.rows?.(rows);
  }

  private async complete(end: TableEnd): Promise<void> {
    await this.pass();
    if (end.end !== this.table?.name || end.rows !== this.table.rows) throw this.damaged('rows are missing');
    this.table = null;
    await this.visitor.tableEnd?.(end);
  }

  private end(sha256: string): void {
    if (sha256 !== this.hash.digest('hex'))
      throw new DamagedBackup(this.file, 'its checksum is another one: it was altered');
    this.isOver = true;
  }

  private parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.line === 1
        ? new DamagedBackup(this.file, 'it is no backup of this program')
        : this.damaged('it was altered');
    }
  }

  private as<T>(type: z.ZodType<T>, value: unknown): T {
    const result = type.safeParse(value);
    if (!result.success) throw this.damaged('it was altered');
    return result.data;
  }

  private damaged(what: string): DamagedBackup {
    return new DamagedBackup(this.file, `${what} (line ${this.line})`);
  }
}

/** What is written into statements may be nothing else. */
function isValue(value: unknown): value is Row[number] {
  return value === null || typeof value === 'string' || typeof value === 'number';
}
