import { alone } from '../../scripts/setup/alone.mjs';
import { findOrInstallFakeClock } from '../../scripts/setup/system.mjs';
import startDatabase from './database.mjs';

/** Tells test files by PLACEMENT_FAKE_CLOCK where libfaketime is, if it can be had; starts the database, too. */
export default async function prepare() {
  process.env.PLACEMENT_FAKE_CLOCK = (await alone(findOrInstallFakeClock)) ?? '';
  await startDatabase();
}
