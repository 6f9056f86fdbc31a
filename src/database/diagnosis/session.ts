import type { Connection } from 'mariadb';
import { readSettings } from '../cluster/availability.js';
import { isSharedWithPlacement } from '../migrator.js';
import type { Reader } from '../statements.js';
import { ok, problem, warning, type Finding } from './finding.js';

/** Of which the newer servers have the second name. */
const ISOLATION = ['tx_isolation', 'transaction_isolation'];
const READ_ONLY = ['tx_read_only', 'transaction_read_only'];
const NAMES = [...ISOLATION, ...READ_ONLY, 'autocommit', 'time_zone', 'sql_mode'];
const GLOBAL_NAMES = [...ISOLATION, 'innodb_snapshot_isolation', 'time_zone', 'system_time_zone', 'sql_mode'];

/** How a server treats a connection that this program has set up, as every one of its pools is. */
export async function checkSession(connection: Connection): Promise<Finding[]> {
  const rows = await connection.query<{ Variable_name: string; Value: string }[]>(
    'SHOW SESSION VARIABLES WHERE Variable_name IN (?)',
    [NAMES],
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

/** Further apart, times that are stored and ages that are compared mislead people, and tokens seem to be expired. */
const TOLERANCE_MS = 2_000;

/** How far the clock of the database is from that of this machine. */
export async function checkClock(reader: Reader): Promise<Finding[]> {
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
