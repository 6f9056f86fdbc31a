process.env.NODE_ENV = 'production'; // graphql-js checks every type at every step otherwise; users run it so, too
process.env.TZ = 'UTC'; // the connector reads datetimes in the zone of the process, and the tables hold UTC

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

/** What takes minutes and a machine of its own is not in an ordinary run: `npm run test:faults`. */
const faults = {
  ...withDatabase,
  testMatch: ['<rootDir>/test/faults/**/*.test.ts'],
  globalSetup: setup('database'),
};

/** Installs OpenStack Placement, so it is not in an ordinary run: `npm run test:interop`. */
const interop = {
  ...withDatabase,
  testMatch: ['<rootDir>/test/interop/**/*.test.ts'],
  globalSetup: setup('interop'),
};

/** Fetches MySQL and starts groups of three servers, so it is not in an ordinary run: `npm run test:group-replication`. */
const groupReplication = {
  ...common,
  testMatch: ['<rootDir>/test/groupReplication/**/*.test.ts'],
  globalSetup: setup('groupReplication'),
};

/**
 * One project for each kind of preparation. Jest runs the set-up of those alone that have a test file in the run, so that a run
 * prepares only what its files need. A folder that is not named here gets a database.
 * @type {import('jest').Config}
 */
export default {
  testTimeout: 30_000,
  maxWorkers: '100%',
  projects: [
    { ...common, testMatch: ['<rootDir>/test/{engine,operations,docs}/**/*.test.ts'] },
    { ...common, testMatch: ['<rootDir>/test/bench/**/*.test.ts'], globalSetup: setup('bench') },
    { ...withDatabase, testMatch: ['<rootDir>/test/browser/**/*.test.ts'], globalSetup: setup('browser') },
    {
      ...withDatabase,
      testMatch: [
        '<rootDir>/test/!(engine|operations|docs|bench|browser|faults|galera|groupReplication|interop)/**/*.test.ts',
      ],
      globalSetup: setup('database'),
    },
    ...(process.env.PLACEMENT_FAULTS ? [faults] : []),
    ...(process.env.PLACEMENT_INTEROP ? [interop] : []),
    ...(process.env.PLACEMENT_SUITE === 'groupReplication' ? [groupReplication] : []),
  ],
};
