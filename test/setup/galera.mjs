import { alone } from '../../scripts/setup/alone.mjs';
import { prepareGalera } from '../../scripts/setup/system.mjs';
import startDatabase from './database.mjs';

/** Sees to it that there is Galera, and tells test files where; starts the database, too, and ends what a killed run left. */
export default async function prepare() {
  const { provider, scripts } = await alone(prepareGalera);
  process.env.PLACEMENT_GALERA_PROVIDER = provider;
  process.env.PLACEMENT_GALERA_SCRIPTS = scripts;
  await startDatabase();
}
