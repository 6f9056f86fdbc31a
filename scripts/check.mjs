// npm run check: every check but the tests.
import { endWith, runChecks } from './setup/checks.mjs';
import { prepare } from './setup/prepare.mjs';
import { prepareSources } from './setup/project.mjs';

await prepare(prepareSources);
const sum = { passed: 0, failed: 0 };
await runChecks(sum);
endWith(sum);
