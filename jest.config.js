import { availableParallelism } from 'node:os';

process.env.NODE_ENV = 'production'; // otherwise graphql-js checks every type at every step; users run it so, too
process.env.TZ = 'UTC'; // the connector reads datetimes in the zone of the process, and the tables hold UTC

/** Three more than the cores: many tests wait for processes, databases and time limits. */
const WORKERS = availableParallelism() + 3;

const setup = (name) => `<rootDir>/test/setup/${name}.mjs`;

/** A project, whose name selects its set-up in test/setup/global.mjs. */
const project = (displayName, ...testMatch) => ({
  displayName,
  testEnvironment: setup('environment'),
  cacheDirectory: '<rootDir>/.cache/jest',
  roots: ['<rootDir>/src', '<rootDir>/bench', '<rootDir>/test'],
  testMatch: testMatch.map((folders) => `<rootDir>/test/${folders}/**/*.test.ts`),
  extensionsToTreatAsEsm: ['.ts'],
  runtime: setup('runtime'),
  transform: {},
  ...(displayName !== 'unit' && {
    globalSetup: setup(
      ['bench', 'browser', 'clients'].includes(displayName) ? `projects/${displayName}` : 'global',
    ),
    globalTeardown: setup('stopDatabase'),
  }),
});

/** Suites that take minutes or need rare packages, and so run alone: `npm run test:faults`. Each is a folder of test/. */
const SUITES = [
  'faults',
  'galera',
  'groupReplication',
  'interop',
  'keystone',
  'nova',
  'package',
  'peers',
  'fleetFiles',
  'soak',
  'upgrade',
];
const suite = process.env.PLACEMENT_SUITE;
if (suite && !SUITES.includes(suite))
  throw new Error(`PLACEMENT_SUITE must be one of ${SUITES.join(', ')}: ${suite}`);

/** Jest runs the set-ups of the projects that have a test file in the run. Other folders than these have a database. */
const FOLDERS = {
  unit: ['authentication', 'dashboardParts', 'delivery', 'docs', 'engine', 'mutations', 'operations'],
  bench: ['bench'],
  browser: ['browser', 'dashboard'],
  clients: ['clients'],
};
const others = [...Object.values(FOLDERS).flat(), ...SUITES].join('|');

const common = {
  reporters: ['default', setup('reporter')],
  // a failed test may leave a process behind, whose end the run would wait for
  forceExit: true,
};

/** @type {import('jest').Config} */
export default suite
  ? {
      ...common,
      testTimeout: 120_000,
      maxWorkers: 1,
      projects: [project(suite, suite)],
    }
  : {
      ...common,
      testTimeout: 60_000,
      maxWorkers: WORKERS,
      workerIdleMemoryLimit: '1GB', // also keeps watched tests in processes of their own, which read changed sources
      testSequencer: setup('longestFirst'),
      projects: [
        ...Object.entries(FOLDERS).map(([name, folders]) => project(name, ...folders)),
        project('database', `!(${others})`),
      ],
    };
