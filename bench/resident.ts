import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Resident memory of a process in MiB. */
export interface Resident {
  readonly now: number;
  /** The peak so far, or the current value if the system does not report a peak. */
  readonly peak: number;
}

export async function residentMiB(pid: number): Promise<Resident> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  if (status === null) {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return { now: Number(stdout) / 1024, peak: Number(stdout) / 1024 };
  }
  const mebibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}
