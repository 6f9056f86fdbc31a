import { findProgram, mustRun, run } from './run.mjs';
import { Refusal, step } from './progress.mjs';

/** The folders of server programs that are not on PATH (Debian, a Mac). */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/usr/local/bin'];

/** Returns whether a database program seems to be installed, without running it. */
export function hasDatabaseProgram() {
  return (
    findProgram(['mariadbd', 'mysqld'], SERVER_FOLDERS) !== null ||
    Boolean(process.env.PLACEMENT_DATABASE_PROGRAM)
  );
}

/** Installs a program that can run a private database, if there is none. Requires compiled code. */
export async function prepareDatabaseProgram() {
  const { findServerProgram } = await import('../../dist/tools/privateDatabase/program.js');
  await prepareProgram('a MariaDB server program', findServerProgram, {
    apt: ['mariadb-server-core', 'mariadb-client-core'],
    brew: ['mariadb'],
  });
}

/** Installs OpenStack Placement, and gunicorn to run it, if they are missing. */
export async function preparePlacement() {
  const find = () => findProgram(['placement-manage']) && findProgram(['gunicorn']);
  await prepareProgram('OpenStack Placement', find, {
    apt: ['python3-placement', 'python3-pymysql', 'gunicorn'],
    brew: [],
  });
}

/** Finds a program; if it is missing, installs its packages if this user may, and finds it again. */
export async function prepareProgram(what, find, packages) {
  const found = await find();
  if (found) return found;
  const { install, command } = await installer(packages);
  if (install === null)
    throw new Refusal(`${what} is missing and cannot be installed from here; run: ${command}`);
  await step(`installing ${what} (${command})`, install);
  const installed = await find();
  if (installed) return installed;
  throw new Refusal(`${what} is still missing after: ${command}`);
}

/** Returns how a package is installed here: a line to show and, if this user may do it unasked, a function. */
async function installer({ apt, brew }) {
  if (process.platform === 'darwin') {
    const program = findProgram(['brew'], ['/opt/homebrew/bin', '/usr/local/bin']);
    const command = `brew install ${brew.join(' ')}`;
    return { command, install: program && (() => mustRun(program, ['install', ...brew])) };
  }
  if (findProgram(['apt-get']) === null) {
    return { command: `your system's way of installing ${apt.join(' and ')}`, install: null };
  }
  const isRoot = process.getuid?.() === 0;
  const command = `${isRoot ? '' : 'sudo '}apt-get install -y --no-install-recommends ${apt.join(' ')}`;
  const allowed = isRoot || (await run('sudo', ['-n', 'true'])).code === 0;
  return { command, install: allowed ? () => aptInstall(apt, isRoot ? [] : ['sudo', '-n']) : null };
}

/** If the package lists are missing or out of date, updates them and tries again. */
async function aptInstall(names, prefix) {
  const apt = (...options) => [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...options];
  const [command, ...install] = apt('install', '-y', '--no-install-recommends', ...names);
  if ((await run(command, install)).code === 0) return;
  const [, ...update] = apt('update');
  await mustRun(command, update);
  await mustRun(command, install);
}
