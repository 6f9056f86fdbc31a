import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram, isExecutable, mustRun, root, run } from './run.mjs';
import { Refusal, step } from './progress.mjs';

/** Sees to it that there is a program to run a private database with. Wants compiled code. */
export async function prepareDatabaseProgram() {
  const { findServerProgram } = await import('../../dist/privateDatabase/program.js');
  await prepare('a MariaDB server program', findServerProgram, {
    apt: ['mariadb-server-core', 'mariadb-client-core'],
    brew: ['mariadb'],
  });
}

/** Sees to it that there is OpenStack Placement, and gunicorn to run it. Debian and Ubuntu have both as packages. */
export async function preparePlacement() {
  const find = () => findProgram(['placement-manage']) && findProgram(['gunicorn']);
  await prepare('OpenStack Placement', find, {
    apt: ['python3-placement', 'python3-pymysql', 'gunicorn'],
    brew: [],
  });
}

/** Sees to it that there is OpenStack Keystone, and gunicorn to run it; the package with no service of its own. */
export async function prepareKeystone() {
  const find = () => findProgram(['keystone-manage']) && findProgram(['gunicorn']);
  await prepare('OpenStack Keystone', find, { apt: ['python3-keystone', 'gunicorn'], brew: [] });
}

/** Sees to it that there is a browser for the tests, and returns its path. */
export function prepareBrowser() {
  return prepare('the Chromium browser', findBrowser, {
    apt: ['chromium'],
    brew: ['--cask', 'google-chrome'],
  });
}

/** Sees to it that there is the program that makes a Debian in a folder. */
export async function prepareDebootstrap() {
  await prepareDebianKeyring();
  await prepare('debootstrap', () => findProgram(['debootstrap'], ['/usr/sbin']), {
    apt: ['debootstrap'],
    brew: [],
  });
}

const DEBIAN_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Sees to it that there are the keys that packages of Debian are signed with, and returns where. */
export function prepareDebianKeyring() {
  const find = () => (existsSync(DEBIAN_KEYRING) ? DEBIAN_KEYRING : null);
  return prepare("the keys of Debian's archive", find, { apt: ['debian-archive-keyring'], brew: [] });
}

/** Where packages put Galera's library: Debian, Fedora. */
const GALERA_LIBRARIES = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

/** Where the scripts of the server package are unpacked: installed whole, it would run a server of its own. */
const SERVER_PACKAGE = '.cache/galera';

/** Sees to it that there are Galera's library and the scripts by which a node copies another, and returns where. */
export async function prepareGalera() {
  const findLibrary = () => GALERA_LIBRARIES.find(existsSync) ?? null;
  const provider = await prepare('the Galera library', findLibrary, { apt: ['galera-4'], brew: ['galera'] });
  for (const [tool, apt] of [
    ['rsync', 'rsync'],
    ['lsof', 'lsof'],
    ['ps', 'procps'],
  ])
    await prepare(tool, () => findProgram([tool]), { apt: [apt], brew: [tool] });
  if (findSyncScript() === null) await step('fetching the scripts of a Galera node', unpackServerPackage);
  const script = findSyncScript();
  if (script === null) throw new Refusal('wsrep_sst_rsync is missing: it comes with the MariaDB server');
  return { provider, scripts: dirname(script) };
}

function findSyncScript() {
  return findProgram(['wsrep_sst_rsync'], [join(root, SERVER_PACKAGE, 'usr/bin')]);
}

async function unpackServerPackage() {
  mkdirSync(join(root, SERVER_PACKAGE), { recursive: true });
  const unpack =
    'apt-get download mariadb-server && dpkg-deb -x mariadb-server_*.deb . && rm mariadb-server_*.deb';
  await mustRun('sh', ['-c', `cd ${SERVER_PACKAGE} && ${unpack}`]);
}

/** Where packages put the library that gives a process a clock of its own: Debian on either kind of machine, Fedora. */
const FAKE_CLOCKS = ['lib/x86_64-linux-gnu/', 'lib/aarch64-linux-gnu/', 'lib64/'].map(
  (folder) => `/usr/${folder}faketime/libfaketimeMT.so.1`,
);

/** Sees to it that there is libfaketime, and returns where; null, with the reason on standard error, where it cannot be had. */
export async function findOrInstallFakeClock() {
  try {
    const find = () => FAKE_CLOCKS.find(existsSync) ?? null;
    return await prepare('libfaketime', find, { apt: ['libfaketime'], brew: [] });
  } catch (error) {
    console.error(error.message);
    return null;
  }
}

function findBrowser() {
  const named = process.env.PLACEMENT_BROWSER;
  if (named) return named;
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const applications = ['Google Chrome', 'Chromium'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  );
  return findProgram(names) ?? applications.find(isExecutable) ?? null;
}

/** Finds a program, or installs the packages that bring it where this user may, and finds it then. */
export async function prepare(what, find, packages) {
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

/** How a package is installed here, as a line to show and, where this user may do it unasked, as a function. */
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

/** The lists of packages may be missing or out of date: then they are fetched and the installation tried again. */
async function aptInstall(names, prefix) {
  const apt = (...options) => [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...options];
  const [command, ...install] = apt('install', '-y', '--no-install-recommends', ...names);
  if ((await run(command, install)).code === 0) return;
  const [, ...update] = apt('update');
  await mustRun(command, update);
  await mustRun(command, install);
}
