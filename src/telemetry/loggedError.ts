import type { LogFields } from '../runtime/observation/log.js';

/** Causes inside of each other that are told at most. */
const DEEPEST = 5;

/**
 * Failures of the database whose messages name accounts, databases, tables and addresses, which an operator needs, and never a value:
 * refused and failed connections, missing privileges, unknown tables and columns.
 */
const WITHOUT_VALUES = new Set([1040, 1044, 1045, 1049, 1054, 1129, 1130, 1142, 1143, 1146, 1227, 1290]);

/** The name of a part of the tables at the end of a message: what stands in quotes elsewhere may be a value. */
const NAME_AT_END = / for (?:key|column) ['`][\w.`]+['`](?: at row \d+)?$/;

/** What a failure of the connector, or of Prisma, has besides what every error has. */
interface Failure extends Error {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly sqlState?: unknown;
  readonly sqlMessage?: unknown;
  readonly sql?: unknown;
}

/**
 * An error as the log has it: what it is, where it was thrown, and its causes; of a failed statement its text, in which values are
 * question marks, and the server's message without the values that it repeats.
 */
export function loggedError(error: unknown, depth = 0): LogFields {
  if (!(error instanceof Error)) return { message: withoutValues(String(error)) };
  const { name, code, errno, sqlState, sql, cause } = error as Failure;
  return {
    type: name,
    message: messageOf(error),
    ...(isPlain(code) && { code }),
    ...(isPlain(errno) && { errno }),
    ...(isPlain(sqlState) && { sqlState }),
    ...(typeof sql === 'string' && { sql: withoutLiterals(sql) }),
    stack: framesOf(error),
    ...(cause !== undefined && depth < DEEPEST && { cause: loggedError(cause, depth + 1) }),
  };
}

function messageOf(error: Failure): string {
  const { message, sqlMessage, errno } = error;
  if (typeof sqlMessage === 'string')
    return WITHOUT_VALUES.has(Number(errno)) ? sqlMessage : withoutValues(sqlMessage);
  // Prisma's begins with a piece of the program, or with all arguments of the call
  const text = error.name.startsWith('Prisma') ? message.slice(message.lastIndexOf('\n') + 1) : message;
  return isOfDatabase(error) ? withoutValues(text) : text;
}

/** Whether its message may be one of the database server, whoever passes it on. */
function isOfDatabase({ name, message }: Error): boolean {
  return name.startsWith('Prisma') || name.startsWith('DriverAdapter') || /SQLState|sql:/.test(message);
}

/** From the first quote to the last, because a value may have quotes in it. */
function withoutValues(message: string): string {
  const end = NAME_AT_END.exec(message)?.[0] ?? '';
  const begin = message.slice(0, message.length - end.length);
  return begin.replace(/(['"]).*\1/s, "'?'") + end;
}

/** A statement whose strings and numbers are question marks. */
export function withoutLiterals(sql: string): string {
  return sql.replace(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|\b\d+(?:\.\d+)?\b/g, '?');
}

/** The places of the stack alone: above them it repeats the message. */
function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((line) => line.trim()).join('\n');
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
