import { alone } from '../../scripts/setup/alone.mjs';
import { prepareRelease } from '../../scripts/setup/release.mjs';
import startDatabase from './database.mjs';

/** Tells test files by PLACEMENT_RELEASE where the last release is, if it can be built; starts the database, too. */
export default async function prepare() {
  process.env.PLACEMENT_RELEASE = (await alone(prepareRelease)) ?? '';
  await startDatabase();
}
