// npm run test:galera: the tests that take a cluster of three Galera nodes, which they start on this machine. Options go to Jest.
import { nodeIsRecent } from './setup/node.mjs';

if (nodeIsRecent()) {
  import('./setup/galera.mjs').then(({ testGalera }) => testGalera(process.argv.slice(2)));
}
