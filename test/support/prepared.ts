/**
 * Returns what the set-up of the test run has prepared (test/setup/global.mjs). Called at the top of a module, it makes a
 * failed set-up one failure of each test file that imports the module.
 */
export function prepared(variable: string): string {
  const failure = process.env[`${variable}_FAILED`];
  if (failure !== undefined) throw new Error(`the set-up of this test failed: ${failure}`);
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set: jest.config.js does not prepare it here`);
  return value;
}
