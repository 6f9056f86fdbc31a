import { mustRun } from './run.mjs';
import { step } from './progress.mjs';
import { whenChanged } from './stamp.mjs';

/** Packages, generated code and compiled code: whatever is missing or older than what it is made from. */
export async function prepareProject() {
  await whenChanged('node_modules/.placement-stamp', ['package-lock.json'], () =>
    step('installing packages (npm ci)', installPackages),
  );
  await prepareCode();
}

/** The same for a checkout whose packages are there. */
export async function prepareCode() {
  await step('generating the Prisma client', () => mustRun(process.execPath, ['scripts/generate.mjs']));
  await whenChanged(
    'dist/.placement-stamp',
    ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    () =>
      step('compiling', () =>
        mustRun(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']),
      ),
  );
}

/** The npm that runs this script, if one does. */
function installPackages() {
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js') ? mustRun(process.execPath, [npm, ...options]) : mustRun('npm', options);
}
