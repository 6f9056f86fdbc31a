import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The names of server and installer programs, as they appear in the arguments of a process. */
const PROGRAM_NAME = /(^|\/)(mariadbd|mysqld|mariadb-install-db|mysql_install_db)/;

const SHUTDOWN_TIMEOUT_MS = 60_000;

/**
 * Returns the ids of the database processes on `directory` (absolute, free of symbolic links).
 * Identifies them by their command lines, because a recorded id may now belong to another program.
 */
export async function databaseProcesses(directory: string): Promise<number[]> {
  const argument = `--datadir=${directory}${sep}`;
  const commands = existsSync('/proc/self/cmdline') ? await linuxCommands() : await otherCommands();
  return commands
    .filter(([, command]) => command.includes(argument) && PROGRAM_NAME.test(command))
    .map(([pid]) => pid)
    .filter((pid) => pid !== process.pid);
}

/** Stops every database process on `directory`: cleanly, or by force if that takes too long. */
export async function stopProcesses(directory: string): Promise<void> {
  for (const [signal, milliseconds] of [
    ['SIGTERM', SHUTDOWN_TIMEOUT_MS] as const,
    ['SIGKILL', 10_000] as const,
  ]) {
    for (const pid of await databaseProcesses(directory)) signalIfAlive(pid, signal);
    const deadline = Date.now() + milliseconds;
    while (Date.now() < deadline) {
      if ((await databaseProcesses(directory)).length === 0) return;
      await sleep(20);
    }
  }
  throw new Error(`a database process on ${directory} could not be stopped`);
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

type RunningCommand = readonly [pid: number, command: string];

/** Zombie processes have an empty command line, so they count as ended. */
async function linuxCommands(): Promise<RunningCommand[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return [Number(pid), line.replaceAll('\0', ' ')];
    }),
  );
}

async function otherCommands(): Promise<RunningCommand[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], {
    maxBuffer: 2 ** 26,
  });
  return stdout.split('\n').map((line) => {
    const [, pid = '0', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return [Number(pid), command];
  });
}
