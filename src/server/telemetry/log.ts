import { isatty } from 'node:tty';
import { pino, type DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Log } from '../../model/observation/log.js';
import type { Report } from '../../model/operation/report.js';
import { loggedError } from './loggedError.js';
import { openSync } from 'node:fs';

/** File descriptor 1: Node's stdout stream makes pipes non-blocking. */
const STDOUT = 1;

export const LOG_LEVELS = ['info', 'warn', 'error', 'silent'] as const;
export const LOG_FORMATS = ['json', 'text'] as const;

export interface LogSettings {
  readonly level: (typeof LOG_LEVELS)[number];
  /** Null means text on a terminal, otherwise JSON. */
  readonly format: (typeof LOG_FORMATS)[number] | null;
  /** Receives the number of bytes that were dropped because the reader was too slow. */
  readonly onDrop?: (bytes: number) => void;
}

export interface ProcessLog {
  readonly log: Log;
  /** Writes a line about the life of the process at once, at any level but silent: scripts wait for such lines. */
  readonly announce: (line: string) => void;
}

/** Returns a function that returns the time as pino writes it, and formats each second once. */
function timestamps(): () => string {
  let second = NaN;
  let start = '';
  return () => {
    const now = Date.now();
    const milliseconds = now % 1_000;
    if (now - milliseconds !== second) {
      second = now - milliseconds;
      start = `,"time":"${new Date(second).toISOString().slice(0, -'000Z'.length)}`;
    }
    return `${start}${String(milliseconds).padStart(3, '0')}Z"`;
  };
}

/** Creates the log on standard output: one JSON object per line, or text for people. */
export function createLog(
  { level, format, onDrop = () => undefined }: LogSettings,
  target: string | number = STDOUT,
): ProcessLog {
  const stream = new LogOutput(target, onDrop);
  const isTerminal = target === STDOUT && isatty(STDOUT);
  const isText = (format ?? (isTerminal ? 'text' : 'json')) === 'text';
  const output = isText ? asText(stream, isTerminal) : stream;
  const about = pino(
    {
      level: level === 'silent' ? level : 'info',
      base: { pid: process.pid },
      timestamp: timestamps(),
      formatters: { level: (label) => ({ level: label }) },
    },
    output,
  );
  const leveled = about.child({}, { level });
  return {
    log: {
      record: about.info.bind(about),
      info: leveled.info.bind(leveled),
      warn: leveled.warn.bind(leveled),
      error: leveled.error.bind(leveled),
      isLevelEnabled: (name) => leveled.isLevelEnabled(name),
    },
    announce(line) {
      about.info(line);
      stream.flush();
    },
  };
}

function asText(stream: DestinationStream, colorize: boolean): DestinationStream {
  const pretty = prettyFactory({ colorize, ignore: 'pid', translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line: string) => stream.write(pretty(line)) };
}

export function reportTo(log: Pick<Log, 'error'>): Report {
  return (error, during) => log.error({ error: loggedError(error) }, during);
}

/** The output passes lines on after this many characters or milliseconds. */
const BUFFER_LENGTH = 32_768;
const MAX_BUFFERED_MS = 100;

/** If the reader is too slow, further lines are dropped: memory must not grow. */
const MAX_WAITING_BYTES = 16_777_216;

const outputs = new Set<LogOutput>();
process.once('exit', () => {
  for (const output of outputs) output.writeRest();
});

/**
 * Writes lines outside of the event loop, and the rest when the process ends. It collects lines, because pino's own
 * destination costs ten times as much per line as everything else.
 */
class LogOutput implements DestinationStream {
  private readonly stream;
  private pending = '';
  private timer: NodeJS.Timeout | null = null;

  constructor(target: string | number, onDrop: (bytes: number) => void) {
    const dest = typeof target === 'string' ? openSync(target, 'a') : target;
    this.stream = pino.destination({ dest, sync: false, maxLength: MAX_WAITING_BYTES });
    this.stream.on('drop', (text: string) => onDrop(Buffer.byteLength(text)));
    outputs.add(this);
  }

  write(line: string): void {
    this.pending += line;
    if (this.pending.length >= BUFFER_LENGTH) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), MAX_BUFFERED_MS).unref();
  }

  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.pending !== '') this.stream.write(this.pending);
    this.pending = '';
  }

  writeRest(): void {
    this.flush();
    this.stream.flushSync();
  }
}
