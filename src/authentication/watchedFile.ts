import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Report } from '../runtime/report.js';

/** How often the file is read. Its content is compared, for no time stamp is fine enough to tell every change. */
const INTERVAL_MS = 1_000;

/**
 * What is made of the content of a file, which may change at any time: it is read every second. What cannot be read, or makes no sense,
 * is reported once, and what was made before stays.
 */
export class WatchedFile<T> {
  private text: string;
  private made: T;
  /** What was wrong with the file when it was read last. */
  private problem: string | null = null;
  private readonly timer: NodeJS.Timeout;

  /**
   * @param what is made of it, as the report calls it
   * @throws Error where the file cannot be read, or makes no sense
   */
  constructor(
    private readonly file: string,
    private readonly make: (text: string) => T,
    private readonly report: Report,
    private readonly what: string,
  ) {
    this.text = readFileSync(file, 'utf8');
    try {
      this.made = make(this.text);
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
    }
    this.timer = setInterval(() => void this.read(), INTERVAL_MS).unref();
  }

  get current(): T {
    return this.made;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async read(): Promise<void> {
    try {
      const text = await readFile(this.file, 'utf8');
      if (text === this.text && this.problem === null) return;
      this.made = this.make(text);
      this.text = text;
      this.problem = null;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.problem)
        this.report(error, `reading ${this.file}; the ${this.what} stay as they were before`);
      this.problem = message;
    }
  }
}
