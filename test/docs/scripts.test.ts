import { expect, test } from '@jest/globals';
import { filesIn, read } from './pages.js';

// What runs before the compiler does, or beside it, imports compiled files: the type check does not see these imports.
const IMPORT = /\{([^{}]*)\} (?:= await import\(|from )'[./]*\/dist\/([^']+)\.js'/g;

interface Import {
  readonly importer: string;
  readonly source: string;
  readonly name: string;
}

function importsOf(importer: string): Import[] {
  return [...read(importer).matchAll(IMPORT)].flatMap(([, names, file]) =>
    names.split(',').map((name) => ({ importer, source: `src/${file}.ts`, name: name.trim() })),
  );
}

const imports = ['scripts', 'test'].flatMap((folder) => filesIn(folder, /\.(ts|mjs)$/)).flatMap(importsOf);

test('the scripts import compiled files', () => {
  expect(imports.length).toBeGreaterThan(5);
});

test.each(imports)('$importer imports $name, which $source exports', ({ source, name }) => {
  const isExported = new RegExp(`^export (async )?(abstract )?(function|class|const|let) ${name}\\b`, 'm');
  expect(read(source)).toMatch(isExported);
});
