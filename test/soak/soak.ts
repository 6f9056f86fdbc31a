import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/store/database/database.js';
import type { Fault } from '../faults/faults.js';
import { Observation, residentMiB, type Observed } from '../faults/observation.js';
import { Random } from '../oracle/random.js';
import { audit } from '../races/audit.js';
import { MINUTES, SEED } from './settings.js';
import { Tally } from './tally.js';

/** What is soaked: writers, servers, and what can be made to fail. */
export interface Soaked extends Observed {
  /** The database when nothing fails, from beside the network. */
  readonly database: Database;
  /** Waits until whatever was taken away by a fault takes part again; writes may have gone on long before. */
  settle(): Promise<void>;
  endLoad(): Promise<void>;
  stop(): Promise<void>;
}

const START_MS = 180_000;

/** Between the end of a soak and its verdict: a fault that is under way, the end of the load, the replay of its history (ms). */
const MOST_AFTER_MS = 15 * 60_000;

/** Writers are at it for so long between two faults, at random up to (ms). */
const LONGEST_CALM_MS = 4_000;

/**
 * One test: faults in random order while writers never stop, each as often as any other; writes go on after each, and in the end
 * all acknowledged writes are stored.
 */
export function testSoak<Setting extends Soaked>(
  name: string,
  faults: readonly Fault<Setting>[],
  start: (random: Random) => Promise<Setting>,
): void {
  const random = new Random(SEED);
  let setting: Setting;
  beforeAll(async () => void (setting = await start(random)), START_MS);
  afterAll(() => setting?.stop(), START_MS);

  test(
    `${name}: ${MINUTES} minutes of faults in random order, seed ${SEED}`,
    async () => {
      const tally = new Tally();
      tally.noteMemory(memoryOf(setting));
      try {
        await soak(setting, faults, random, tally);
      } finally {
        tally.noteMemory(memoryOf(setting));
        process.stderr.write(`${name}, ${MINUTES} minutes, seed ${SEED}\n${tally.text()}\n`);
      }
      await setting.endLoad();
      const { findings, commits } = await audit(setting.database, setting.load);
      const { attempts } = setting.load.log;
      process.stderr.write(
        `${attempts.length} writes, ${commits} changes of providers; ${findings.length} findings\n`,
      );
      expect(findings.slice(0, 20)).toEqual([]);
      expect(setting.load.log.selfConflicts()).toEqual([]);
    },
    MINUTES * 60_000 + MOST_AFTER_MS,
  );
}

async function soak<Setting extends Soaked>(
  setting: Setting,
  faults: readonly Fault<Setting>[],
  random: Random,
  tally: Tally,
): Promise<void> {
  const end = performance.now() + MINUTES * 60_000;
  for (let left: Fault<Setting>[] = []; performance.now() < end;) {
    if (left.length === 0) left = random.sample(faults, faults.length);
    await sleep(random.between(0, LONGEST_CALM_MS));
    const fault = left.pop()!;
    const observation = new Observation(setting);
    await fault.begin(setting);
    await sleep(1000 * fault.seconds);
    await fault.end(setting);
    const healed = await observation.heal().catch((error: unknown) => {
      throw new Error(`after "${fault.name}"`, { cause: error });
    });
    tally.add(fault.name, healed, await observation.end());
    await setting.settle();
  }
}

function memoryOf({ processes }: Observed): number[] {
  return processes.map(({ pid }) => residentMiB(pid));
}
