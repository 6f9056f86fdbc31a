import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';
import { whenChanged } from './stamp.mjs';

const COMMAND_LINE = {
  operations: 'src/cli/client/operations',
  output: 'src/generated/client',
  documentMode: 'string',
};

const VIEWS = 'dashboard/views';

/**
 * Writes the operations of the command line and of each view of the dashboard, as documents that know the types of their variables
 * and of their answers, from schema.graphql. An operation that does not fit the schema is an Error.
 */
export async function generateClients() {
  await generateClient(COMMAND_LINE);
  for (const view of readdirSync(join(root, VIEWS))) await generateClient(dashboardClient(view));
}

/** The dashboard's cache reads documents, so that they come parsed. */
function dashboardClient(view) {
  return {
    operations: `${VIEWS}/${view}`,
    output: `dashboard/generated/${view}`,
    documentMode: 'documentNode',
  };
}

function generateClient(client) {
  const { operations, output } = client;
  const files = readdirSync(join(root, operations))
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => join(operations, file));
  const sources = ['schema.graphql', ...files, 'package-lock.json', 'scripts/setup/clientTypes.mjs'];
  return whenChanged(`${output}/.made-from`, sources, () => write(client, files));
}

async function write({ output, documentMode }, files) {
  const [{ parse }, { codegen }, operations, documents] = await Promise.all([
    import('graphql'),
    import('@graphql-codegen/core'),
    import('@graphql-codegen/typescript-operations'),
    import('@graphql-codegen/typed-document-node'),
  ]);
  const read = (path) => parse(readFileSync(join(root, path), 'utf8'));
  const text = await codegen({
    filename: `${output}/operations.ts`,
    schema: read('schema.graphql'),
    documents: files.map((file) => ({ location: file, document: read(file) })),
    config: {
      documentMode,
      scalars: { UUID: 'string', DateTime: 'string', SafeInt: 'number' },
      useTypeImports: true,
    },
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents },
  });
  mkdirSync(join(root, output), { recursive: true });
  writeFileSync(join(root, output, 'operations.ts'), text);
}
