import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commonArguments, type ServerProgram } from './program.js';

/** The system's limit for the path of a unix socket is 104 bytes on a Mac, 108 on Linux, with a closing zero byte. */
const longestSocketPath = 100;

/** Where the parts of a private database are. All paths are absolute and free of symbolic links. */
export interface Place {
  readonly directory: string;
  readonly data: string;
  readonly temporary: string;
  readonly socket: string;
  readonly log: string;
}

/** Makes the directory, readable by its owner alone. */
export async function preparePlace(directory: string): Promise<Place> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const real = await realpath(directory);
  await chmod(real, 0o700);
  const temporary = join(real, 'temporary');
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  return {
    directory: real,
    temporary,
    data: join(real, 'database'),
    socket: await socketPath(real, 'database.sock'),
    log: join(real, 'database.log'),
  };
}

/**
 * The path of a unix socket that belongs to a directory: in the directory where the system's limit allows it, else in
 * a folder for this directory and user alone under the system's folder for temporary files.
 */
export async function socketPath(directory: string, name: string): Promise<string> {
  const near = join(directory, name);
  if (Buffer.byteLength(near) <= longestSocketPath) return near;
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const uid = process.getuid?.() ?? 0;
  const folder = join(await realpath(tmpdir()), `placement-${uid}-${hash}`);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new Error(`${folder} is not a private folder of this user: remove it`);
  }
  return join(folder, name);
}

/** Removes the folder that `socketPath` made elsewhere for a socket, unless another one is still in it. */
export async function removeSocketFolder(directory: string, socket: string): Promise<void> {
  if (dirname(socket) !== directory) await rmdir(dirname(socket)).catch(() => undefined);
}

/**
 * Makes a data directory without databases when there is none. It is made beside its place and renamed when complete, so that
 * whatever interrupts it leaves nothing half made in the place itself.
 */
export async function initialiseData(program: ServerProgram, place: Place): Promise<void> {
  await removeUnfinished(place);
  if (existsSync(place.data) && (await readdir(place.data)).length > 0)
    return assertSameFlavour(program, place);
  const unfinished = await mkdtemp(`${place.data}.new-`);
  try {
    await runInstaller(program, place, unfinished);
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    const said = (stderr || stdout || String(error)).trim().split('\n').slice(-5).join(' | ');
    throw new Error(`${program.flavour} could not make a data directory: ${said}`, { cause: error });
  }
  await rename(unfinished, place.data);
}

/** MariaDB's installer breaks paths at spaces, so it gets relative ones: the second from the data directory. */
async function runInstaller(program: ServerProgram, place: Place, data: string): Promise<void> {
  const options =
    program.installer === null
      ? [...commonArguments(data, place.temporary), '--initialize-insecure']
      : [
          ...commonArguments(`./${basename(data)}`, `../${basename(place.temporary)}`),
          '--auth-root-authentication-method=normal',
          '--skip-test-db',
          '--skip-name-resolve',
        ];
  await promisify(execFile)(program.installer ?? program.server, options, {
    cwd: place.directory,
    maxBuffer: 2 ** 26,
  });
}

async function removeUnfinished(place: Place): Promise<void> {
  const prefix = `${basename(place.data)}.new-`;
  for (const name of await readdir(place.directory)) {
    if (!name.startsWith(prefix)) continue;
    // again and again, while an installer whose parent was killed goes on writing for a moment
    await rm(join(place.directory, name), { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
  }
}

/** MySQL and MariaDB cannot read each other's data directories, and say so badly. */
function assertSameFlavour(program: ServerProgram, place: Place): void {
  const made = existsSync(join(place.data, 'mysql.ibd')) ? 'MySQL' : 'MariaDB';
  if (made === program.flavour) return;
  throw new Error(
    `${place.data} was made by ${made}, but the server program here is ${program.flavour} (${program.server}): ` +
      `install ${made}, or move the data directory away`,
  );
}
