import { pino, type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Log } from '../runtime/log.js';
import type { Report } from '../runtime/report.js';
import { loggedError } from './loggedError.js';

export const LOG_LEVELS = ['info', 'warn', 'error', 'silent'] as const;
export const LOG_FORMATS = ['json', 'text'] as const;

export interface LogSettings {
  readonly level: (typeof LOG_LEVELS)[number];
  /** Null: text on a terminal, JSON otherwise. */
  readonly format: (typeof LOG_FORMATS)[number] | null;
}

/** Lines are written when there are so many bytes of them, or so many milliseconds have passed. */
const PIECE = 8_192;
const LONGEST_BUFFERED_MS = 100;

/** Where whoever reads the log does not keep up, lines beyond so many bytes are given up: the process must not grow with them. */
const MOST_WAITING = 16_777_216;

/** The log of a process. */
export interface ProcessLog {
  readonly log: Logger;
  /** Writes a line about the life of the process at once, at any level but silent: scripts wait for such lines. */
  readonly announce: (line: string) => void;
}

/**
 * The log, on standard output: a JSON object a line, or text for people. Lines are written a piece at a time by the side of the event
 * loop, and the rest when the process ends.
 */
export function createLog(
  { level, format }: LogSettings,
  target: string | number = process.stdout.fd,
): ProcessLog {
  const stream = pino.destination({
    dest: target,
    sync: false,
    minLength: PIECE,
    maxLength: MOST_WAITING,
    periodicFlush: LONGEST_BUFFERED_MS,
  });
  const isTerminal = target === process.stdout.fd && process.stdout.isTTY;
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
  return {
    log: about.child({}, { level }),
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
