// npm run generate: writes the code generated from prisma/schema.prisma (src/generated/prisma, tables.ts) and, from
// schema.graphql, the operations of the command line and of the dashboard with their types (src/generated/client,
// dashboard/generated) and the JSON schemas of the command line's files (schemas). The result is checked in. An
// operation that does not fit the schema fails.
//
//   npm run generate [-- --check]     --check writes nothing; it fails if a file is out of date
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparePackages } from './setup/packages.mjs';
import { command, prepare } from './setup/prepare.mjs';
import { mustRun, root, withFolder } from './setup/run.mjs';

const FOLDERS = ['src/generated', 'dashboard/generated', 'schemas'];
const VIEWS = 'dashboard/views';

await prepare(preparePackages);
await command(process.argv.includes('--check') ? check : () => generate(root));

function check() {
  return withFolder('placement-generated-', async (copy) => {
    cpSync(join(root, 'prisma/schema.prisma'), join(copy, 'prisma/schema.prisma'), { recursive: true });
    await generate(copy);
    const text = (folder, file) =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : null;
    const files = new Set([copy, root].flatMap(filesIn));
    const stale = [...files].filter((file) => text(copy, file) !== text(root, file));
    if (stale.length > 0) throw new Error(`out of date, run npm run generate:\n${stale.join('\n')}`);
  });
}

function filesIn(target) {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(target, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(join(target, '/').length)),
  );
}

async function generate(target) {
  const schema = join(target, 'prisma/schema.prisma');
  await prisma('validate', schema);
  for (const folder of FOLDERS) rmSync(join(target, folder), { recursive: true, force: true });
  await prisma('generate', schema);
  await generateOperations(target, 'src/command/operations', 'src/generated/client', 'string');
  // the dashboard parses its documents: a parsed one would be four times as long
  for (const view of readdirSync(join(root, VIEWS)))
    await generateOperations(target, `${VIEWS}/${view}`, `dashboard/generated/${view}`, 'graphQLTag');
  const { fileSchemas } = await import('./setup/fileSchemas.mjs');
  mkdirSync(join(target, 'schemas'), { recursive: true });
  for (const { name, text } of fileSchemas(readFileSync(join(root, 'schema.graphql'), 'utf8')))
    writeFileSync(join(target, 'schemas', name), text);
}

/**
 * Prisma insists on a schema engine but does not run it for these two commands: any existing file will do. The variable
 * is set only for them, because `prisma migrate` would believe it and do nothing.
 */
function prisma(command, schema) {
  const environment = {
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  const program = join(root, 'node_modules/prisma/build/index.js');
  return mustRun(process.execPath, [program, command, '--schema', schema], environment);
}

/** Writes the operations of a folder as documents that know the types of their variables and results. */
async function generateOperations(target, folder, output, documentMode) {
  const [{ parse }, { codegen }, operations, documents] = await Promise.all([
    import('graphql'),
    import('@graphql-codegen/core'),
    import('@graphql-codegen/typescript-operations'),
    import('@graphql-codegen/typed-document-node'),
  ]);
  const read = (path) => parse(readFileSync(join(root, path), 'utf8'));
  const files = readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => join(folder, file));
  const text = await codegen({
    filename: `${output}/operations.ts`,
    schema: read('schema.graphql'),
    documents: files.map((file) => ({ location: file, document: read(file) })),
    config: {
      documentMode,
      gqlImport: '@urql/core#gql',
      scalars: { UUID: 'string', DateTime: 'string', SafeInt: 'number' },
      useTypeImports: true,
    },
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents },
  });
  mkdirSync(join(target, output), { recursive: true });
  writeFileSync(join(target, output, 'operations.ts'), text);
}
