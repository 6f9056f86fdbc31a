/** The environment of programs that a test starts: nothing of the settings of whoever runs the tests, but which database program there is. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, PLACEMENT_DATABASE_PROGRAM } = process.env;
  return { PATH, ...(PLACEMENT_DATABASE_PROGRAM !== undefined && { PLACEMENT_DATABASE_PROGRAM }) };
}
