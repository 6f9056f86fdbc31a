// npm run mutations                  applies each mutation of mutations.mjs in turn to a copy of the tree and runs the
//                                    test files that cover it; fails unless each makes a test fail
// npm run mutations -- WORD...       only the mutations whose names contain one of the words
// npm run mutations -- --all         runs all test files of `npm test` for each mutation
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RESULT } from '../setup/reporter.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { MUTATIONS } from './mutations.mjs';
import { placeOf } from './place.mjs';

const COPY = join(root, '.cache/mutations');

/** The folders with packages, which the copy shares. They must be installed: `npm ci` in the copy would delete them here. */
const PACKAGES = ['.', 'dashboard', 'docs', 'examples', 'scripts'].map((folder) =>
  join(folder, 'node_modules'),
);

const words = process.argv.slice(2).filter((option) => !option.startsWith('--'));
const isAll = process.argv.includes('--all');
const chosen = MUTATIONS.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);

copyTree();
const covering = [...new Set(chosen.flatMap(({ tests }) => tests))];
const before = runTests(covering);
if (before.failed > 0 || before.passed === 0) {
  console.error(`${before.output}\nwithout a mutation, the tests must pass`);
  process.exit(1);
}
let missed = 0;
for (const mutation of chosen) {
  const found = tryMutation(mutation);
  if (!found) missed++;
}
console.log(`${chosen.length - missed} of ${chosen.length} mutations found`);
process.exit(missed === 0 ? 0 : 1);

/** Copies the files that Git knows or would add, into a new folder. */
function copyTree() {
  rmSync(COPY, { recursive: true, force: true });
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(COPY, file)), { recursive: true });
    cpSync(join(root, file), join(COPY, file));
  }
  for (const folder of PACKAGES.filter((name) => existsSync(join(root, name))))
    symlinkSync(join(root, folder), join(COPY, folder));
}

/** Runs the tests with a mutation, prints the first test that fails, and undoes the mutation. */
function tryMutation(mutation) {
  const file = placeOf(join(COPY, 'src'), mutation);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(mutation.find, () => mutation.replace),
  );
  const { failed, isPrepared, output } = runTests(isAll ? [] : mutation.tests, '--bail');
  writeFileSync(file, text);
  if (!isPrepared)
    throw new Error(`${output}\nthe code does not compile with the mutation: ${mutation.name}`);
  const [, test = ''] = /^ *● (.+)$/m.exec(output) ?? [];
  console.log(failed > 0 ? `found: ${mutation.name}\n  by: ${test}` : `NOT FOUND: ${mutation.name}`);
  return failed > 0;
}

/** Runs test files of the copy; none stands for all. */
function runTests(tests, ...options) {
  rmSync(join(COPY, RESULT), { force: true });
  const paths = tests.map((name) => `test/${name}.test.ts`);
  const { stdout, stderr } = spawnSync(process.execPath, ['test/run.mjs', ...options, ...paths], {
    cwd: COPY,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const output = stdout + stderr;
  const result = existsSync(join(COPY, RESULT)) ? JSON.parse(readFileSync(join(COPY, RESULT), 'utf8')) : null;
  const isPrepared = result !== null && !output.includes('the set-up of this test failed');
  return { passed: result?.passed ?? 0, failed: result?.failed ?? 0, isPrepared, output };
}
