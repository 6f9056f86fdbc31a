import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal, step } from '../../scripts/setup/progress.mjs';
import { findProgram, isExecutable, mustRun, root } from '../../scripts/setup/run.mjs';
import { prepareProgram } from '../../scripts/setup/system.mjs';

/** Installs OpenStack Keystone (the package that starts no service), and gunicorn to run it, if they are missing. */
export async function prepareKeystone() {
  const find = () => findProgram(['keystone-manage']) && findProgram(['gunicorn']);
  await prepareProgram('OpenStack Keystone', find, { apt: ['python3-keystone', 'gunicorn'], brew: [] });
}

/**
 * Installs a browser if there is none, and returns its path. Chromium's headless shell opens a page in a third of the
 * processor time.
 */
export function prepareBrowser() {
  return prepareProgram('the Chromium browser', findBrowser, {
    apt: ['chromium-headless-shell'],
    brew: ['--cask', 'google-chrome'],
  });
}

/** Installs the program that creates a Debian root in a folder, if it is missing. */
export async function prepareDebootstrap() {
  await prepareDebianKeyring();
  await prepareProgram('debootstrap', () => findProgram(['debootstrap'], ['/usr/sbin']), {
    apt: ['debootstrap'],
    brew: [],
  });
}

const DEBIAN_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Installs the keys that sign Debian's packages, if they are missing, and returns their path. */
export function prepareDebianKeyring() {
  const find = () => (existsSync(DEBIAN_KEYRING) ? DEBIAN_KEYRING : null);
  return prepareProgram("the keys of Debian's archive", find, { apt: ['debian-archive-keyring'], brew: [] });
}

/** Paths of Galera's library on Debian and Fedora. */
const GALERA_LIBRARIES = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

/** The server package is only unpacked: installing it would start a server. */
const SERVER_PACKAGE = '.cache/galera';

/** Installs Galera's library and the scripts that copy a node, if they are missing, and returns their paths. */
export async function prepareGalera() {
  const findLibrary = () => GALERA_LIBRARIES.find(existsSync) ?? null;
  const provider = await prepareProgram('the Galera library', findLibrary, {
    apt: ['galera-4'],
    brew: ['galera'],
  });
  for (const [tool, apt] of [
    ['rsync', 'rsync'],
    ['lsof', 'lsof'],
    ['ps', 'procps'],
  ])
    await prepareProgram(tool, () => findProgram([tool]), { apt: [apt], brew: [tool] });
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

/** Paths of libfaketime on Debian and Fedora. */
const FAKE_CLOCKS = ['lib/x86_64-linux-gnu/', 'lib/aarch64-linux-gnu/', 'lib64/'].map(
  (folder) => `/usr/${folder}faketime/libfaketimeMT.so.1`,
);

/** Installs libfaketime if it is missing, and returns its path; null, with the reason on stderr, if that fails. */
export async function findOrInstallFakeClock() {
  try {
    const find = () => FAKE_CLOCKS.find(existsSync) ?? null;
    return await prepareProgram('libfaketime', find, { apt: ['libfaketime'], brew: [] });
  } catch (error) {
    console.error(error.message);
    return null;
  }
}

function findBrowser() {
  const named = process.env.PLACEMENT_BROWSER;
  if (named) return named;
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  const applications = ['Google Chrome', 'Chromium'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  );
  return findProgram(names) ?? applications.find(isExecutable) ?? null;
}
