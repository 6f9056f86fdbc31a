// npm start: installs and compiles what is missing (packages, code, a database program) and serves.
// Plain Node without packages. Options go to the serve command: npm start -- --port 4001. Fills an empty database
// with demo data, unless --empty is among them.
import { nodeIsRecent } from './setup/node.mjs';

if (nodeIsRecent()) void import('./setup/start.mjs').then(({ start }) => start(process.argv.slice(2)));
