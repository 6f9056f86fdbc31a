// The tables hold times in UTC. The connector would convert a Date with the time zone of the process, which belongs to
// the host program, so times are sent and read as text.

/** Formats a time (ms since 1970) for a DATETIME column, in whole seconds. */
export function timestampOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

export function dateOf(timestamp: string | null): Date | null {
  return timestamp === null ? null : new Date(`${timestamp}Z`);
}

/** Returns the seconds since 1970 of a time as {@link timestampOf} formats it. */
export function secondsOf(timestamp: string): number {
  return Date.parse(`${timestamp}Z`) / 1_000;
}
