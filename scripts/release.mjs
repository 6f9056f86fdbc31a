// npm run release: builds what is published of the version whose tag this commit has, in release/. Publishes nothing.
import { command } from './setup/prepare.mjs';
import { release } from './delivery/release.mjs';

await command(async () => console.log(await release()));
