/**
 * Reports errors without a caller: unexpected errors of requests, whose clients get no details, and failures of
 * background work. `during` names the work.
 */
export type Report = (error: unknown, during: string) => void;

/** Writes the errors to standard error. */
export const reportToConsole: Report = (error, during) => console.error(`${during}:`, error);
