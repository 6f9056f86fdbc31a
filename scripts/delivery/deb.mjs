import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { step } from '../setup/progress.mjs';
import { mustRun, root, withFolder } from '../setup/run.mjs';
import { installInto, readManifest } from './tree.mjs';

const NAME = 'placement-graphql';

/** The files of the package, and their sources in the checkout. */
const FILES = [
  ['deploy/debian/placement.yaml', `etc/${NAME}/placement.yaml`],
  ['deploy/debian/environment', `usr/share/${NAME}/environment`],
  ['deploy/systemd/placement-graphql.service', `usr/lib/systemd/system/${NAME}.service`],
  ['scripts/heapLimit.sh', `usr/lib/${NAME}/heapLimit.sh`],
  ['deploy/debian/copyright', `usr/share/doc/${NAME}/copyright`],
  ['docs/operating.md', `usr/share/doc/${NAME}/operating.md`],
  ['docs/reference/settings.md', `usr/share/doc/${NAME}/settings.md`],
];

/**
 * Makes a .deb of the packed package. The same sources give the same bytes: every file gets the time SOURCE_DATE_EPOCH,
 * which defaults to that of the last commit.
 * @returns the path of the .deb
 */
export function buildDeb(archive, folder) {
  const version = debianVersion(readManifest(root).version);
  return withFolder('placement-deb-', async (staging) => {
    chmodSync(staging, 0o755);
    await installInto(join(staging, `usr/lib/${NAME}`), archive);
    placeFiles(staging);
    await mustRun('chmod', ['-R', 'u=rwX,go=rX', staging]); // independent of the umask
    await writeControl(staging, version);
    const file = join(folder, `${NAME}_${version}_all.deb`);
    const environment = { ...process.env, SOURCE_DATE_EPOCH: await sourceDate() };
    await step('building the .deb', () =>
      mustRun('dpkg-deb', ['--root-owner-group', '-Zxz', '-z2', '--build', staging, file], environment),
    );
    return file;
  });
}

function placeFiles(staging) {
  for (const [from, to] of FILES) {
    mkdirSync(dirname(join(staging, to)), { recursive: true });
    cpSync(join(root, from), join(staging, to));
  }
  const changelog = gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 });
  writeFileSync(join(staging, `usr/share/doc/${NAME}/changelog.gz`), changelog);
  mkdirSync(join(staging, 'usr/bin'));
  symlinkSync(`../lib/${NAME}/dist/main.js`, join(staging, `usr/bin/${NAME}`));
}

async function writeControl(staging, version) {
  const size = Number((await mustRun('du', ['-sk', '--apparent-size', staging])).split('\t')[0]);
  mkdirSync(join(staging, 'DEBIAN'), { mode: 0o755 });
  const source = join(root, 'deploy/debian');
  for (const name of ['conffiles', 'postinst', 'prerm', 'postrm']) {
    cpSync(join(source, name), join(staging, 'DEBIAN', name));
    chmodSync(join(staging, 'DEBIAN', name), name === 'conffiles' ? 0o644 : 0o755);
  }
  const control = readFileSync(join(source, 'control'), 'utf8');
  const filled = control.replace('@VERSION@', version).replace('@SIZE@', String(size));
  writeFileSync(join(staging, 'DEBIAN/control'), filled, { mode: 0o644 });
}

/** A pre-release comes before its release: 1.0.0-rc.1 is 1.0.0~rc.1 to dpkg. */
function debianVersion(version) {
  return version.replace('-', '~');
}

async function sourceDate() {
  return process.env.SOURCE_DATE_EPOCH ?? (await mustRun('git', ['log', '-1', '--format=%ct'])).trim();
}
