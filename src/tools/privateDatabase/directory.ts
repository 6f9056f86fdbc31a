import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commonArguments, type ServerProgram } from './program.js';

/** The maximum path of a unix socket (bytes). macOS allows 104, Linux 108, with the zero byte. */
const MAX_SOCKET_PATH = 100;

export const DATABASE_SOCKET = 'database.sock';

/** The paths of a private database, all absolute and free of symbolic links. */
export interface DatabasePaths {
  readonly directory: string;
  readonly data: string;
  readonly temporary: string;
  readonly socket: string;
  readonly log: string;
}

/** Creates the directory. Only its owner can read it. */
export async function preparePaths(directory: string): Promise<DatabasePaths> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const real = await realpath(directory);
  await chmod(real, 0o700);
  const temporary = join(real, 'temporary');
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  return {
    directory: real,
    temporary,
    data: join(real, 'database'),
    socket: await socketPath(real, DATABASE_SOCKET),
    log: join(real, 'database.log'),
  };
}

/**
 * Returns the path of the unix socket of a directory. It is in the directory if it is short enough.
 * Otherwise it is in a private temporary folder for this directory and user.
 */
export async function socketPath(directory: string, name: string): Promise<string> {
  const near = join(directory, name);
  if (Buffer.byteLength(near) <= MAX_SOCKET_PATH) return near;
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

/** Removes the temporary folder that `socketPath` created, unless another socket is still in it. */
export async function removeSocketFolder(directory: string, socket: string): Promise<void> {
  if (dirname(socket) === directory) return;
  await rmdir(dirname(socket)).catch(() => undefined); // not empty, or already removed
}

/**
 * Creates a data directory without databases if there is none. Renames it when it is complete, so
 * that an interruption leaves no incomplete one.
 */
export async function initialiseData(program: ServerProgram, paths: DatabasePaths): Promise<void> {
  await removeUnfinished(paths);
  if (existsSync(paths.data) && (await readdir(paths.data)).length > 0)
    return assertSameFlavour(program, paths);
  const unfinished = await mkdtemp(`${paths.data}.new-`);
  try {
    await runInstaller(program, paths, unfinished);
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    const output = (stderr || stdout || String(error)).trim().split('\n').slice(-5).join(' | ');
    throw new Error(`${program.flavour} could not create a data directory: ${output}`, { cause: error });
  }
  await rename(unfinished, paths.data);
}

/** Uses relative paths, because MariaDB's installer splits paths at spaces. */
async function runInstaller(program: ServerProgram, paths: DatabasePaths, data: string): Promise<void> {
  const options =
    program.installer === null
      ? [...commonArguments(data, paths.temporary), '--initialize-insecure']
      : [
          // the server resolves --tmpdir from its data directory
          ...commonArguments(`./${basename(data)}`, `../${basename(paths.temporary)}`),
          '--auth-root-authentication-method=normal',
          '--skip-test-db',
          '--skip-name-resolve',
          '--force', // the name of the machine may not resolve, for example without /etc/hosts
        ];
  await promisify(execFile)(program.installer ?? program.server, options, {
    cwd: paths.directory,
    maxBuffer: 2 ** 26,
  });
}

async function removeUnfinished(paths: DatabasePaths): Promise<void> {
  const prefix = `${basename(paths.data)}.new-`;
  for (const name of await readdir(paths.directory)) {
    if (!name.startsWith(prefix)) continue;
    // retries, because an installer whose parent was killed still writes for a moment
    await rm(join(paths.directory, name), { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
  }
}

/** Rejects data of the other flavour. The server cannot read it, and its message is unclear. */
function assertSameFlavour(program: ServerProgram, paths: DatabasePaths): void {
  const flavour = existsSync(join(paths.data, 'mysql.ibd')) ? 'MySQL' : 'MariaDB';
  if (flavour === program.flavour) return;
  throw new Error(
    `${paths.data} was made by ${flavour}, but the server program here is ${program.flavour} (${program.server}): ` +
      `install ${flavour}, or move the data directory away`,
  );
}
