import type { Connection } from 'mariadb';
import { readSettings, type Settings } from '../../store/database/cluster/availability.js';
import { binaryLogProblem } from '../../store/external/binaryLogProblem.js';
import { isSharedWithPlacement } from '../../store/migrations/migrator.js';
import type { Queryable } from '../../store/sql/statements.js';
import { type Finding, ok, orOk, problem, warning } from '../../store/finding.js';

export interface ServerNeeds {
  readonly connections: number;
  readonly hasBinaryLog: boolean;
}

const NAMES = [
  'version',
  'innodb_flush_log_at_trx_commit',
  'innodb_doublewrite',
  'log_bin',
  'sync_binlog',
  'max_connections',
  'max_user_connections',
  'max_allowed_packet',
  'wait_timeout',
];

export async function checkServerSettings(reader: Queryable, needs: ServerNeeds): Promise<Finding[]> {
  const values = await readSettings(reader, 'GLOBAL VARIABLES', NAMES);
  const findings = [
    version(values),
    ...orOk(durability(values), 'durability', 'acknowledged writes survive a crash'),
    ...orOk(
      connections(values, needs),
      'connections',
      `${values.max_connections} are allowed, and one server has up to ${needs.connections}`,
    ),
    ...MINIMA.map(({ check, name, least, isEnough, risk, better }) =>
      Number(values[name]) >= least
        ? ok(check, isEnough(values[name]))
        : warning(check, `${name} is ${values[name]}: ${risk}`, settingTo(name, better)),
    ),
  ];
  if (!needs.hasBinaryLog) return findings;
  const log = await binaryLogProblem(reader);
  if (log === null) return [...findings, ok('binary log', 'has what is needed')];
  const found = `${log}, and foreignWrites.binaryLog is set: external writes are only found by comparison`;
  const change =
    'set log_bin, binlog_format = ROW and binlog_row_image = FULL in the option file of the server and ' +
    'start it again; or leave foreignWrites.binaryLog out';
  return [...findings, problem('binary log', found, change)];
}

const oldest = { MariaDB: [10, 6], MySQL: [8, 0] } as const;

function version({ version: text = '' }: Settings): Finding {
  const flavour = text.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  const [major, minor] = text.split('.').map(Number);
  const [leastMajor, leastMinor] = oldest[flavour];
  const isSupported = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (isSupported) return ok('server version', `${flavour} ${text}`);
  const change = `use MariaDB ${oldest.MariaDB.join('.')} or later, or MySQL ${oldest.MySQL.join('.')} or later`;
  return problem('server version', `${flavour} ${text} is too old`, change);
}

/** Returns a statement with effect until the server restarts, and the change that persists it. */
function settingTo(name: string, value: number): { statements: string[]; change: string } {
  return {
    statements: [`SET GLOBAL ${name} = ${value}`],
    change: `and ${name} = ${value} in the option file of the server`,
  };
}

function* durability(values: Settings): Generator<Finding> {
  const flush = values.innodb_flush_log_at_trx_commit;
  if (flush !== '1')
    yield warning(
      'durability',
      `innodb_flush_log_at_trx_commit is ${flush}: a crash loses writes that were acknowledged`,
      settingTo('innodb_flush_log_at_trx_commit', 1),
    );
  if (values.innodb_doublewrite === 'OFF')
    yield warning(
      'durability',
      'innodb_doublewrite is OFF: a crash while a page is written may damage tables',
      'set innodb_doublewrite = ON in the option file of the server and start it again',
    );
  if (values.log_bin === 'ON' && values.sync_binlog !== '1')
    yield warning(
      'durability',
      `sync_binlog is ${values.sync_binlog}: after a crash, replicas may differ from this server`,
      settingTo('sync_binlog', 1),
    );
}

/** Connections for the server's own use and for an administrator. */
const SPARE_CONNECTIONS = 5;

function* connections(values: Settings, needs: ServerNeeds): Generator<Finding> {
  const wanted = needs.connections + SPARE_CONNECTIONS;
  for (const name of ['max_connections', 'max_user_connections']) {
    const limit = Number(values[name]) || Infinity; // 0: no limit
    if (limit >= wanted) continue;
    const found = `${name} is ${limit}, and one server has up to ${needs.connections} connections`;
    const { statements } = settingTo(name, Math.max(wanted, 100));
    const change = 'and in the option file of the server, or lower database.connections';
    yield problem('connections', found, { statements, change });
  }
}

/** A request may have 16 MiB, and its statements are about as long. */
const PACKET = 16 * 2 ** 20;

/** The client closes a connection of long work after at most this idle time (s). */
const IDLE_SECONDS = 300;

/** The settings with a required minimum, with the risk of a lower value. */
const MINIMA = [
  {
    check: 'packets',
    name: 'max_allowed_packet',
    least: PACKET,
    isEnough: (bytes?: string) => `max_allowed_packet is ${bytes}`,
    risk: 'writes of many providers or consumers at once fail',
    better: 4 * PACKET,
  },
  {
    check: 'idle connections',
    name: 'wait_timeout',
    least: IDLE_SECONDS + 1,
    isEnough: (seconds?: string) => `are closed after ${seconds} s`,
    risk: 'the server closes connections that this program still uses',
    better: 28_800,
  },
];

/** Newer servers use the second name. */
const ISOLATION = ['tx_isolation', 'transaction_isolation'];
const READ_ONLY = ['tx_read_only', 'transaction_read_only'];
const SESSION_NAMES = [...ISOLATION, ...READ_ONLY, 'autocommit', 'time_zone', 'sql_mode'];
const GLOBAL_NAMES = [...ISOLATION, 'innodb_snapshot_isolation', 'time_zone', 'system_time_zone', 'sql_mode'];

const SET_ISOLATION = 'SET GLOBAL TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Checks the session settings of a connection of this program's pools. */
export async function checkSession(connection: Connection): Promise<Finding[]> {
  const session = await readSettings(connection, 'SESSION VARIABLES', SESSION_NAMES);
  const server = await readSettings(connection, 'GLOBAL VARIABLES', GLOBAL_NAMES);
  const isolation = ISOLATION.find((name) => name in session)!;
  const readOnly = READ_ONLY.find((name) => name in session)!;
  const snapshots = server.innodb_snapshot_isolation ?? 'unknown to it';
  const others = `for others ${server[isolation]}, innodb_snapshot_isolation ${snapshots}`;
  const findings = [
    session[isolation] === 'READ-COMMITTED'
      ? ok('isolation', `READ-COMMITTED for this program; ${others}`)
      : problem('isolation', `${session[isolation]}, though this program asks for READ-COMMITTED`, {
          statements: [SET_ISOLATION],
        }),
    ok('time zone', `UTC for this program; for others ${server.time_zone} (${server.system_time_zone})`),
    ok('sql_mode', `strict for this program; for others ${server.sql_mode || 'empty'}`),
  ];
  if (session[readOnly] === 'ON')
    findings.push(
      problem('transactions', `${readOnly} is ON: nothing can be written`, {
        statements: ['SET GLOBAL TRANSACTION READ WRITE'],
        change: `and ${readOnly.replace('tx', 'transaction')} = OFF in the option file of the server`,
      }),
    );
  if (session.autocommit === 'OFF') {
    const found = 'autocommit is OFF: reads return stale data, and migrations wait for each other';
    const change = 'and autocommit = ON in the option file of the server';
    findings.push(problem('transactions', found, { statements: ['SET GLOBAL autocommit = ON'], change }));
  }
  if (server[isolation] === 'REPEATABLE-READ' && (await isSharedWithPlacement(connection))) {
    const found =
      'OpenStack Placement works here with REPEATABLE READ: it can exceed a capacity (docs/reliability.md)';
    const change = 'and in the option file of the server; then start Placement again';
    findings.push(warning('isolation', found, { statements: [SET_ISOLATION], change }));
  }
  return findings;
}

/** The tolerated clock skew (ms). With more, times and ages mislead, and tokens appear expired. */
const TOLERANCE_MS = 2_000;

/** Compares the clock of the database with the clock of this machine. */
export async function checkClock(reader: Queryable): Promise<Finding[]> {
  const before = Date.now();
  const [{ now }] = await reader.query<{ now: number }[]>(
    "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) / 1000 AS now",
  );
  const after = Date.now();
  const skew = Number(now) - (before + after) / 2;
  const uncertainty = (after - before) / 2;
  const seconds = Math.abs(skew / 1_000).toFixed(1);
  if (Math.abs(skew) - uncertainty <= TOLERANCE_MS)
    return [ok('clocks', `that of the database and that of this machine are ${seconds} s apart`)];
  const found = `that of the database is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} that of this machine`;
  const change =
    'have both kept by NTP, for instance chrony or systemd-timesyncd: `timedatectl set-ntp true`';
  return [warning('clocks', found, change)];
}
