import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

/** Files whose size does not tell that they take long, the longest first. */
const LONG = [
  'model/mutationSequences',
  'backup/backup',
  'bench/bench',
  'cli/migrateInventory',
  'client/commands',
  'transfer/import',
  'engine/oracleProperty',
  'engine/learningProperty',
  'api/conformance',
  'races/kill',
  'races/freshness',
  'backup/online',
  'workers/kill',
  'workers/rolling',
  'engine/explanationProperty',
].map((name) => fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)));

/** Jest's order, but with what takes long at the start: a long file that is begun last keeps one core busy, and the others wait for it. */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const unknown = LONG.find((path) => !existsSync(path));
    if (unknown !== undefined) throw new Error(`there is no ${unknown}: correct test/setup/longestFirst.mjs`);
    const rank = ({ path }) => (LONG.includes(path) ? LONG.indexOf(path) : LONG.length);
    return [...(await super.sort(tests))].sort((one, other) => rank(one) - rank(other));
  }
}
