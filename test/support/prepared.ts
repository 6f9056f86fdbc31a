/**
 * Returns a result of the set-up of the test run (test/setup/global.mjs). If a module calls it at
 * its top, a failed set-up is one failure of each test file that imports the module.
 */
export function prepared(variable: string): string {
  const failure = process.env[`${variable}_FAILED`];
  if (failure !== undefined) throw new Error(`the set-up of this test failed: ${failure}`);
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set: jest.config.js does not prepare it here`);
  return value;
}
