import type { LogFields } from '../../model/observation.js';

const MAX_DEPTH = 5;

/** Errors of the database whose messages contain names that an operator needs, but never values. */
const WITHOUT_VALUES = new Set([1040, 1044, 1045, 1049, 1054, 1129, 1130, 1142, 1143, 1146, 1227, 1290]);

/** The name of a key or column at the end of a message. Other quoted text may be a value. */
const NAME_AT_END = / for (?:key|column) ['`][\w.`]+['`](?: at row \d+)?$/;

interface Failure extends Error {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly sqlState?: unknown;
  readonly sqlMessage?: unknown;
  readonly sql?: unknown;
}

/** Returns the fields of an error for the log. The statement and the message of the database contain no values. */
export function loggedError(error: unknown, depth = 0): LogFields {
  if (!(error instanceof Error)) return { message: withoutValues(String(error)) };
  const { name, code, errno, sqlState, sql, cause } = error as Failure;
  return {
    type: name,
    message: messageOf(error),
    ...(isPlain(code) && { code }),
    ...(isPlain(errno) && { errno }),
    ...(isPlain(sqlState) && { sqlState }),
    ...(typeof sql === 'string' && { sql: sqlWithoutLiterals(sql) }),
    stack: framesOf(error),
    ...(cause !== undefined && depth < MAX_DEPTH && { cause: loggedError(cause, depth + 1) }),
  };
}

function messageOf(error: Failure): string {
  const { message, sqlMessage, errno } = error;
  if (typeof sqlMessage === 'string')
    return WITHOUT_VALUES.has(Number(errno)) ? sqlMessage : withoutValues(sqlMessage);
  // Prisma's messages start with source text or the arguments of the call
  const text = error.name.startsWith('Prisma') ? message.slice(message.lastIndexOf('\n') + 1) : message;
  return isOfDatabase(error) ? withoutValues(text) : text;
}

function isOfDatabase({ name, message }: Error): boolean {
  return name.startsWith('Prisma') || name.startsWith('DriverAdapter') || /SQLState|sql:/.test(message);
}

/** Replaces the text from the first quote to the last, because a value may contain quotes. */
function withoutValues(message: string): string {
  const end = NAME_AT_END.exec(message)?.[0] ?? '';
  const begin = message.slice(0, message.length - end.length);
  return begin.replace(/(['"]).*\1/s, "'?'") + end;
}

/** Replaces the strings and numbers of a statement with question marks. */
export function sqlWithoutLiterals(sql: string): string {
  return sql.replace(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|\b\d+(?:\.\d+)?\b/g, '?');
}

function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((line) => line.trim()).join('\n');
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
