import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TESTS = new URL('../', import.meta.url).href;
const CACHE = join(ROOT, '.cache/tests');
const GLOBALS = new URL('globals.mjs', import.meta.url).href;

/** Returns the path of the compiled code (with `.js`) and of its source map (with `.map`). */
export const compiledPath = (file) => join(CACHE, relative(ROOT, file));

const isFile = (url) => statSync(url, { throwIfNoEntry: false })?.isFile() ?? false;

/**
 * Node's hook that resolves imports: TypeScript files are imported by their names in JavaScript. Modules of test/ take the
 * query of the importing test file, so that each test file has its own instances: they may register hooks of Jest.
 */
export function resolve(specifier, context, next) {
  const { parentURL } = context;
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  if (!specifier.startsWith('.') || !parentURL?.startsWith('file:') || parentURL.includes('/node_modules/'))
    return next(specifier, context);
  const url = new URL(specifier, parentURL);
  const names = [url.href.replace(/\.js$/, '.ts'), `${url.href}.ts`]; // the dashboard's imports have no ending
  const { href } = names.map((name) => new URL(name)).find(isFile) ?? url;
  return { url: href.startsWith(TESTS) ? href + new URL(parentURL).search : href, shortCircuit: true };
}

/** Node's hook that reads modules: compiles TypeScript. */
export function load(url, context, next) {
  const [address] = url.split('?');
  if (!address.startsWith('file:') || !address.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: compile(fileURLToPath(address)), shortCircuit: true };
}

function compile(file) {
  const path = compiledPath(file);
  const compiled = statSync(`${path}.js`, { throwIfNoEntry: false });
  if (compiled && compiled.mtimeMs > statSync(file).mtimeMs) return readFileSync(`${path}.js`, 'utf8');
  const { code, map } = transformSync(readFileSync(file, 'utf8'), {
    filename: file,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
    sourceMaps: true,
  });
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(`${path}.map`, map);
  replaceFile(`${path}.js`, code);
  return code;
}

/** Replaces the file atomically: other workers may read it. */
function replaceFile(path, text) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}
