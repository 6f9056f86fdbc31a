import { readFileSync } from 'node:fs';
import { ok, problem, type Finding } from '../../database/diagnosis/finding.js';
import { findServerProgram } from '../../privateDatabase/program.js';
import type { Settings } from '../settings/definitions.js';

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** The program and what it runs on. */
export function checkPrograms(): Finding[] {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version, engines } = JSON.parse(text) as Package;
  const least = engines.node.replace(/^>=/, '');
  const isRecent = numbersOf(process.versions.node) >= numbersOf(least);
  return [
    ok('program', `placement-graphql ${version}`),
    isRecent
      ? ok('Node', process.versions.node)
      : problem('Node', `${process.versions.node} is too old`, { change: `install Node ${least} or later` }),
  ];
}

/** Versions in the order of their numbers. */
function numbersOf(version: string): number {
  const [major, minor = 0] = version.split('.').map(Number);
  return 1_000 * major + minor;
}

/** Whether a private database can be run. */
export async function checkServerProgram(settings: Settings): Promise<Finding[]> {
  if (settings['database.url'] !== null) return [];
  const program = await findServerProgram();
  if (program !== null) return [ok('database program', `${program.flavour}, ${program.server}`)];
  return [
    problem('database program', 'neither MariaDB nor MySQL is installed on this machine', {
      change:
        'install one (Debian: `apt install mariadb-server-core mariadb-client-core`), or set DATABASE_URL',
    }),
  ];
}
