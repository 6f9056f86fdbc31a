import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Log } from '../../model/observation.js';
import type { Report } from '../../model/operation/report.js';

/** How often the files are read (ms). Their contents are compared, because time stamps are too coarse. */
const INTERVAL_MS = 1_000;

export interface NamedFile {
  /** The name in messages: usually the setting that contains the path. */
  readonly name: string;
  readonly path: string;
}

interface Observer {
  readonly log?: Log;
  readonly report: Report;
}

/**
 * A value made of the contents of files, and made again when they change. Files that belong together
 * are not replaced at the same instant, so a failure is reported only if the next read fails as well.
 * Until the files are valid again the previous value stays in use.
 */
export class WatchedFiles<T> {
  private timer: NodeJS.Timeout | undefined;
  private version: string;
  private made: T;
  /** Whether the present contents are in use, or have been reported as invalid. */
  private isSettled = true;

  /** @throws Error that names the file if it cannot be read, or what `make` throws */
  constructor(
    private readonly files: readonly NamedFile[],
    private readonly make: (contents: readonly string[]) => T,
  ) {
    const contents = files.map((file) => {
      try {
        return readFileSync(file.path, 'utf8');
      } catch (error) {
        throw named(file, error);
      }
    });
    this.version = contents.join('\0');
    this.made = make(contents);
  }

  get current(): T {
    return this.made;
  }

  /** Reads the files repeatedly until `stop`. Calls `replaced` with each new value. */
  watch(observer: Observer, replaced: (made: T) => void = () => undefined): this {
    const next = (): void => void (this.timer = setTimeout(read, INTERVAL_MS).unref());
    const read = (): void => void this.read(observer, replaced).finally(() => this.timer && next());
    next();
    return this;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async read({ log, report }: Observer, replaced: (made: T) => void): Promise<void> {
    const reads = this.files.map((file) =>
      readFile(file.path, 'utf8').catch((error: unknown) => Promise.reject(named(file, error))),
    );
    const contents = await Promise.all(reads).catch((error: Error) => error);
    const version = contents instanceof Error ? contents.message : contents.join('\0');
    const isNew = version !== this.version;
    if (!isNew && this.isSettled) return;
    this.version = version;
    const paths = this.files.map(({ path }) => path);
    try {
      if (contents instanceof Error) throw contents;
      const made = this.make(contents);
      replaced(made);
      this.made = made;
      this.isSettled = true;
      log?.info({ files: paths }, 'files were replaced: the new ones are in use');
    } catch (error) {
      this.isSettled = !isNew;
      if (this.isSettled)
        report(error, `reading ${paths.join(' and ')} again; the previous content stays in use`);
    }
  }
}

function named({ name }: NamedFile, error: unknown): Error {
  return new Error(`${name}: ${(error as Error).message}`, { cause: error });
}
