import { expect, test } from '@jest/globals';
import { Failure } from '../../src/command/failure.js';
import type { SourceName } from '../../src/command/fleetSources/sources.js';
import { read } from './support.js';
import { SAMPLES } from './samples.js';

/** The number of mutated files of each format. */
const FILES = Number(process.env.PLACEMENT_FLEET_FILES ?? 200);
const SEED = Number(process.env.PLACEMENT_FLEET_SEED ?? Date.now() % 1_000_000);

/** A generator of numbers below `limit` (mulberry32). */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const INSERTED = [
  '0',
  '-1',
  '99999999999',
  '"',
  '<',
  '>',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\u0000',
  '€',
  'null',
  '[1-99]',
  '=',
  '&lt;',
  '1e999',
];

/** Changes a text in one to four places: cuts, repeats, removes, inserts or replaces. */
function mutated(text: string, random: (limit: number) => number): string {
  let result = text;
  for (let count = 1 + random(4); count > 0; count--) {
    const at = random(result.length + 1);
    const end = Math.min(result.length, at + random(40));
    const inserted = INSERTED[random(INSERTED.length)];
    const kinds = [
      () => result.slice(0, at),
      () => result.slice(0, at) + result.slice(end),
      () => result.slice(0, end) + result.slice(at),
      () => result.slice(0, at) + inserted + result.slice(at),
      () => result.slice(0, at) + inserted + result.slice(end),
      () => result.replace(/\d+/, inserted),
    ];
    result = kinds[random(kinds.length)]();
  }
  return result;
}

test.each(Object.keys(SAMPLES) as SourceName[])(
  'mutated files of %s give a tree or an error that names the file',
  async (source) => {
    const random = randomFrom(SEED);
    const names = Object.keys(SAMPLES[source]);
    let trees = 0;
    // the process has run other tests
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < FILES; count++) {
      const changed = names[random(names.length)];
      const texts = { ...SAMPLES[source], [changed]: mutated(SAMPLES[source][changed], random) };
      try {
        await read(source, texts, { host: source === 'nova' ? 'cn1' : undefined });
        trees++;
      } catch (error) {
        const about = `seed ${SEED}, file ${count}: ${String((error as Error).stack)}\n${texts[changed]}`;
        if (!(error instanceof Failure)) throw new Error(about, { cause: error });
        if (!names.some((name) => error.message.startsWith(name))) throw new Error(about, { cause: error });
      }
    }
    // the mutations are neither all harmless nor all fatal
    expect(trees).toBeGreaterThan(0);
    expect(trees).toBeLessThan(FILES);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(512 * 2 ** 20);
  },
);
