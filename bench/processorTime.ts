import { readFile } from 'node:fs/promises';

/** Of Linux, in the unit of /proc. */
const TICKS_PER_SECOND = 100;

/** Processor time that a process has taken so far, in milliseconds, user's and system's; Linux tells it in steps of ten. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from the third one on
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}
