import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal, step } from './progress.mjs';
import { findProgram, mustRun, root } from './run.mjs';
import { prepareDebootstrap } from './system.mjs';

/** Where the root file systems are. Remove the folder to have them made anew, with the newest packages. */
const FOLDER = join(root, '.cache/debian');
const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';

/** A machine with a database, a proxy, and the tools that check what is delivered. */
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
 * Sees to it that there are two root file systems of Debian, which nothing else on this machine knows of: `node`, a bare one with Node,
 * and `machine`, in which systemd can be started.
 */
export async function prepareDebian() {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new Refusal('the tests of the packages start a Debian in a folder: run them as root on Linux');
  await prepareDebootstrap();
  await make('node', async (folder) => {
    await mustRun('debootstrap', ['--variant=minbase', SUITE, folder, MIRROR]);
    await install(folder, ['nodejs', 'ca-certificates']);
    await addNpm(folder);
  });
  await make('machine', async (folder) => {
    await mustRun('cp', ['-a', `${join(FOLDER, 'node')}/.`, folder]);
    await install(folder, MACHINE_PACKAGES);
  });
  return FOLDER;
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

/** Services of the packages are not started meanwhile. */
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

/** The npm that runs this: Debian's own brings along several hundred packages. */
function addNpm(folder) {
  const script = process.env.npm_execpath ?? realpathSync(findProgram(['npm']));
  const target = join(folder, 'usr/local/lib/node_modules/npm');
  cpSync(dirname(dirname(script)), target, { recursive: true, verbatimSymlinks: true });
  const run = (name) => `ln -s ../lib/node_modules/npm/bin/${name}-cli.js usr/local/bin/${name}`;
  return mustRun('sh', ['-ec', `cd "$0" && ${run('npm')} && ${run('npx')}`, folder]);
}
