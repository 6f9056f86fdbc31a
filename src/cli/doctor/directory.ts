import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ok, problem, warning, type Finding } from '../../database/diagnosis/finding.js';
import { databaseProcesses } from '../../privateDatabase/processes.js';
import { lockHolder } from '../lock.js';

const CHECK = 'data directory';
const GIB = 2 ** 30;

/** Less than this is a warning; with less than the second nothing can be relied on. */
const LITTLE_SPACE = GIB;
const NO_SPACE = GIB / 10;

export interface Directory {
  readonly findings: readonly Finding[];
  /** Whether it has a database. */
  readonly hasData: boolean;
}

/** The directory of the private database. */
export async function checkDirectory(directory: string): Promise<Directory> {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found === undefined)
    return { findings: [ok(CHECK, `${directory} is not there yet: \`serve\` makes it`)], hasData: false };
  const findings = [...checkOwner(directory, found), ...checkSpace(directory)];
  const hasData = statSync(join(directory, 'database'), { throwIfNoEntry: false }) !== undefined;
  const holder = await lockHolder(directory);
  const left = holder === null ? await databaseProcesses(directory) : [];
  if (left.length > 0)
    findings.push(
      warning(CHECK, `a database that was left running is at work in it (process ${left.join(', ')})`, {
        change: 'start the server, which stops it and goes on with the same data',
      }),
    );
  if (findings.length > 0) return { findings, hasData };
  const use = holder === null ? 'in use by nobody' : `in use by ${holder}`;
  return { findings: [ok(CHECK, `${directory}, ${use}, ${gib(freeSpace(directory))} free`)], hasData };
}

function checkOwner(directory: string, { uid, mode }: { uid: number; mode: number }): Finding[] {
  const self = process.getuid?.();
  const findings: Finding[] = [];
  if (self !== undefined && uid !== self && self !== 0)
    findings.push(
      problem(CHECK, `${directory} belongs to the user ${uid}, and this is the user ${self}`, {
        change: `run the program as that user, or: chown -R ${self} ${directory}`,
      }),
    );
  if ((mode & 0o077) !== 0)
    findings.push(
      warning(CHECK, `others may look into ${directory} (${(mode & 0o777).toString(8).padStart(4, '0')})`, {
        change: `chmod 700 ${directory}`,
      }),
    );
  return findings;
}

function checkSpace(directory: string): Finding[] {
  const free = freeSpace(directory);
  if (free >= LITTLE_SPACE) return [];
  return [
    (free < NO_SPACE ? problem : warning)(CHECK, `${gib(free)} are free on the disk of ${directory}`, {
      change: 'make space: without any every write is refused',
    }),
  ];
}

function freeSpace(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

function gib(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}
