/** The fields of a line. They contain no secrets. Only audit records contain values of clients. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The log of a process, as the modules use it. Each call writes one line. */
export interface Log {
  /** Writes an audit record, at every level except silent. */
  record(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  isLevelEnabled(level: 'info' | 'warn' | 'error'): boolean;
}

const nothing = (): void => undefined;

export const NO_LOG: Log = {
  record: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,

  isLevelEnabled: () => false,
};
