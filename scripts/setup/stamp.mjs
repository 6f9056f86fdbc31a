import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

/**
 * Runs work whose result depends only on the content of some files and folders of the checkout.
 * Skips the work if the stamp records the same content. `stamp` is a path inside the result, so
 * that removing the result also removes the stamp.
 */
export async function whenChanged(stamp, sources, work) {
  const content = hashOf(sources);
  if (readStamp(stamp) === content) return;
  await work();
  writeStamp(stamp, content);
}

export function readStamp(stamp) {
  const path = join(root, stamp);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Replaces the file, which a copy of the checkout may share by a hard link. */
export function writeStamp(stamp, content) {
  const path = join(root, stamp);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, content);
}

export function hashOf(sources) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function filesOf(source) {
  const path = join(root, source);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [source];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isFile() ? [join(source, entry.name)] : filesOf(join(source, entry.name))));
}
