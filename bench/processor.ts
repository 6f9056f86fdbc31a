import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Returns the processor time of all current threads of a process since its start (ms). It reads the
 * counters of Linux's scheduler. The times of /proc/PID/stat are sampled at each tick, and are far
 * off if the work runs in step with the ticks.
 */
export async function processorMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => null);
  if (threads === null) {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'time=', '-p', String(pid)]);
    return 1_000 * stdout.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  }
  const times = threads.map(async (thread) => {
    const counted = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
    return Number(counted.split(' ')[0]) / 1e6;
  });
  return (await Promise.all(times)).reduce((sum, ms) => sum + ms, 0);
}

/** Returns the child processes of a process, or none if the system does not report them. */
export async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}
