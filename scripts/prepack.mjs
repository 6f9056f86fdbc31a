// Run by npm before it packs the package: compiles it, and writes npm-shrinkwrap.json, which scripts/postpack.mjs removes.
import { removeStaleOutput } from './delivery/compiled.mjs';
import { writeShrinkwrap } from './delivery/shrinkwrap.mjs';
import { prepare } from './setup/prepare.mjs';
import { prepareProject } from './setup/project.mjs';

await prepare(prepareProject, removeStaleOutput, writeShrinkwrap);
