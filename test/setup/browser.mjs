import { alone } from '../../scripts/setup/alone.mjs';
import { prepareBrowser } from '../../scripts/setup/system.mjs';
import startDatabase from './database.mjs';

/** Sees to it that there is a browser, and tells test files where by PLACEMENT_BROWSER; starts the database, too. */
export default async function prepare() {
  process.env.PLACEMENT_BROWSER = await alone(prepareBrowser);
  await startDatabase();
}
