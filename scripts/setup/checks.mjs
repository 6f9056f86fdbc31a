import { step } from './progress.mjs';
import { npm, run } from './run.mjs';

/** What is checked besides the tests: a name, and the npm script. */
const checks = [
  ['type check', 'typecheck'],
  ['lint', 'lint'],
  ['format', 'format:check'],
  ['dependency rule', 'depcruise'],
  ['dead code', 'knip'],
];

/** Runs every check whatever fails, says how each ended, and adds to the sum of what passed and failed. */
export async function runChecks(sum) {
  for (const [name, script] of checks) {
    const { code, output } = await step(name, () => run(...npm('run', '--silent', script)));
    if (code === 0) sum.passed += 1;
    else sum.failed += 1;
    console.log(code === 0 ? `${name}: passed` : `${output.trim()}\n${name}: FAILED`);
  }
}

/** Tells the sum as the last line, and ends the process. */
export function endWith({ passed, failed }) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
