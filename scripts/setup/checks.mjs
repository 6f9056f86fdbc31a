import { step } from './progress.mjs';
import { npm, run } from './run.mjs';

/** What is checked besides the tests: a name, and the npm script; the longest first. */
const checks = [
  ['lint', 'lint'],
  ['type check', 'typecheck'],
  ['format', 'format:check'],
  ['dependency rule', 'depcruise'],
  ['dead code', 'knip'],
];

/** Each keeps one core busy. */
const AT_ONCE = 2;

/** Runs every check whatever fails, says how each ended, and adds to the sum of what passed and failed. */
export async function runChecks(sum) {
  const waiting = [...checks];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await runCheck(next, sum);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

async function runCheck([name, script], sum) {
  const { code, output } = await step(name, () => run(...npm('run', '--silent', script)));
  if (code === 0) sum.passed += 1;
  else sum.failed += 1;
  console.log(code === 0 ? `${name}: passed` : `${output.trim()}\n${name}: FAILED`);
}

/** Tells the sum as the last line, and ends the process. */
export function endWith({ passed, failed }) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
