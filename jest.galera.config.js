import config from './jest.config.js';

/** The tests of `npm run test:galera`, which start their servers themselves. */
export default {
  ...config.projects[0],
  testMatch: ['<rootDir>/test/galera/**/*.test.ts'],
  testTimeout: 120_000,
  maxWorkers: 1,
};
