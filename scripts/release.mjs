// npm run release: builds the files of the tagged version in release/. Publishes nothing.
import { command } from './setup/prepare.mjs';
import { release } from './delivery/release.mjs';

await command(async () => console.log(await release()));
