import type { ChildProcess } from 'node:child_process';

/** Kills a process when this one exits. Its own end removes the listener. */
export function killAtExit(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  const kill = (): void => void child.kill(signal);
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
