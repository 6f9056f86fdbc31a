import { readFile, stat } from 'node:fs/promises';
import type { Log } from './observation/log.js';
import type { Report } from './report.js';

/** How often the files are looked at (ms). */
const INTERVAL_MS = 1_000;

export interface NamedFile {
  /** How messages call it: the setting that names it. */
  readonly name: string;
  readonly path: string;
}

/** Told of files that were read again, and of those that cannot be used. */
interface Observer {
  readonly log: Log;
  readonly report: Report;
}

/**
 * What is made of the contents of files, made anew when the files are replaced, or the links to them. Files that belong together are
 * not replaced at the same instant: what cannot be made of them is reported when it cannot be at the next look either. What was made
 * before stays until then, and after.
 */
export class FollowedFiles<T> {
  private timer: NodeJS.Timeout | undefined;
  /** Whether something was made of the present version, or it has been reported that nothing could be. */
  private isSettled = true;

  private constructor(
    private readonly files: readonly NamedFile[],
    private readonly make: (contents: readonly string[]) => T,
    private version: string,
    private made: T,
  ) {}

  /** @throws Error with one line that names the file when it cannot be read, or what `make` throws */
  static async read<T>(
    files: readonly NamedFile[],
    make: (contents: readonly string[]) => T,
  ): Promise<FollowedFiles<T>> {
    const version = await versionOf(files);
    return new FollowedFiles(files, make, version, make(await contentsOf(files)));
  }

  get current(): T {
    return this.made;
  }

  /** Goes on looking at the files until `stop`; `replaced` is called with what was made of new ones. */
  follow(observer: Observer, replaced: (made: T) => void = () => undefined): void {
    const next = (): void => void (this.timer = setTimeout(look, INTERVAL_MS).unref());
    const look = (): void => void this.look(observer, replaced).finally(() => this.timer && next());
    next();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async look({ log, report }: Observer, replaced: (made: T) => void): Promise<void> {
    const version = await versionOf(this.files);
    const isNew = version !== this.version;
    if (!isNew && this.isSettled) return;
    this.version = version;
    try {
      const made = this.make(await contentsOf(this.files));
      replaced(made);
      this.made = made;
      this.isSettled = true;
      log.info({ files: this.files.map(({ path }) => path) }, 'files were replaced: the new ones are in use');
    } catch (error) {
      this.isSettled = !isNew;
      if (this.isSettled) report(error, 'reading a file again: what was read before stays in use');
    }
  }
}

/** Changes with the files behind the names, also where these are links. */
async function versionOf(files: readonly NamedFile[]): Promise<string> {
  const facts = files.map(({ path }) =>
    stat(path).then(
      ({ dev, ino, size, mtimeMs, ctimeMs }) => [dev, ino, size, mtimeMs, ctimeMs],
      (error: NodeJS.ErrnoException) => error.code,
    ),
  );
  return JSON.stringify(await Promise.all(facts));
}

function contentsOf(files: readonly NamedFile[]): Promise<string[]> {
  return Promise.all(
    files.map(({ name, path }) =>
      readFile(path, 'utf8').catch((error: Error) => {
        throw new Error(`${name}: ${error.message}`, { cause: error });
      }),
    ),
  );
}
