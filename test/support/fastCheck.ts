import { appendFileSync, mkdirSync } from 'node:fs';
import { expect } from '@jest/globals';
import fc from 'fast-check';

const { PLACEMENT_PROPERTY_SEED } = process.env;

/** The seed of every property-based test of the file: a fresh one, unless PLACEMENT_PROPERTY_SEED repeats a run. */
export const SEED = Number(PLACEMENT_PROPERTY_SEED ?? Date.now() % 0x7fffffff);

/** Failures of all runs, each with its seed and counterexample. */
const FOLDER = '.cache';
const RECORD = `${FOLDER}/counterexamples.log`;

/**
 * Reports a failure like fast-check, but records it first, so that no counterexample is lost with
 * the output of a run.
 */
function report(run: fc.RunDetails<unknown>): void {
  if (!run.failed) return;
  const message = fc.defaultReportMessage(run);
  const { testPath, currentTestName } = expect.getState();
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(
    RECORD,
    `${new Date().toISOString()} ${testPath}: ${currentTestName}\n${message}\n${String(run.errorInstance)}\n\n`,
  );
  throw new Error(`${message}\n(also in ${RECORD})`, { cause: run.errorInstance });
}

fc.configureGlobal({ seed: SEED, reporter: report });

/** With the rates of effects that the tests have now, chance does not miss a bound so many times. */
const MAX_ROUNDS = 5;

/**
 * Asserts a property, with further random cases until `isEnough` is true of the effects that it
 * counted. A property without such cases proves nothing; with a fixed number of cases, chance would
 * decide whether there are enough.
 */
export async function assertEnough<Case>(
  property: fc.IRawProperty<Case>,
  parameters: fc.Parameters<Case>,
  isEnough: () => boolean,
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await fc.assert(property, { ...parameters, seed: SEED + round });
    if (parameters.path !== undefined || isEnough()) return;
  }
  throw new Error(`Too few cases had an effect: PLACEMENT_PROPERTY_SEED=${SEED}`);
}

export { fc };
