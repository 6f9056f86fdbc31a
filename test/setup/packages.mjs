import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildDeb } from '../../scripts/delivery/deb.mjs';
import { packInto } from '../../scripts/delivery/tree.mjs';
import { root } from '../../scripts/setup/run.mjs';

const FOLDER = join(root, '.cache/package');

/** Builds the packages. Does not lock the checkout, because packing locks it itself. */
export default async function buildPackages(record) {
  rmSync(FOLDER, { recursive: true, force: true });
  await record('PLACEMENT_PACKAGE', () => packInto(FOLDER));
  await record('PLACEMENT_DEB', () => buildDeb(process.env.PLACEMENT_PACKAGE, FOLDER));
}
