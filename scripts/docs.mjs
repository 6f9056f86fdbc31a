// npm run docs: builds the documents as a site in site/.
import { preparePackagesOf } from './setup/packages.mjs';
import { command, prepare } from './setup/prepare.mjs';
import { mustRun } from './setup/run.mjs';

await prepare(() => preparePackagesOf('docs'));
await command(() => mustRun('docs/node_modules/.bin/vitepress', ['build', 'docs']));
console.log('site/index.html');
