import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from '@jest/globals';
import { dateOf } from '../../src/store/sql/statements.js';
import { FakeClocks, type ClockOwner } from './fakeClocks.js';
import type { Fault } from './faults.js';
import type { FaultySetting } from './faultySetting.js';
import { testUnderLoad } from './underLoad.js';

/** Set by the set-up where libfaketime is, or could be installed. */
const library = process.env.PLACEMENT_FAKE_CLOCK;

const HOUR_MS = 3_600_000;

/** How far the clock of a process is from ours (ms): of the database by a statement, of the server by the head of its answers. */
const DISTANCES: Record<ClockOwner, (setting: FaultySetting) => Promise<number>> = {
  async database({ database }) {
    const [{ now }] = await database.pool.query<{ now: string }[]>('SELECT UTC_TIMESTAMP() AS now');
    return dateOf(now)!.getTime() - Date.now();
  },
  async server({ process: { url } }) {
    const answer = await fetch(new URL('/livez', url));
    await answer.arrayBuffer();
    return Date.parse(answer.headers.get('date')!) - Date.now();
  },
};

/** A clock that jumps by so many hours, and back after a while. */
function jump(owner: ClockOwner, hours: number): Fault {
  return {
    name: `clock of the ${owner} an hour ${hours > 0 ? 'ahead' : 'behind'}`,
    seconds: 10,
    async begin(setting) {
      setting.surroundings.clocks!.set(owner, hours);
      await sleep(3_000);
      const distance = await DISTANCES[owner](setting);
      expect(Math.abs(distance - hours * HOUR_MS)).toBeLessThan(60_000);
    },
    end: ({ surroundings }) => surroundings.clocks!.set(owner, 0),
  };
}

if (!library) process.stderr.write('skipped: clocks do not jump without libfaketime\n');

(library ? describe : describe.skip)('clocks that jump', () => {
  testUnderLoad([jump('server', 1), jump('server', -1), jump('database', 1), jump('database', -1)], () =>
    Promise.resolve({ clocks: new FakeClocks(library!) }),
  );
});
