import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceName } from '../../src/command/fleetSources/sources.js';
import { picture, read } from '../fleets/support.js';

/** A folder with a checkout of each project, or with the files that the tests name, in a folder of its name. */
const folder = process.env.FLEET_FILES;
if (folder === undefined || !existsSync(folder))
  throw new Error('FLEET_FILES must name a folder with the public files that this suite reads');

/** Reads files of `FLEET_FILES`, by their names without folders. */
export function texts(...paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    paths.map((path) => [path.replace(/^.*\//, ''), readFileSync(join(folder!, path), 'utf8')]),
  );
}

export const pictures = async (source: SourceName, ...paths: string[]): Promise<string[]> =>
  (await read(source, texts(...paths))).map(picture);

/** Reads a table by a mapping. */
export const mapped = async (mapping: string, path: string): Promise<string[]> =>
  (await read('csv', texts(path), { mapping: { name: 'mapping.yaml', text: mapping } })).map(picture);
