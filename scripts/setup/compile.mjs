// Compiles src/ into dist/ without checking types, and removes the output of sources that no longer exist.
//
//   node scripts/setup/compile.mjs [--watch]
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { context } from 'esbuild';
import { root } from './run.mjs';

const SOURCE = join(root, 'src');
const OUTPUT = join(root, 'dist');

const compiler = await context({
  entryPoints: ['src/**/*.ts'],
  absWorkingDir: root,
  outdir: 'dist',
  format: 'esm',
  platform: 'node',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
});
await compiler.rebuild();
if (process.argv.includes('--watch')) await compiler.watch();
else await compiler.dispose();

for (const file of readdirSync(OUTPUT, { recursive: true })) {
  if (file.startsWith('dashboard/')) continue;
  const [, name] = /^(.*?)(?:\.d\.ts|\.js|\.js\.map)$/.exec(file) ?? [];
  if (name !== undefined && !existsSync(join(SOURCE, `${name}.ts`))) rmSync(join(OUTPUT, file));
}
