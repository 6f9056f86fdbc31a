import { alone } from '../../scripts/setup/prepare.mjs';
import { BENCH, prepareBench, prepareCode, prepareDashboard } from '../../scripts/setup/project.mjs';
import { prepareDatabaseProgram } from '../../scripts/setup/system.mjs';
import { startDatabase } from './database.mjs';

async function bench() {
  await prepareCode();
  await prepareBench();
  await prepareDatabaseProgram();
  return BENCH;
}

/**
 * The set-up of each project of jest.config.js: environment variables that pass the prepared
 * results to test files. Programs and packages that only one project needs are loaded only if it is
 * in the run.
 */
const SETUPS = {
  bench: { PREPARED_BENCH: bench },
  browser: {
    PLACEMENT_BROWSER: browser,
    PREPARED_DASHBOARD: prepareDashboard,
  },
  clients: { PLACEMENT_PYTHON: async () => (await import('./examples.mjs')).prepareExamples() },
  faults: { PLACEMENT_FAKE_CLOCK: async () => (await import('./programs.mjs')).findOrInstallFakeClock() },
  galera: { PREPARED_GALERA: galera },
  groupReplication: {
    PLACEMENT_DATABASE_PROGRAM: async () => (await import('./mysql.mjs')).prepareMysql(),
  },
  interop: {
    PREPARED_BENCH: bench,
    PREPARED_INTEROP: async () => (await import('../../scripts/setup/system.mjs')).preparePlacement(),
  },
  keystone: { PREPARED_KEYSTONE: async () => (await import('./programs.mjs')).prepareKeystone() },
  nova: {
    PREPARED_GABBI: async () => (await import('./nova.mjs')).requireGabbi(),
    PREPARED_OSC_PLACEMENT: async () => (await import('./nova.mjs')).requireOscPlacement(),
    PREPARED_NOVA_TESTS: async () => (await import('./nova.mjs')).requireNovaTests(),
    PREPARED_NOVA: async () => (await import('./nova.mjs')).requireNova(),
  },
  package: {
    PLACEMENT_BROWSER: browser,
    PREPARED_BARE_DEBIAN: async () => (await import('./debian.mjs')).prepareBareDebian(),
    PLACEMENT_DEBIAN: async () => (await import('./debian.mjs')).prepareDebian(),
  },
  soak: { PREPARED_GALERA: galera },
  upgrade: { PLACEMENT_RELEASE: async () => (await import('./release.mjs')).prepareRelease() },
};

async function browser() {
  return (await import('./programs.mjs')).prepareBrowser();
}

async function galera() {
  const { provider, scripts } = await (await import('./programs.mjs')).prepareGalera();
  return JSON.stringify({ provider, scripts });
}

/** Projects without a database server. */
const WITHOUT_DATABASE = ['bench', 'keystone'];

/** Prepares one project. Jest calls it once for each project that has a test file in the run. */
export default async function prepare(_globalConfig, { displayName: { name } }) {
  for (const [variable, work] of Object.entries(SETUPS[name] ?? {}))
    await record(variable, () => alone(work));
  if (name === 'package') await (await import('./packages.mjs')).default(record);
  if (!WITHOUT_DATABASE.includes(name)) await record('PLACEMENT_TEST_SERVER_URL', startDatabase);
}

/**
 * Records a failure for the test files that need the result (test/support/prepared.ts): an error that Jest catches here
 * would end the whole run.
 */
async function record(variable, work) {
  if (process.env[`${variable}_FAILED`] !== undefined) return;
  try {
    process.env[variable] = (await work()) ?? '';
  } catch (error) {
    console.error(error.message);
    process.env[`${variable}_FAILED`] = error.message;
  }
}
