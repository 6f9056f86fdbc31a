import { availableParallelism } from 'node:os';

process.env.NODE_ENV = 'production'; // otherwise graphql-js checks every type at every step; users run it so, too
process.env.TZ = 'UTC'; // the connector reads datetimes in the zone of the process, and the tables hold UTC

/** One more than the cores: many tests wait for processes and databases. */
const WORKERS = availableParallelism() + 1;

/**
 * A worker with a larger heap after a test file is replaced. Node 20 keeps every module of every test file that a process
 * has run, 30 MB for each that starts a server, and collecting garbage would cost more than the tests.
 */
const WORKER_HEAP = '400MB';

const setup = (name) => `<rootDir>/test/setup/${name}.mjs`;

/** A project, whose name selects its set-up in test/setup/global.mjs. */
const project = (displayName, ...testMatch) => ({
  displayName,
  testEnvironment: 'node',
  cacheDirectory: '<rootDir>/.cache/jest',
  roots: ['<rootDir>/src', '<rootDir>/bench', '<rootDir>/test'],
  testMatch: testMatch.map((folders) => `<rootDir>/test/${folders}/**/*.test.ts`),
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  ...(displayName !== 'unit' && {
    globalSetup: setup(
      ['bench', 'browser', 'clients'].includes(displayName) ? `projects/${displayName}` : 'global',
    ),
    globalTeardown: setup('stopDatabase'),
  }),
});

/** Suites that take minutes or need rare packages, and so run alone: `npm run test:faults`. Each is a folder of test/. */
const SUITES = ['faults', 'galera', 'groupReplication', 'interop', 'keystone', 'package', 'soak', 'upgrade'];
const suite = process.env.PLACEMENT_SUITE;
if (suite && !SUITES.includes(suite))
  throw new Error(`PLACEMENT_SUITE must be one of ${SUITES.join(', ')}: ${suite}`);

/** Jest runs the set-ups of the projects that have a test file in the run. Other folders than these have a database. */
const FOLDERS = {
  unit: ['authentication', 'delivery', 'engine', 'operations', 'docs'],
  bench: ['bench'],
  browser: ['browser', 'dashboard'],
  clients: ['clients'],
};
const others = [...Object.values(FOLDERS).flat(), ...SUITES].join('|');

const reporters = ['default', setup('reporter')];

/** @type {import('jest').Config} */
export default suite
  ? {
      testTimeout: 120_000,
      maxWorkers: 1,
      // a failed test may leave a process behind, whose end the run would wait for
      forceExit: true,
      reporters,
      projects: [project(suite, suite)],
    }
  : {
      testTimeout: 30_000,
      maxWorkers: WORKERS,
      workerIdleMemoryLimit: WORKER_HEAP,
      testSequencer: setup('longestFirst'),
      reporters,
      projects: [
        ...Object.entries(FOLDERS).map(([name, folders]) => project(name, ...folders)),
        project('database', `!(${others})`),
      ],
    };
