import type { Reader } from '../statements.js';
import { readSettings } from '../cluster/availability.js';
import { binaryLogProblem } from './binaryLog.js';
import { ok, problem, warning, type Finding } from './finding.js';

/** What this program needs of a server. */
export interface ServerNeeds {
  /** Connections of all its processes together. */
  readonly connections: number;
  /** Whether the settings have the binary log read. */
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

/** What the settings of a database server mean for this program. */
export async function checkServerSettings(reader: Reader, needs: ServerNeeds): Promise<Finding[]> {
  const values = await readSettings(reader, 'VARIABLES', NAMES);
  const findings = CHECKS.flatMap((check) => check(values, needs));
  const log = needs.hasBinaryLog ? await binaryLogProblem(reader) : null;
  if (log !== null)
    findings.push(
      problem(
        'binary log',
        `${log}, and foreignWrites.binaryLog is set: what others write is seen by comparing alone`,
        {
          change:
            'set log_bin, binlog_format = ROW and binlog_row_image = FULL in the option file of the server and start it again; or leave foreignWrites.binaryLog out',
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

/** Statements that hold until the server is started again, and what keeps it. */
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

/** For one of the server's own, and for whoever looks what is wrong. */
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

/** A request may have 16 MiB, and what is written of it is about as long. */
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

/** Connections of long work are idle for up to five minutes before they are closed in good order. */
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
