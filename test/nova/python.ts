import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killAtExit } from '../../bench/killAtExit.js';

/** Debian's packages of OpenStack are those of this Python, whatever PATH says. */
export const PYTHON = '/usr/bin/python3';

/** Returns the path of a script of this suite. */
export function scriptPath(name: string): string {
  return fileURLToPath(new URL(`python/${name}`, import.meta.url));
}

/** A result of a test of others. */
export interface Result {
  /** The file of the test; empty if its name says it. */
  readonly group: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly reason: string | null;
}

/** Runs a script of test/nova/python that prints results. @throws Error if it ends without any */
export async function results(script: string, options: readonly string[]): Promise<Result[]> {
  const child = spawn(PYTHON, [scriptPath(script), '--json', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAtExit(child);
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2_000)));
  const ended = once(child, 'close');
  const found: Result[] = [];
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('{')) found.push(JSON.parse(line) as Result);
  const [code] = (await ended) as [number | null];
  if (found.length === 0 || (code !== 0 && code !== 1)) throw new Error(`${script}: ${said}`);
  return found;
}

/** The names of those that failed, with the reason. */
export function failures(found: readonly Result[]): Map<string, string> {
  const failed = found.filter(({ outcome }) => outcome === 'failed');
  return new Map(failed.map(({ group, name, reason }) => [group ? `${group}: ${name}` : name, reason ?? '']));
}
