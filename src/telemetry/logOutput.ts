import { openSync } from 'node:fs';
import { pino, type DestinationStream } from 'pino';

/** Lines are handed on when there is so much of them, or so many milliseconds have passed. */
const PIECE = 32_768;
const LONGEST_BUFFERED_MS = 100;

/** Where whoever reads the log does not keep up, lines beyond so many bytes are given up: the process must not grow with them. */
const MOST_WAITING = 16_777_216;

const outputs = new Set<LogOutput>();
process.once('exit', () => {
  for (const output of outputs) output.writeRest();
});

/**
 * Writes lines by the side of the event loop, and the rest when the process ends. They are gathered here, because pino's own
 * destination costs a line ten times as much as all else of it.
 */
export class LogOutput implements DestinationStream {
  private readonly stream;
  private pending = '';
  private timer: NodeJS.Timeout | null = null;

  /** @param onDrop is told how much was given up */
  constructor(target: string | number, onDrop: (bytes: number) => void) {
    const dest = typeof target === 'string' ? openSync(target, 'a') : target;
    this.stream = pino.destination({ dest, sync: false, maxLength: MOST_WAITING });
    this.stream.on('drop', (text: string) => onDrop(text.length));
    outputs.add(this);
  }

  write(line: string): void {
    this.pending += line;
    if (this.pending.length >= PIECE) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), LONGEST_BUFFERED_MS).unref();
  }

  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.pending !== '') this.stream.write(this.pending);
    this.pending = '';
  }

  /** For the end of the process. */
  writeRest(): void {
    this.flush();
    this.stream.flushSync();
  }
}
