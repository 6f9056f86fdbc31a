import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

/**
 * Does work whose result depends on the content of some files and folders of the checkout alone, unless the stamp in
 * the result says that it was made from the same content. `stamp` is a path inside the result, so that removing the
 * result removes the stamp.
 */
export async function whenChanged(stamp, sources, work) {
  const path = join(root, stamp);
  const content = hashOf(sources);
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return;
  await work();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function hashOf(sources) {
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
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(source, name)));
}
