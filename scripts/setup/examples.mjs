import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './progress.mjs';
import { findProgram, mustRun, npm, root, run } from './run.mjs';
import { whenChanged } from './stamp.mjs';
import { prepare } from './system.mjs';

const TYPESCRIPT = ['apollo', 'codegen', 'gql-tada', 'relay'];

/** Python's packages for the examples. Remove the folder to have them installed anew. */
const PYTHON = '.cache/python';

/** The examples of clients, compiled, with the packages that they need and the server does not. @returns the path of a Python */
export async function prepareExamples() {
  await whenChanged('examples/node_modules/.placement-stamp', ['examples/package-lock.json'], () =>
    step('installing packages of the examples (npm ci)', () =>
      mustRun(...npm('ci', '--prefix', 'examples', '--include=dev', '--no-audit', '--no-fund')),
    ),
  );
  const sources = ['schema.graphql', 'examples/package-lock.json', 'examples/tsconfig.json', ...written()];
  await whenChanged('examples/dist/.placement-stamp', sources, () =>
    step('compiling the examples', () => mustRun(...npm('run', 'build', '--prefix', 'examples'))),
  );
  await prepare('Python', findPython, { apt: ['python3', 'python3-venv'], brew: ['python'] });
  const requirements = 'examples/python/requirements.txt';
  await whenChanged(`${PYTHON}/.placement-stamp`, [requirements], () =>
    step('installing packages of the example in Python', () => installPython(requirements)),
  );
  return join(root, PYTHON, 'bin/python');
}

/** What is not generated of the examples. */
function written() {
  return TYPESCRIPT.flatMap((name) =>
    readdirSync(join(root, 'examples', name), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `examples/${name}/${entry.name}`),
  );
}

/** A Python that can make environments of its own. */
async function findPython() {
  const python = findProgram(['python3']);
  if (python === null) return null;
  return (await run(python, ['-c', 'import venv, ensurepip'])).code === 0 ? python : null;
}

async function installPython(requirements) {
  await mustRun('python3', ['-m', 'venv', '--clear', PYTHON]);
  await mustRun(`${PYTHON}/bin/pip`, ['install', '--quiet', '--retries', '1', '--requirement', requirements]);
}
