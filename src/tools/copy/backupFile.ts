import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { pipeline as piped } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod';
import {
  PAGE_ROWS,
  compareChecks,
  type CopyWriter,
  type Progress,
  type Row,
  type SourceTable,
} from './copy.js';

/*
 * A backup is a gzip file of lines, each of them JSON:
 *
 *   { "format": "placement-graphql backup", "version": 1, ... }     the head
 *   { "table": "traits", "columns": ["id", "name"] }                a table begins
 *   [7, "HW_NUMA_ROOT"]                                             a row of the table
 *   { "end": "traits", "rows": 1, "figures": { "checksum": "1" } }  the table is complete
 *   { "sha256": "..." }                                             the hash of all lines before
 */

const FORMAT = 'placement-graphql backup';
const FORMAT_VERSION = 1;

const HEAD = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  program: z.string(),
  server: z.string(),
  /** The time of the backup in UTC, by the clock of the database. */
  takenAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  nextIds: z.record(z.string(), z.number().int().positive()),
});
export type Head = z.infer<typeof HEAD>;

const TABLE = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
const TABLE_END = z.object({
  end: z.string(),
  rows: z.number().int(),
  figures: z.record(z.string(), z.string()),
});
const END = z.object({ sha256: z.string() });

/** Thrown if the file is not a backup or was altered. */
export class DamagedBackup extends Error {
  constructor(file: string, what: string) {
    super(`${file} cannot be restored: ${what}`);
    this.name = 'DamagedBackup';
  }
}

export class BackupReader implements AsyncIterable<SourceTable> {
  private readonly hash = createHash('sha256');
  private readonly lines: AsyncIterator<string>;
  private number = 0;

  private constructor(private readonly file: string) {
    this.lines = linesOf(file)[Symbol.asyncIterator]();
  }

  /**
   * Reads the head, passes the tables to `work` and closes the file.
   *
   * @throws DamagedBackup if the file is cut off or altered; `work` may have received a part of it before
   */
  static async read<T>(file: string, work: (head: Head, tables: BackupReader) => Promise<T>): Promise<T> {
    const reader = new BackupReader(file);
    try {
      return await work(await reader.head(), reader);
    } finally {
      await reader.lines.return?.();
    }
  }

  /** Reads the whole file and returns its head. */
  static verify(file: string): Promise<Head> {
    return BackupReader.read(file, async (head, tables) => {
      for await (const table of tables) {
        const pages = table.pages()[Symbol.asyncIterator]();
        while (!(await pages.next()).done);
      }
      return head;
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceTable> {
    for (;;) {
      const before = this.hash.copy();
      const value = await this.next();
      if (END.safeParse(value).success) return this.end(this.as(END, value).sha256, before.digest('hex'));
      const { table: name, columns } = this.as(TABLE, value);
      let checks = {};
      const pages = async function* (reader: BackupReader): AsyncGenerator<readonly Row[]> {
        checks = yield* reader.rowsOf(name, columns.length);
      };
      yield { name, columns, pages: () => pages(this), checks: () => Promise.resolve(checks) };
    }
  }

  private async head(): Promise<Head> {
    const head = HEAD.safeParse(await this.next());
    if (!head.success) throw new DamagedBackup(this.file, 'it is no backup of this program');
    if (head.data.version > FORMAT_VERSION)
      throw new DamagedBackup(
        this.file,
        `it was made by version ${head.data.program} of this program: use that version or a newer one`,
      );
    return head.data;
  }

  /** Returns the checks of the table when its rows have ended. */
  private async *rowsOf(name: string, width: number): AsyncGenerator<Row[], Record<string, string>> {
    let count = 0;
    for (let rows: Row[] = []; ; rows = []) {
      let value: unknown;
      while (rows.length < PAGE_ROWS && Array.isArray((value = await this.next()))) {
        if (value.length !== width || !value.every(isValue)) throw this.damaged('it has no such row');
        rows.push(value);
      }
      count += rows.length;
      if (rows.length > 0) yield rows;
      if (rows.length === PAGE_ROWS) continue;
      const end = this.as(TABLE_END, value);
      if (end.end !== name || end.rows !== count) throw this.damaged('rows are missing');
      return end.figures;
    }
  }

  private async end(expected: string, actual: string): Promise<void> {
    if (expected !== actual)
      throw new DamagedBackup(this.file, 'its checksum does not match: it was altered');
    if (!(await this.lines.next()).done) throw this.damaged('it continues after its last line');
  }

  private async next(): Promise<unknown> {
    const line = await this.lines.next();
    if (line.done) throw this.damaged('it is cut off');
    const text = line.value;
    this.number += 1;
    this.hash.update(text).update('\n');
    try {
      return JSON.parse(text);
    } catch {
      throw this.number === 1
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
    return new DamagedBackup(this.file, `${what} (line ${this.number})`);
  }
}

/** Yields whole lines, and omits text after the last line break. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip();
  pipeline(createReadStream(file), unpacked, () => undefined); // errors are thrown where the lines are read
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_')) throw new DamagedBackup(file, `it is cut off or damaged (${message})`);
    throw error;
  }
}

/** Restores write values into statements as literals, so other types are rejected. */
function isValue(value: unknown): value is Row[number] {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

export class BackupWriter implements CopyWriter {
  private readonly hash = createHash('sha256');
  private readonly gzip = createGzip();
  private readonly written: Promise<void>;
  private table: SourceTable | null = null;

  private constructor(
    unfinished: string,
    private readonly onProgress: Progress['onProgress'],
  ) {
    const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    this.written = piped(this.gzip, target);
    this.written.catch(() => undefined); // thrown where it is awaited
  }

  /**
   * Writes a file that only its owner may read. Renames it to `file` after all of it is on the
   * disk, so an interrupted backup leaves no file of that name.
   *
   * @throws Error if it cannot be written
   */
  static async write(
    file: string,
    head: Omit<Head, 'format' | 'version'>,
    work: (writer: BackupWriter) => Promise<void>,
    onProgress: Progress['onProgress'],
  ): Promise<void> {
    const unfinished = `${file}.${process.pid}.unfinished`;
    const writer = new BackupWriter(unfinished, onProgress);
    try {
      await writer.send([{ format: FORMAT, version: FORMAT_VERSION, ...head }]);
      await work(writer);
      await writer.send([{ sha256: writer.hash.copy().digest('hex') }]);
      writer.gzip.end();
      await writer.written;
      await rename(unfinished, file);
    } finally {
      writer.gzip.destroy();
      await writer.written.catch(() => undefined);
      await rm(unfinished, { force: true });
    }
    const folder = await open(dirname(file));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  async begin(table: SourceTable): Promise<void> {
    this.table = table;
    await this.send([{ table: table.name, columns: table.columns }]);
  }

  write(rows: readonly Row[]): Promise<void> {
    return this.send(rows);
  }

  async end(count: number): Promise<void> {
    const table = this.table!;
    const figures = await table.checks();
    await this.send([{ end: table.name, rows: count, figures }]);
    this.onProgress(compareChecks(table.name, figures).line);
  }

  private async send(lines: readonly object[]): Promise<void> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    this.hash.update(text);
    if (this.gzip.write(text)) return;
    await Promise.race([new Promise((resolve) => this.gzip.once('drain', resolve)), this.written]);
  }
}
