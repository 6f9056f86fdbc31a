/**
 * Returns the environment of programs that a test starts. It contains no settings of the user,
 * except the database program.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, PLACEMENT_DATABASE_PROGRAM } = process.env;
  return { PATH, ...(PLACEMENT_DATABASE_PROGRAM !== undefined && { PLACEMENT_DATABASE_PROGRAM }) };
}
