/** Fields of a line. None holds a secret, or, but for what is on record, what a client has given as a value. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where a process writes what its operator may want to know, a line each: the part of a logger that the rooms use. */
export interface Log {
  /** Writes at every level but silent: audit records. */
  record(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  isLevelEnabled(level: 'info' | 'warn' | 'error'): boolean;
}

const nothing = (): void => undefined;

/** Writes nothing. */
export const NO_LOG: Log = {
  record: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,

  isLevelEnabled: () => false,
};
