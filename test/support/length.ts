export const IS_FULL = process.env.PLACEMENT_TEST_LENGTH === 'full';

/** The number of cases of a test: `full` with `npm test -- --full`, otherwise `short`. */
export function cases(full: number, short = Math.ceil(full / 10)): number {
  return IS_FULL ? full : short;
}
