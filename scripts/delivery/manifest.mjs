import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package.json in a folder. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Writes a package.json without what nothing but a checkout needs. */
export function writeProductionManifest(folder, { ...manifest }) {
  delete manifest.scripts;
  delete manifest.devDependencies;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
