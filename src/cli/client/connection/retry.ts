import { EXIT, Failure } from './failure.js';

const MOST_TRIES = 10;

/** Does again, from reading on, what failed because somebody else was faster. */
export async function untilNoConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failure && error.exit === EXIT.conflict) || tries === MOST_TRIES) throw error;
    }
  }
}
