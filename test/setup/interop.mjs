import { alone } from '../../scripts/setup/alone.mjs';
import { preparePlacement } from '../../scripts/setup/system.mjs';
import startDatabase from './database.mjs';

/** Sees to it that there is OpenStack Placement; starts the database, too. */
export default async function prepare() {
  await alone(preparePlacement);
  await startDatabase();
}
