import { readdirSync } from 'node:fs';
import { step } from '../../scripts/setup/progress.mjs';
import { npm, root, run } from '../../scripts/setup/run.mjs';
import { hashOf, readStamp, writeStamp } from '../../scripts/setup/stamp.mjs';

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

/** What a check does not read, or what is made from the other files. */
const NO_INPUT = ['.cache', '.data', '.git', 'dist', 'node_modules', 'release', 'site'];

/**
 * Runs every check, even after failures, except those that passed with the same files before.
 * Reports each result and adds it to `sum`.
 */
export async function runChecks(sum) {
  const files = hashOf(readdirSync(root).filter((name) => !NO_INPUT.includes(name)));
  const waiting = [...CHECKS];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await runCheck(next, files, sum);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

async function runCheck([name, script], files, sum) {
  const stamp = `.cache/checks/${script}`;
  if (readStamp(stamp) === files) {
    sum.passed += 1;
    console.log(`${name}: passed before with the same files`);
    return;
  }
  const { code, output } = await step(name, () => run(...npm('run', '--silent', script)));
  if (code === 0) {
    writeStamp(stamp, files);
    sum.passed += 1;
    console.log(`${name}: passed`);
  } else {
    sum.failed += 1;
    console.log(`${output.trim()}\n${name}: FAILED`);
  }
}
