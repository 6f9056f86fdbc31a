/**
 * Takes errors that no caller hears of: unexpected ones of requests, whose clients are told no details, and failures of background
 * work. `during` says what was being done.
 */
export type Report = (error: unknown, during: string) => void;

/** Writes them to standard error. */
export const reportToConsole: Report = (error, during) => console.error(`${during}:`, error);
