// npm run build:package: builds release/placement-graphql-VERSION.tgz, the package that npm publishes.
// npm run build:deb: builds release/placement-graphql_VERSION_all.deb from it, for Debian and Ubuntu.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildDeb } from './delivery/deb.mjs';
import { packInto } from './delivery/tree.mjs';
import { command } from './setup/prepare.mjs';
import { root } from './setup/run.mjs';

await command(async () => {
  const archive = await packInto(join(root, 'release'));
  if (process.argv.includes('--npm')) return console.log(archive);
  console.log(await buildDeb(archive, join(root, 'release')));
  rmSync(archive);
});
