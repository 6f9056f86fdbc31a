// npm run docs: builds the documentation as a site in site/.
import { prepare } from './setup/prepare.mjs';
import { preparePackages } from './setup/project.mjs';
import { mustRun } from './setup/run.mjs';

await prepare(preparePackages);
await mustRun('npx', ['vitepress', 'build', 'docs']);
console.log('site/index.html');
