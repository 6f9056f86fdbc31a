import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

/** Files that take long although they are small, the longest first. */
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
  'attack/attack',
  'races/freshness',
  'backup/online',
  'workers/kill',
  'workers/rolling',
  'engine/explanationProperty',
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
