import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A database server program found on this machine. */
export interface ServerProgram {
  readonly flavour: 'MariaDB' | 'MySQL';
  /** The absolute path of `mariadbd` or `mysqld`. */
  readonly server: string;
  /** The absolute path of the script that creates an empty data directory. Null for MySQL. */
  readonly installer: string | null;
}

/** The folders of server programs that are not always on PATH (Debian: sbin, a Mac: Homebrew). */
const USUAL_FOLDERS = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/bin',
  '/opt/homebrew/bin',
  '/opt/homebrew/opt/mariadb/bin',
  '/usr/local/opt/mariadb/bin',
  '/opt/homebrew/opt/mysql/bin',
  '/usr/local/opt/mysql/bin',
  '/usr/local/mysql/bin',
];

/**
 * Returns the server program for a private database. Null if there is none. Uses only
 * `PLACEMENT_DATABASE_PROGRAM` (absolute path of a `mariadbd` or `mysqld`) if it is set.
 * Otherwise prefers MariaDB to MySQL.
 */
export async function findServerProgram(environment = process.env): Promise<ServerProgram | null> {
  const folders = [
    ...(environment.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...USUAL_FOLDERS,
  ];
  const named = environment.PLACEMENT_DATABASE_PROGRAM;
  const servers = named ? [named] : ['mariadbd', 'mysqld'].flatMap((name) => inFolders(name, folders));
  for (const server of servers) {
    const flavour = await flavourOf(server);
    if (flavour === 'MySQL') return { flavour, server, installer: null };
    if (flavour === null) continue;
    const beside = [dirname(server), join(dirname(server), '../bin'), join(dirname(server), '../scripts')];
    const installers = ['mariadb-install-db', 'mysql_install_db'].flatMap((name) =>
      inFolders(name, [...beside, ...folders]),
    );
    // the script requires this program, which Debian has in another package (mariadb-client-core)
    const hasDefaults = inFolders('my_print_defaults', [...beside, ...folders]).length > 0;
    if (installers.length > 0 && hasDefaults) return { flavour, server, installer: installers[0] };
  }
  return null;
}

function inFolders(name: string, folders: string[]): string[] {
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // missing or not executable
  }
}

async function flavourOf(server: string): Promise<ServerProgram['flavour'] | null> {
  try {
    const { stdout } = await promisify(execFile)(server, ['--no-defaults', '--version']);
    return stdout.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  } catch {
    return null; // the program does not run here; the caller tries the next one
  }
}

/** Returns the options of the running server. It reads no option file. */
export function serverArguments(
  program: ServerProgram,
  paths: { data: string; temporary: string; socket: string },
  durable: boolean,
  memory: number,
): string[] {
  return [
    ...commonArguments(paths.data, paths.temporary),
    `--socket=${paths.socket}`,
    `--pid-file=${join(paths.data, 'server.pid')}`,
    '--skip-networking',
    '--skip-log-bin',
    '--character-set-server=utf8mb4',
    '--max-connections=300',
    '--max-allowed-packet=64M',
    '--performance-schema=OFF',
    ...(program.flavour === 'MySQL' ? ['--mysqlx=OFF', '--secure-file-priv=NULL'] : []),
    ...storageArguments(program, durable, memory),
  ];
}

/**
 * Returns the options that initialisation and the running server share. Root requires `--user`.
 * Each server needs its own `--tmpdir`, because at its start it deletes all files there.
 */
export function commonArguments(data: string, temporary: string): string[] {
  return [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${temporary}`,
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
  ];
}

/**
 * Returns options with which commits survive a crash of the process and a power failure. If not
 * `durable`, for data that may be lost, a crash of the database loses commits.
 */
function storageArguments({ flavour }: ServerProgram, durable: boolean, memory: number): string[] {
  const megabytes = durable ? Math.round(Math.min(2048, Math.max(128, memory / 8 / 2 ** 20))) : 128;
  return [
    `--innodb-flush-log-at-trx-commit=${durable ? 1 : 0}`,
    `--innodb-doublewrite=${durable ? 'ON' : 'OFF'}`,
    `--innodb-buffer-pool-size=${megabytes}M`,
    `--innodb-${flavour === 'MySQL' ? 'redo-log-capacity' : 'log-file-size'}=${durable ? 128 : 16}M`,
  ];
}
