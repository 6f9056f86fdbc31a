// Bundles the compiled server and its packages into a few files. Node starts them half a second
// faster, because it reads 70 files instead of 2,000.
//
//   node scripts/setup/bundle.mjs OUTPUT
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { root } from './run.mjs';

const output = resolve(root, process.argv[2]);

/** Returns an expression of the bundle for the URL of a file, because the checkout may be moved. */
const urlOf = (path) =>
  `new URL(${JSON.stringify(relative(output, resolve(root, path)))}, import.meta.url).href`;

/** The server finds files beside its sources by `import.meta.url`, which a bundle would change. */
const originalUrls = {
  name: 'original-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      return {
        contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', urlOf(path)),
        loader: 'js',
      };
    });
  },
};

await build({
  entryPoints: ['dist/main.js'],
  absWorkingDir: root,
  outdir: output,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  mainFields: ['module', 'main'], // graphql's ES modules: each use of a CommonJS export would be a call
  external: [
    '@vlasky/zongji', // optional, so it may be missing
    ...['pino', 'pino-pretty'], // start threads from files of their own
    ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'iconv-lite'], // large, loaded only if used
  ],
  banner: {
    js:
      "import { createRequire as requireFrom } from 'node:module'; " +
      `const require = requireFrom(${urlOf('package.json')});`,
  },
  plugins: [originalUrls],
  logLevel: 'warning',
});
