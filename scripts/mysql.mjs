// npm run test:mysql: all tests but those in the browser on MySQL, which is fetched for it. Options go to Jest.
import { nodeIsRecent } from './setup/node.mjs';

if (nodeIsRecent()) {
  import('./setup/mysql.mjs').then(({ testMysql }) => testMysql(process.argv.slice(2)));
}
