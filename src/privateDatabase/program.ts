import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A database server program found on this machine. */
export interface ServerProgram {
  readonly flavour: 'MariaDB' | 'MySQL';
  /** absolute path of `mariadbd` or `mysqld` */
  readonly server: string;
  /** MariaDB only: absolute path of the script that creates an empty data directory */
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
 * Returns the server program for a private database. Null if there is none.
 * `PLACEMENT_DATABASE_PROGRAM` (absolute path of a `mariadbd` or `mysqld`) takes precedence,
 * then MariaDB over MySQL.
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
    // the script does not run without this program, which Debian has in another package (mariadb-client-core)
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
    return false; // not there, or not executable
  }
}

async function flavourOf(server: string): Promise<ServerProgram['flavour'] | null> {
  try {
    const { stdout } = await promisify(execFile)(server, ['--no-defaults', '--version']);
    return stdout.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  } catch {
    return null; // no program that runs here: the next one is tried
  }
}

/** Options of the running server: everything it needs is on the command line, no option file is read. */
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
    ...(durable ? durableArguments(program, memory) : throwAwayArguments(program)),
  ];
}

/**
 * Options that initialisation and the running server share. The server refuses to run as root unless told to, and wants
 * a folder for temporary tables to itself: at its start it removes all that it finds there, another server's too.
 */
export function commonArguments(data: string, temporary: string): string[] {
  return [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${temporary}`,
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
  ];
}

/** An acknowledged commit survives the loss of the process and of the machine's power. */
function durableArguments(program: ServerProgram, memory: number): string[] {
  const megabytes = Math.round(Math.min(2048, Math.max(128, memory / 8 / 2 ** 20)));
  return [
    '--innodb-flush-log-at-trx-commit=1',
    '--innodb-doublewrite=ON',
    `--innodb-buffer-pool-size=${megabytes}M`,
    program.flavour === 'MySQL' ? '--innodb-redo-log-capacity=128M' : '--innodb-log-file-size=128M',
  ];
}

/** Options for data that may be lost: a crash of the database loses acknowledged commits. */
function throwAwayArguments(program: ServerProgram): string[] {
  return [
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=OFF',
    '--innodb-buffer-pool-size=128M',
    program.flavour === 'MySQL' ? '--innodb-redo-log-capacity=16M' : '--innodb-log-file-size=16M',
  ];
}
