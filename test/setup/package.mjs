import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildDeb } from '../../scripts/delivery/deb.mjs';
import { packInto } from '../../scripts/delivery/tree.mjs';
import { alone } from '../../scripts/setup/alone.mjs';
import { prepareDebian } from '../../scripts/setup/debian.mjs';
import { root } from '../../scripts/setup/run.mjs';
import startDatabase from './database.mjs';

const FOLDER = join(root, '.cache/package');

/** Sees to it that there is a Debian, builds the packages, and tells test files where; starts the database, too. */
export default async function prepare() {
  process.env.PLACEMENT_DEBIAN = await alone(prepareDebian);
  rmSync(FOLDER, { recursive: true, force: true });
  process.env.PLACEMENT_PACKAGE = await packInto(FOLDER);
  process.env.PLACEMENT_DEB = await buildDeb(process.env.PLACEMENT_PACKAGE, FOLDER);
  await startDatabase();
}
