// Run by other npm scripts: installs the packages of every folder, so that a tool works in a fresh checkout.
import { prepare } from './setup/prepare.mjs';
import { prepareSources } from './setup/project.mjs';

await prepare(prepareSources);
