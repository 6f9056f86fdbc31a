import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

// What runs before the compiler does, or beside it, imports compiled files: the type check does not see these imports.
const IMPORT = /\{([^{}]*)\} (?:= await import\(|from )'[./]*\/dist\/([^']+)\.js'/g;

const root = new URL('../../', import.meta.url);

interface Import {
  readonly importer: string;
  readonly source: string;
  readonly name: string;
}

function importsOf(importer: string): Import[] {
  const text = readFileSync(new URL(importer, root), 'utf8');
  return [...text.matchAll(IMPORT)].flatMap(([, names, file]) =>
    names.split(',').map((name) => ({ importer, source: `src/${file}.ts`, name: name.trim() })),
  );
}

const imports = ['scripts', 'test']
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules'))
  .flatMap(importsOf);

test('there are imports of compiled files', () => {
  expect(imports.length).toBeGreaterThan(5);
});

test.each(imports)('$importer imports $name, which $source exports', ({ source, name }) => {
  const file = new URL(source, root);
  expect(existsSync(file)).toBe(true);
  const isExported = new RegExp(`^export (async )?(abstract )?(function|class|const|let) ${name}\\b`, 'm');
  expect(readFileSync(file, 'utf8')).toMatch(isExported);
});
