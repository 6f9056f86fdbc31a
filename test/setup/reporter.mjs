import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The sum of a run, which test/run.mjs reads. */
export const RESULT = '.cache/test-result.json';

/**
 * Counts passed and failed tests. A test file that could not be run counts as one failure. The sum is written after each
 * file, so that it is there if Jest itself ends early, and it contains no error, because an error may be circular.
 */
export default class Counter {
  passed = 0;
  failed = 0;

  constructor() {
    this.write(false);
  }

  onTestFileResult(_test, { numPassingTests, numFailingTests, testExecError }) {
    this.passed += numPassingTests;
    this.failed += Math.max(numFailingTests, testExecError ? 1 : 0);
    this.write(false);
  }

  onRunComplete() {
    this.write(true);
  }

  write(isComplete) {
    const { passed, failed } = this;
    mkdirSync(dirname(RESULT), { recursive: true });
    writeFileSync(RESULT, JSON.stringify({ passed, failed, isComplete }));
  }
}
