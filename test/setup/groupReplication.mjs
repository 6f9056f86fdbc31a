import { alone } from '../../scripts/setup/alone.mjs';
import { prepareMysql } from '../../scripts/setup/mysql.mjs';
import startDatabase from './database.mjs';

/** Sees to it that there is MySQL; starts a database of it, too, and ends what a killed run left. */
export default async function prepare() {
  process.env.PLACEMENT_DATABASE_PROGRAM = await alone(prepareMysql);
  await startDatabase();
}
