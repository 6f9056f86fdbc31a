import { isatty } from 'node:tty';
import { pino, type DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Log } from '../runtime/observation/log.js';
import type { Report } from '../runtime/report.js';
import { loggedError } from './loggedError.js';
import { LogOutput } from './logOutput.js';

/** Its number, because Node's stream for it makes a pipe one that does not block, and what writes here must then try again and again. */
const STDOUT = 1;

export const LOG_LEVELS = ['info', 'warn', 'error', 'silent'] as const;
export const LOG_FORMATS = ['json', 'text'] as const;

export interface LogSettings {
  readonly level: (typeof LOG_LEVELS)[number];
  /** Null: text on a terminal, JSON otherwise. */
  readonly format: (typeof LOG_FORMATS)[number] | null;
  /** Told how many bytes were given up because nobody read them fast enough. */
  readonly onDrop?: (bytes: number) => void;
}

/** The log of a process. */
export interface ProcessLog {
  readonly log: Log;
  /** Writes a line about the life of the process at once, at any level but silent: scripts wait for such lines. */
  readonly announce: (line: string) => void;
}

/**
 * The log, on standard output: a JSON object a line, or text for people. Lines are written a piece at a time by the side of the event
 * loop, and the rest when the process ends.
 */
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
      timestamp: pino.stdTimeFunctions.isoTime,
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

/** Reports failures to the log. */
export function reportTo(log: Pick<Log, 'error'>): Report {
  return (error, during) => log.error({ error: loggedError(error) }, during);
}
