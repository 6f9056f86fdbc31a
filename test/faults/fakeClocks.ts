import { chmodSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServerProgram } from '../../src/tools/privateDatabase/program.js';

/** Whose clock it is. */
export type ClockOwner = 'database' | 'server';

/**
 * Clocks that jump, by libfaketime: what a process takes for the time of day is as far from it as a file says, which it reads again
 * every second. Its monotonic clock does not change, as when an administrator sets the time.
 */
export class FakeClocks {
  private readonly directory = mkdtempSync(join(realpathSync(tmpdir()), `placement-test-${process.pid}-`));

  private readonly former = process.env.PLACEMENT_DATABASE_PROGRAM;

  /** @param library libfaketime */
  constructor(private readonly library: string) {
    for (const owner of ['database', 'server'] as const) this.set(owner, 0);
  }

  /** Sets a clock so many hours ahead, or behind. */
  set(owner: ClockOwner, hours: number): void {
    writeFileSync(this.file(owner), `${hours < 0 ? '' : '+'}${hours}h\n`);
  }

  /** What a process is given that is to go by this clock. */
  environment(owner: ClockOwner): Record<string, string> {
    return {
      LD_PRELOAD: this.library,
      FAKETIME_TIMESTAMP_FILE: this.file(owner),
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Has the databases that are started from now on go by the clock of the database: by way of another program. */
  async giveToDatabases(): Promise<void> {
    const { server } = (await findServerProgram())!;
    const program = join(this.directory, 'mariadbd');
    const settings = Object.entries(this.environment('database')).map(
      ([name, value]) => `${name}='${value}'`,
    );
    writeFileSync(program, `#!/bin/sh\n${settings.join(' ')} exec '${server}' "$@"\n`);
    chmodSync(program, 0o755);
    process.env.PLACEMENT_DATABASE_PROGRAM = program;
  }

  async remove(): Promise<void> {
    if (this.former === undefined) delete process.env.PLACEMENT_DATABASE_PROGRAM;
    else process.env.PLACEMENT_DATABASE_PROGRAM = this.former;
    await rm(this.directory, { recursive: true });
  }

  private file(owner: ClockOwner): string {
    return join(this.directory, owner);
  }
}
