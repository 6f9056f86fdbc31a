import { availableParallelism } from 'node:os';

process.env.NODE_ENV = 'production'; // graphql-js checks every type at every step otherwise; users run it so, too
process.env.TZ = 'UTC'; // the connector reads datetimes in the zone of the process, and the tables hold UTC

/** One more than there are cores: many tests wait for processes and databases rather than compute. */
const WORKERS = availableParallelism() + 1;

/**
 * Of a worker's heap after a test file; one that has more is replaced. Node 20 keeps every module of every test file that a process
 * has run, some 30 MB of each that starts a server: collecting garbage among that came to cost more than the tests.
 */
const WORKER_HEAP = '400MB';

const common = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/bench', '<rootDir>/test'],
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
};
const setup = (name) => `<rootDir>/test/setup/${name}.mjs`;
const withDatabase = { ...common, globalTeardown: setup('stopDatabase') };

/**
 * What takes minutes, or packages that little else needs, and so is not in an ordinary run: each is a folder of that name with a
 * set-up of that name. PLACEMENT_SUITE names one, and the run is of that alone: `npm run test:faults`.
 */
const SUITES = ['faults', 'galera', 'groupReplication', 'interop', 'keystone', 'package', 'soak', 'upgrade'];
const suite = process.env.PLACEMENT_SUITE;
if (suite && !SUITES.includes(suite))
  throw new Error(`PLACEMENT_SUITE is none of ${SUITES.join(', ')}: ${suite}`);

/**
 * One project for each kind of preparation. Jest runs the set-up of those alone that have a test file in the run, so that a run
 * prepares only what its files need. A folder that is not named here gets a database.
 */
const ordinary = [
  { ...common, testMatch: ['<rootDir>/test/{authentication,delivery,engine,operations,docs}/**/*.test.ts'] },
  { ...common, testMatch: ['<rootDir>/test/bench/**/*.test.ts'], globalSetup: setup('bench') },
  {
    ...withDatabase,
    testMatch: ['<rootDir>/test/{browser,dashboard}/**/*.test.ts'],
    globalSetup: setup('browser'),
  },
  { ...withDatabase, testMatch: ['<rootDir>/test/clients/**/*.test.ts'], globalSetup: setup('clients') },
  {
    ...withDatabase,
    testMatch: [
      `<rootDir>/test/!(authentication|delivery|engine|operations|docs|bench|browser|clients|dashboard|${SUITES.join('|')})/**/*.test.ts`,
    ],
    globalSetup: setup('database'),
  },
];

/** @type {import('jest').Config} */
export default suite
  ? {
      testTimeout: 120_000,
      maxWorkers: 1,
      // a failed test may leave a process that it has started, whose end the run would wait for
      forceExit: true,
      projects: [
        {
          ...withDatabase,
          testMatch: [`<rootDir>/test/${suite}/**/*.test.ts`],
          globalSetup: setup(suite),
        },
      ],
    }
  : {
      testTimeout: 30_000,
      maxWorkers: WORKERS,
      workerIdleMemoryLimit: WORKER_HEAP,
      testSequencer: setup('longestFirst'),
      projects: ordinary,
    };
