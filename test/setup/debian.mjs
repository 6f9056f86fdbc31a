import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal, step } from '../../scripts/setup/progress.mjs';
import { findProgram, mustRun, root } from '../../scripts/setup/run.mjs';
import { prepareDebootstrap } from './programs.mjs';

/** The root file systems. Remove the folder to create them again, with the newest packages. */
const FOLDER = join(root, '.cache/debian');
const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';

/** The packages of a machine with a database, a proxy, and the tools that check the delivered packages. */
const MACHINE_PACKAGES = [
  'systemd',
  'adduser',
  'mariadb-server',
  'haproxy',
  'podman',
  'crun',
  'docker-compose',
  'kubernetes-client',
];

/**
 * Creates two root file systems of Debian, if they are missing: `node`, an empty one with Debian's Node, and
 * `machine`, in which systemd can be started.
 */
export async function prepareDebian() {
  assertRoot();
  await prepareDebootstrap();
  await make('node', async (folder) => {
    await debootstrap(folder);
    await install(folder, ['nodejs', 'ca-certificates']);
    await addNpm(folder);
  });
  await make('machine', async (folder) => {
    await mustRun('cp', ['-a', `${join(FOLDER, 'node')}/.`, folder]);
    await install(folder, MACHINE_PACKAGES);
  });
  return FOLDER;
}

/** Creates the root in which the two commands of the README must succeed. */
export async function prepareBareDebian() {
  assertRoot();
  await prepareDebootstrap();
  await make('bare', async (folder) => {
    await debootstrap(folder);
    await addNode(folder);
    await addNpm(folder);
  });
  return join(FOLDER, 'bare');
}

function assertRoot() {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new Refusal('the tests of the packages start a Debian in a folder: run them as root on Linux');
}

function debootstrap(folder) {
  return mustRun('debootstrap', ['--variant=minbase', SUITE, folder, MIRROR]);
}

/** Copies the Node that runs this, with the libraries that it loads and the user's settings of npm. */
async function addNode(folder) {
  const script = `
    mkdir -p "$0/usr/local/bin" && cp "$1" "$0/usr/local/bin/node"
    ldd "$1" | awk '$3 ~ "^/" { print $3 }' | while read -r library; do
      name=$(basename "$library")
      find "$0/usr/lib" "$0/lib/" -name "$name" | grep -q . || cp -L "$library" "$0/usr/lib/$name"
    done
    mkdir -p "$0/usr/local/share/ca-certificates" "$0/etc/ssl/certs"
    if [ -f /etc/ssl/certs/ca-certificates.crt ]; then cp /etc/ssl/certs/ca-certificates.crt "$0/etc/ssl/certs/"; fi
    cp /etc/resolv.conf "$0/etc/resolv.conf"
    for file in "$HOME/.npmrc" /etc/npmrc; do if [ -f "$file" ]; then cp "$file" "$0$file"; fi; done
    chroot "$0" node --version`;
  await mustRun('sh', ['-ec', script, folder, process.execPath]);
}

async function make(name, work) {
  const folder = join(FOLDER, name);
  if (existsSync(folder)) return;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  await step(`making a Debian in ${folder}`, () => work(unfinished));
  renameSync(unfinished, folder);
}

/** Installs packages without starting their services. */
async function install(folder, packages) {
  const script = `
    mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"
    cp /etc/resolv.conf "$0/etc/resolv.conf"
    printf '#!/bin/sh\\nexit 101\\n' > "$0/usr/sbin/policy-rc.d" && chmod 755 "$0/usr/sbin/policy-rc.d"
    echo force-unsafe-io > "$0/etc/dpkg/dpkg.cfg.d/unsafe-io"
    export LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive
    chroot "$0" apt-get update -qq
    chroot "$0" apt-get install -y -qq --no-install-recommends "$@"
    rm "$0/usr/sbin/policy-rc.d"`;
  await mustRun('unshare', ['--mount', 'sh', '-ec', script, folder, ...packages]);
}

/** Copies the npm that runs this: Debian's npm depends on several hundred packages. */
function addNpm(folder) {
  const script = process.env.npm_execpath ?? realpathSync(findProgram(['npm']));
  const target = join(folder, 'usr/local/lib/node_modules/npm');
  cpSync(dirname(dirname(script)), target, { recursive: true, verbatimSymlinks: true });
  const run = (name) => `ln -s ../lib/node_modules/npm/bin/${name}-cli.js usr/local/bin/${name}`;
  return mustRun('sh', ['-ec', `cd "$0" && ${run('npm')} && ${run('npx')}`, folder]);
}
