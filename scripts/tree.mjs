// npm run build:tree -- FOLDER: builds the package and all its dependencies but Node in an empty
// folder, as in containers.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { command } from './setup/prepare.mjs';
import { installInto, packInto } from './delivery/tree.mjs';

await command(async () => {
  const [, , folder] = process.argv;
  if (folder === undefined || (existsSync(folder) && readdirSync(folder).length > 0))
    throw new Error('name an empty folder: npm run build:tree -- FOLDER');
  const archive = await packInto(dirname(resolve(folder)));
  await installInto(resolve(folder), archive);
  rmSync(archive);
});
