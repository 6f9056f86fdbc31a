// npm test: prepares the checkout like `npm start`, then runs every check and all tests, and reports the sum in its last line.
// Plain Node without packages.
//
//   npm test                       all checks, and all tests but ten long files; random tests at short lengths
//   npm test -- --full             everything, at full lengths
//   npm test -- PATH...            the test files whose path matches; all other options go to Jest, too
//   npm run check                  (--checks) the checks without the tests
//   npm run test:unit              (--unit) the tests that need no database
//   npm run test:NAME              (--suite=NAME) a suite that is not part of npm test
import { nodeIsRecent } from '../scripts/setup/node.mjs';

if (nodeIsRecent()) void import('./setup/run.mjs').then(({ run }) => run(process.argv.slice(2)));
