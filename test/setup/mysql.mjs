import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, step } from '../../scripts/setup/progress.mjs';
import { findProgram, mustRun, root, run } from '../../scripts/setup/run.mjs';
import { prepareDebianKeyring } from './programs.mjs';

/** MySQL with every library that it needs. Remove the folder to fetch the newest version. */
const FOLDER = join(root, '.cache/mysql');
const PROGRAM = join(FOLDER, 'mysqld');

/** MySQL is in no released Debian. The package of the client contains files that the server needs. */
const SUITE = 'sid';
const PACKAGES = ['mysql-server-core', 'mysql-client-core'];

/** Unpacks a separate MySQL server if it is missing. Returns the path of its program. */
export async function prepareMysql() {
  if (existsSync(PROGRAM)) return PROGRAM;
  if (findProgram(['apt-get']) === null || findProgram(['dpkg-deb']) === null)
    throw new Refusal(
      'MySQL can only be fetched on Debian and Ubuntu; elsewhere install it and run: PLACEMENT_DATABASE_PROGRAM=/path/to/mysqld npm test',
    );
  const keyring = await prepareDebianKeyring();
  const unfinished = `${FOLDER}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  await step(`fetching MySQL from Debian's ${SUITE}`, () => unpack(unfinished, keyring));
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(unfinished, FOLDER);
  return PROGRAM;
}

async function unpack(folder, keyring) {
  const archives = await download(join(folder, 'apt'), keyring);
  for (const file of readdirSync(archives).filter((name) => name.endsWith('.deb')))
    await mustRun('dpkg-deb', ['-x', join(archives, file), folder]);
  rmSync(join(folder, 'apt'), { recursive: true });
  writeProgram(folder);
}

/** Downloads the packages and their dependencies with a separate configuration of apt, and returns the folder. */
async function download(folder, keyring) {
  const at = (name) => join(folder, name);
  for (const name of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at('status'), ''); // nothing is installed: every library comes along
  const settings = {
    'Dir::State': at('state'),
    'Dir::State::Status': at('status'),
    'Dir::Cache': at('cache'),
    'Dir::Etc::SourceList': at('sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'APT::Sandbox::User': process.getuid() === 0 ? 'root' : '',
    'APT::Update::Error-Mode': 'any',
    // an old copy of sid is sufficient: it is signed, and only tests use it
    'Acquire::Check-Valid-Until': 'false',
    'Debug::NoLocking': 'true',
  };
  const apt = [
    ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    '-y',
    '-qq',
  ];
  await findMirror(async (mirror) => {
    writeFileSync(at('sources.list'), `deb [signed-by=${keyring}] ${mirror} ${SUITE} main\n`);
    return run('apt-get', [...apt, 'update']);
  });
  await mustRun('apt-get', [...apt, 'install', '--download-only', '--no-install-recommends', ...PACKAGES]);
  return at('cache/archives');
}

/** Tries the archives that this machine is configured with, then Debian's own. */
async function findMirror(update) {
  const { output } = await run('apt-get', ['update', '--print-uris']);
  const configured = [...output.matchAll(/^'(\S+?)\/+dists\//gm)].map(([, mirror]) => mirror);
  const problems = [];
  for (const mirror of new Set([...configured, 'http://deb.debian.org/debian'])) {
    const { code, output: said } = await update(mirror);
    if (code === 0) return;
    problems.push(`${mirror}: ${said.trim().split('\n').at(-1)}`);
  }
  throw new Error(`no mirror of Debian's ${SUITE} can be read:\n${problems.join('\n')}`);
}

/** Writes the program that runs MySQL with its own loader and libraries: those of this machine may be older. */
function writeProgram(folder) {
  const libraries = readdirSync(join(folder, 'usr/lib')).find((name) => name.endsWith('-linux-gnu'));
  const loader = readdirSync(join(folder, 'usr/lib', libraries)).find((name) => /^ld-linux.*\.so/.test(name));
  const program = `#!/bin/sh
here=$(dirname "$0")/usr
libraries=$here/lib/${libraries}
exec "$libraries/${loader}" --library-path "$libraries" "$here/sbin/mysqld" "$@" --plugin-dir="$here/lib/mysql/plugin"
`;
  writeFileSync(join(folder, 'mysqld'), program);
  chmodSync(join(folder, 'mysqld'), 0o755);
}
