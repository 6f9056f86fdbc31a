import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from '@jest/globals';
import type { Fault } from './faults.js';
import { SmallDisk } from './smallDisk.js';
import { testUnderLoad } from './underLoad.js';

/** The database's files take half of it; what it may still write is a few seconds' worth of history. */
const MIB = 400;

const disk = SmallDisk.mount(MIB);

const FULL: Fault = {
  name: 'disk of the database full',
  seconds: 15,
  async begin({ surroundings }) {
    // as the database's files grow into what is left of their last pieces, and purges free some
    for (let second = 0; second < 5; second++) {
      surroundings.disk!.fill();
      await sleep(1_000);
    }
  },
  async end(setting) {
    setting.surroundings.disk!.free();
    // MariaDB ends itself in some runs, as if it could not write its redo log; its own log is on the full disk, too
    if ((await setting.databaseProcesses()).length === 0) await setting.restartDatabase();
  },
};

const killed: Fault = {
  ...FULL,
  name: 'disk full, and the database killed (SIGKILL) and started again when there is space',
  async end(setting) {
    for (const pid of await setting.databaseProcesses()) process.kill(pid, 'SIGKILL');
    setting.surroundings.disk!.free();
    await setting.restartDatabase();
  },
};

(disk === null ? describe.skip : describe)('full disk', () => {
  testUnderLoad([FULL, killed], () => Promise.resolve({ disk: disk! }));
});
