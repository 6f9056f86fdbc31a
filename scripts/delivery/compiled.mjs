import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/run.mjs';

/** Removes from dist/ what was compiled from sources that are not there any more: the compiler leaves it. */
export function removeStaleOutput() {
  for (const file of readdirSync(join(root, 'dist'), { recursive: true })) {
    if (file.startsWith('dashboard/')) continue; // its builder empties the folder itself
    const [, name] = /^(.*?)(?:\.d\.ts|\.js|\.js\.map)$/.exec(file) ?? [];
    if (name !== undefined && !existsSync(join(root, 'src', `${name}.ts`))) rmSync(join(root, 'dist', file));
  }
}
