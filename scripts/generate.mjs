// Validates prisma/schema.prisma and generates the Prisma client (src/generated/prisma) and the types of its tables and
// columns for hand-written SQL (src/generated/tables.ts); from schema.graphql the operations of the command line and of the
// dashboard with their types (src/generated/client, dashboard/generated), which fails where one does not fit the schema.
//
//   node scripts/generate.mjs [--without-client]
//
// Needs no network: Prisma insists on a schema engine file for these two commands but never runs it, so any
// existing file will do. The variable that names it is set for these commands alone: `prisma migrate` would
// believe it and do nothing. A client that is up to date is left as it is.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateClients } from './setup/clientTypes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const schema = join(root, 'prisma', 'schema.prisma');
const output = join(root, 'src', 'generated');
const stamp = join(output, '.made-from');

const made = fingerprint();
if (read(stamp) !== made) {
  prisma('validate');
  rmSync(output, { recursive: true, force: true });
  prisma('generate');
  writeFileSync(stamp, made);
}
if (!process.argv.includes('--without-client')) {
  await generateClients().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}

/** What the client depends on: the schema and Prisma's version. */
function fingerprint() {
  const version = JSON.parse(read(join(root, 'node_modules', 'prisma', 'package.json')) ?? '{}').version;
  return createHash('sha256')
    .update(`${version}\n${readFileSync(schema)}`)
    .digest('hex');
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function prisma(command) {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'prisma', 'build', 'index.js'), command, '--schema', schema],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
    },
  );
  if (status !== 0) {
    console.error(`prisma ${command} failed\n${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`);
    process.exit(1);
  }
}
