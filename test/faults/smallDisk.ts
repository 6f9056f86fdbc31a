import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PIECE = Buffer.alloc(2 ** 20);

/** A file system in memory, so small that it can be filled. */
export class SmallDisk {
  private constructor(readonly directory: string) {}

  /** Null, with the reason on standard error, where this user cannot mount one. */
  static mount(mebibytes: number): SmallDisk | null {
    const directory = mkdtempSync(join(realpathSync(tmpdir()), `placement-test-${process.pid}-`));
    try {
      const size = `size=${mebibytes}m`;
      execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', directory], { stdio: 'pipe' });
      return new SmallDisk(directory);
    } catch (error) {
      rmSync(directory, { recursive: true });
      process.stderr.write(
        `skipped: no full disk without a file system to fill: ${(error as Error).message}\n`,
      );
      return null;
    }
  }

  /** Takes all of the space that is left. */
  fill(): void {
    const file = openSync(join(this.directory, 'filler'), 'a');
    try {
      for (;;) writeSync(file, PIECE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.directory, 'filler'));
  }

  unmount(): void {
    execFileSync('umount', [this.directory]);
  }
}
