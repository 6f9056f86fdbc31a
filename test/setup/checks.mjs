import { step } from '../../scripts/setup/progress.mjs';
import { npm, run } from '../../scripts/setup/run.mjs';

/** The checks besides the tests: a name and the npm script, the longest first. */
const CHECKS = [
  ['lint', 'lint'],
  ['type check', 'typecheck'],
  ['format', 'format:check'],
  ['dependency rule', 'depcruise'],
  ['dead code', 'knip'],
  ['breaking changes', 'schema:check'],
];

/** Each check keeps one core busy. */
const AT_ONCE = 2;

/** Runs every check, even after failures. Reports each result and adds it to `sum`. */
export async function runChecks(sum) {
  const waiting = [...CHECKS];
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
