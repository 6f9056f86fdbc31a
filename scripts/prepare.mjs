// Run by other npm scripts before the tool that they name: packages and generated code, so that it works in a fresh checkout.
import { prepare } from './setup/prepare.mjs';
import { prepareSources } from './setup/project.mjs';

await prepare(prepareSources);
