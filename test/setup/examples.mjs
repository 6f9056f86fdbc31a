import { readdirSync } from 'node:fs';
import { preparePackagesOf } from '../../scripts/setup/packages.mjs';
import { step } from '../../scripts/setup/progress.mjs';
import { isExecutable, findProgram, mustRun, npm, run } from '../../scripts/setup/run.mjs';
import { whenChanged } from '../../scripts/setup/stamp.mjs';
import { prepareProgram } from '../../scripts/setup/system.mjs';

const TYPESCRIPT = ['apollo', 'codegen', 'gql-tada', 'relay', 'urql'];

/** Installs the packages of the examples and compiles them. @returns the path of a Python that has graphql-core */
export async function prepareExamples() {
  await preparePackagesOf('examples');
  const sources = ['schema.graphql', 'examples/package-lock.json', 'examples/tsconfig.json', ...written()];
  await whenChanged('examples/dist/.placement-stamp', sources, () =>
    step('compiling the examples', () => mustRun(...npm('run', 'build', '--prefix', 'examples'))),
  );
  return prepareProgram('Python with graphql-core', findPython, {
    apt: ['python3', 'python3-graphql-core'],
    brew: ['python'],
  });
}

/** Returns the files of the examples that are not generated. */
function written() {
  return TYPESCRIPT.flatMap((name) =>
    readdirSync(`examples/${name}`, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `examples/${name}/${entry.name}`),
  );
}

/** Returns a Python that can import graphql-core: the system's, whose packages come from Debian, or the one on PATH. */
async function findPython() {
  for (const python of ['/usr/bin/python3', findProgram(['python3'])])
    if (python !== null && isExecutable(python) && (await run(python, ['-c', 'import graphql'])).code === 0)
      return python;
  return null;
}
