// npm run build:deb: makes release/placement-graphql_VERSION_all.deb, for Debian and Ubuntu.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './delivery/command.mjs';
import { buildDeb } from './delivery/deb.mjs';
import { packInto } from './delivery/tree.mjs';
import { root } from './setup/run.mjs';

await command(async () => {
  const archive = await packInto(join(root, 'release'));
  console.log(await buildDeb(archive, join(root, 'release')));
  rmSync(archive);
});
