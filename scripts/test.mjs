// npm test: makes a fresh checkout ready in the same way as npm start, then runs every check and all tests.
// Plain Node without packages. Options go to Jest, and then only Jest runs: npm test -- test/engine
import { nodeIsRecent } from './setup/node.mjs';

if (nodeIsRecent()) {
  import('./setup/test.mjs').then(({ test }) => test(process.argv.slice(2)));
}
