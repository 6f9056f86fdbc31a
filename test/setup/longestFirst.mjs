import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

/**
 * Files that take long although they are small: those that compute and those that wait for servers and time limits in
 * turn, so that both cores are in use while some workers wait.
 */
const LONG = [
  'database/limits',
  'http/health',
  'model/mutationSequences',
  'fuzz/fuzz',
  'placement/rememberedFleets',
  'rest/operations',
  'engine/makeRoomProperty',
  'backup/backup',
  'bench/bench',
  'dashboard/plans',
  'database/hosts',
  'client/compare',
  'cli/networkSettings',
  'cli/migrateInventory',
  'client/commands',
  'transfer/import',
  'runtime/serve',
  'engine/oracleProperty',
  'engine/learningProperty',
  'database/migrationLock',
  'races/kill',
  'attack/attack',
  'api/conformance',
  'ledger/silence',
  'races/freshness',
  'authentication/tokenFile',
  'backup/online',
  'dashboard/views',
  'workers/kill',
  'cli/doctor',
  'http/tls',
  'workers/rolling',
  'engine/explanationProperty',
  'browser/graphiql',
  'database/connecting',
  'dashboard/session',
  'api/unreadAnswer',
  'http/requests',
].map((name) => fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)));

/**
 * Jest's order, but long files come first. Otherwise a long file that starts last keeps one core
 * busy while the others wait.
 */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const unknown = LONG.find((path) => !existsSync(path));
    if (unknown !== undefined) throw new Error(`there is no ${unknown}: correct test/setup/longestFirst.mjs`);
    const rank = ({ path }) => (LONG.includes(path) ? LONG.indexOf(path) : LONG.length);
    return [...(await super.sort(tests))].sort((one, other) => rank(one) - rank(other));
  }
}
