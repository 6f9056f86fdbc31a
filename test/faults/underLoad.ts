import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { audit } from '../races/audit.js';
import { START } from '../races/process.js';
import type { Fault } from './faults.js';
import { FaultySetting, type Surroundings } from './faultySetting.js';
import { Observation, seconds, rejectionsText } from './observation.js';

/** How long writers are at it before a fault. */
const BEFORE_MS = 2_000;

/** Tests that writes continue after each of these faults, and that the tables then match the answers of all writes. */
export function testUnderLoad(faults: readonly Fault[], surroundings: () => Promise<Surroundings>): void {
  let setting: FaultySetting;
  const report: string[] = [];

  beforeAll(async () => void (setting = await FaultySetting.start(await surroundings())), START);
  afterAll(async () => {
    await setting?.stop();
    process.stderr.write(`${report.join('\n')}\n`);
  }, START);

  test.each(faults)(
    '$name: writes go on afterwards',
    async (fault) => {
      await sleep(BEFORE_MS);
      const observation = new Observation(setting);
      await fault.begin(setting);
      await sleep(1000 * fault.seconds);
      await fault.end(setting);
      const healed = await observation.heal();
      const { rejections, longestGap, health, peak } = await observation.end();
      report.push(
        `${fault.name}: ${rejectionsText(rejections)}; longest without a write ${seconds(longestGap)}; healed after ${seconds(healed)}; ` +
          `health ${[...health].sort().join(' ')}; peak ${peak.toFixed(0)} MiB`,
      );
      expect(setting.process.isRunning).toBe(true);
    },
    180_000,
  );

  test('what was acknowledged is there, what was refused is not, and nothing is over capacity', async () => {
    await setting.endLoad();
    const { findings, commits } = await audit(setting.database, setting.load);
    report.push(
      `${setting.load.log.attempts.length} writes, ${commits} changes of providers; ${findings.length} findings`,
    );
    expect(findings.slice(0, 20)).toEqual([]);
    expect(setting.load.log.selfConflicts()).toEqual([]);
  }, 180_000);
}
