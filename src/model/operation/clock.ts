/** The wall clock and the monotonic clock of a process. */
export interface Clock {
  /** The time of day, in milliseconds since 1970. It may jump. */
  now(): number;
  /** Milliseconds since some moment, for durations. It never jumps. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };
