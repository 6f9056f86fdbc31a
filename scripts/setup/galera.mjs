import { alone } from './alone.mjs';
import { endWith } from './checks.mjs';
import { prepareProject } from './project.mjs';
import { prepareDatabaseProgram, prepareGalera } from './system.mjs';
import { jest } from './test.mjs';

/** Sets the checkout and Galera up, and runs the tests of test/galera alone. */
export async function testGalera(jestOptions) {
  const sum = { passed: 0, failed: 0 };
  try {
    await alone(async () => {
      await prepareProject();
      await prepareDatabaseProgram();
      const { provider, scripts } = await prepareGalera();
      process.env.PLACEMENT_GALERA_PROVIDER = provider;
      process.env.PLACEMENT_GALERA_SCRIPTS = scripts;
    });
    await jest(['--config', 'jest.galera.config.js', ...jestOptions], sum);
  } catch (error) {
    console.error(error.message);
    sum.failed += 1;
  }
  endWith(sum);
}
