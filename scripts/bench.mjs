// npm run bench: makes a fresh checkout ready in the same way as npm start, then measures the server.
// Plain Node without packages. Options go to the benchmark: npm run bench -- --hosts 1000,10000 --only q1,claims
import { nodeIsRecent } from './setup/node.mjs';

if (nodeIsRecent()) {
  import('./setup/bench.mjs').then(({ bench }) => bench(process.argv.slice(2)));
}
