import { prepareExamples } from '../../scripts/setup/examples.mjs';
import { alone } from '../../scripts/setup/alone.mjs';
import startDatabase from './database.mjs';

/** Compiles the examples of clients, and tells test files by PLACEMENT_PYTHON which Python runs theirs; starts the database, too. */
export default async function prepare() {
  process.env.PLACEMENT_PYTHON = await alone(prepareExamples);
  await startDatabase();
}
