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

/**
 * Expects that more than `least` random cases had an effect. A property without such cases proves
 * nothing.
 */
export function expectMoreThan(least: number, count: number): void {
  if (!(count > least))
    throw new Error(`${count} is not more than ${least}: PLACEMENT_PROPERTY_SEED=${SEED}`);
}

export { fc };
