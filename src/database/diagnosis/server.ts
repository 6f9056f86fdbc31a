import type { Connection } from 'mariadb';
import { readSettings } from '../cluster/availability.js';
import { isSharedWithPlacement } from '../migrator.js';
import type { Queryable } from '../statements.js';
import { type Finding, ok, problem, warning } from './finding.js';

export interface ServerNeeds {
  readonly connections: number;
  readonly hasBinaryLog: boolean;
}

type Values = Readonly<Record<string, string | undefined>>;
type Check = (values: Values, needs: ServerNeeds) => Finding[];

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

/** Checks the settings of a database server. */
export async function checkServerSettings(reader: Queryable, needs: ServerNeeds): Promise<Finding[]> {
  const values = await readSettings(reader, 'VARIABLES', NAMES);
  const findings = CHECKS.flatMap((check) => check(values, needs));
  const log = needs.hasBinaryLog ? await binaryLogProblem(reader) : null;
  if (log !== null)
    findings.push(
      problem(
        'binary log',
        `${log}, and foreignWrites.binaryLog is set: external writes are only found by comparison`,
        {
          change:
            'set log_bin, binlog_format = ROW and binlog_row_image = FULL in the option file of the server and ' +
            'start it again; or leave foreignWrites.binaryLog out',
        },
      ),
    );
  else if (needs.hasBinaryLog) findings.push(ok('binary log', 'has what is needed'));
  return findings;
}

const oldest = { MariaDB: [10, 6], MySQL: [8, 0] } as const;

const version: Check = ({ version: text = '' }) => {
  const flavour = text.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  const [major, minor] = text.split('.').map(Number);
  const [leastMajor, leastMinor] = oldest[flavour];
  const isSupported = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (isSupported) return [ok('server version', `${flavour} ${text}`)];
  return [
    problem('server version', `${flavour} ${text} is too old`, {
      change: `use MariaDB ${oldest.MariaDB.join('.')} or later, or MySQL ${oldest.MySQL.join('.')} or later`,
    }),
  ];
};

/** Returns a statement with effect until the server restarts, and the change that persists it. */
function settingTo(name: string, value: string): { statements: string[]; change: string } {
  return {
    statements: [`SET GLOBAL ${name} = ${value}`],
    change: `and ${name} = ${value} in the option file of the server`,
  };
}

const durability: Check = (values) => {
  const check = 'durability';
  const findings: Finding[] = [];
  const flush = values.innodb_flush_log_at_trx_commit;
  if (flush !== '1')
    findings.push(
      warning(
        check,
        `innodb_flush_log_at_trx_commit is ${flush}: a crash loses writes that were acknowledged`,
        settingTo('innodb_flush_log_at_trx_commit', '1'),
      ),
    );
  if (values.innodb_doublewrite === 'OFF')
    findings.push(
      warning(check, 'innodb_doublewrite is OFF: a crash while a page is written may damage tables', {
        change: 'set innodb_doublewrite = ON in the option file of the server and start it again',
      }),
    );
  if (values.log_bin === 'ON' && values.sync_binlog !== '1')
    findings.push(
      warning(
        check,
        `sync_binlog is ${values.sync_binlog}: after a crash replicas may lack, or have, what this server does not`,
        settingTo('sync_binlog', '1'),
      ),
    );
  return findings.length > 0 ? findings : [ok(check, 'acknowledged writes survive a crash')];
};

/** Connections for the server's own use and for an administrator. */
const SPARE_CONNECTIONS = 5;

const connections: Check = (values, needs) => {
  const wanted = needs.connections + SPARE_CONNECTIONS;
  const findings = [
    ['max_connections', Number(values.max_connections)] as const,
    ['max_user_connections', Number(values.max_user_connections) || Infinity] as const, // 0: no limit
  ].flatMap(([name, limit]) =>
    limit >= wanted
      ? []
      : [
          problem(
            'connections',
            `${name} is ${limit}, and one server has up to ${needs.connections} connections`,
            {
              ...settingTo(name, String(Math.max(wanted, 100))),
              change: `and in the option file of the server, or lower database.connections`,
            },
          ),
        ],
  );
  if (findings.length > 0) return findings;
  return [
    ok('connections', `${values.max_connections} are allowed, and one server has up to ${needs.connections}`),
  ];
};

/** A request may have 16 MiB, and its statements are about as long. */
const PACKET = 16 * 2 ** 20;

const packet: Check = ({ max_allowed_packet: bytes }) => {
  if (Number(bytes) >= PACKET) return [ok('packets', `max_allowed_packet is ${bytes}`)];
  return [
    warning(
      'packets',
      `max_allowed_packet is ${bytes}: writes of many providers or consumers at once fail`,
      settingTo('max_allowed_packet', String(4 * PACKET)),
    ),
  ];
};

/** The client closes a connection of long work after at most this idle time (s). */
const IDLE_SECONDS = 300;

const idleTime: Check = ({ wait_timeout: seconds }) => {
  if (Number(seconds) > IDLE_SECONDS) return [ok('idle connections', `are closed after ${seconds} s`)];
  return [
    warning(
      'idle connections',
      `wait_timeout is ${seconds}: the server closes connections that this program still counts on`,
      settingTo('wait_timeout', '28800'),
    ),
  ];
};

const CHECKS: readonly Check[] = [version, durability, connections, packet, idleTime];

/** Settings with which the binary log does not show which providers have changed. */
const PROBLEMS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['log_bin', ['OFF']],
  ['binlog_format', ['STATEMENT', 'MIXED']],
  ['binlog_row_image', ['MINIMAL']],
  ['binlog_transaction_compression', ['ON']],
];

/** Returns why the binary log of a server is insufficient. Null if it is sufficient. */
export async function binaryLogProblem(reader: Queryable): Promise<string | null> {
  const settings = await readSettings(reader, 'VARIABLES', [
    ...PROBLEMS.map(([name]) => name),
    'wsrep_on',
    'log_slave_updates',
  ]);
  const problem = PROBLEMS.find(([name, values]) => values.includes(settings[name] ?? ''));
  if (problem !== undefined) return `${problem[0]} is ${settings[problem[0]]}`;
  const onOneNode = settings.wsrep_on === 'ON' && settings.log_slave_updates === 'OFF';
  return onOneNode ? 'log_slave_updates is OFF: what other nodes write is not in the log of this one' : null;
}

/** Newer servers use the second name. */
const ISOLATION = ['tx_isolation', 'transaction_isolation'];
const READ_ONLY = ['tx_read_only', 'transaction_read_only'];
const SESSION_NAMES = [...ISOLATION, ...READ_ONLY, 'autocommit', 'time_zone', 'sql_mode'];
const GLOBAL_NAMES = [...ISOLATION, 'innodb_snapshot_isolation', 'time_zone', 'system_time_zone', 'sql_mode'];

/** Checks the session settings of a connection of this program's pools. */
export async function checkSession(connection: Connection): Promise<Finding[]> {
  const rows = await connection.query<{ Variable_name: string; Value: string }[]>(
    'SHOW SESSION VARIABLES WHERE Variable_name IN (?)',
    [SESSION_NAMES],
  );
  const session = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
  const server = await readSettings(connection, 'VARIABLES', GLOBAL_NAMES);
  const isolation = ISOLATION.find((name) => session.has(name))!;
  const readOnly = READ_ONLY.find((name) => session.has(name))!;
  const snapshots = server.innodb_snapshot_isolation ?? 'unknown to it';
  const findings = [
    session.get(isolation) === 'READ-COMMITTED'
      ? ok(
          'isolation',
          `READ-COMMITTED for this program; for others ${server[isolation]}, innodb_snapshot_isolation ${snapshots}`,
        )
      : problem('isolation', `${session.get(isolation)}, though this program asks for READ-COMMITTED`, {
          statements: ['SET GLOBAL TRANSACTION ISOLATION LEVEL READ COMMITTED'],
        }),
    ok('time zone', `UTC for this program; for others ${server.time_zone} (${server.system_time_zone})`),
    ok('sql_mode', `strict for this program; for others ${server.sql_mode || 'empty'}`),
  ];
  if (session.get(readOnly) === 'ON')
    findings.push(
      problem('transactions', `${readOnly} is ON: nothing can be written`, {
        statements: ['SET GLOBAL TRANSACTION READ WRITE'],
        change: `and ${readOnly.replace('tx', 'transaction')} = OFF in the option file of the server`,
      }),
    );
  if (session.get('autocommit') === 'OFF')
    findings.push(
      problem(
        'transactions',
        'autocommit is OFF: reads see what was long ago, and migrations wait for each other',
        {
          statements: ['SET GLOBAL autocommit = ON'],
          change: 'and autocommit = ON in the option file of the server',
        },
      ),
    );
  if (server[isolation] === 'REPEATABLE-READ' && (await isSharedWithPlacement(connection)))
    findings.push(
      warning(
        'isolation',
        'OpenStack Placement works here with REPEATABLE READ: it can exceed a capacity (docs/reliability.md)',
        {
          statements: ['SET GLOBAL TRANSACTION ISOLATION LEVEL READ COMMITTED'],
          change: 'and in the option file of the server; then start Placement again',
        },
      ),
    );
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
  return [
    warning(
      'clocks',
      `that of the database is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} that of this machine`,
      {
        change: 'have both kept by NTP, for instance chrony or systemd-timesyncd: `timedatectl set-ntp true`',
      },
    ),
  ];
}
