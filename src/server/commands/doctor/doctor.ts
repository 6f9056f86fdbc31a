import { statSync, statfsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Finding, type Severity, ok, problem, warning } from '../../../store/finding.js';
import { databaseProcesses } from '../../../tools/privateDatabase/processes.js';
import { findServerProgram } from '../../../tools/privateDatabase/program.js';
import { urlOf } from '../../http/address.js';
import { OLDEST_NODE, VERSION } from '../../../store/version.js';
import { type CommonOptions, hasPrivateDatabase, urlBeside } from '../../start/bootstrap.js';
import { Lifecycle } from '../../start/lifecycle.js';
import { lockHolder } from '../../start/lock.js';
import { listenFailure } from '../../start/port.js';
import type { Settings } from '../../settings/definitions.js';
import { sourcesOf, type Sources } from '../../settings/settings.js';
import { checkSettings, permissions } from './configuration.js';
import { attempt, checkDatabase } from './database.js';

/** Checks everything that a server needs. Ends with 1 if there is a problem. Changes nothing. */
export function doctor({ json, ...options }: CommonOptions & { readonly json?: boolean }): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    lifecycle.failOnSignal();
    if (json) console.log = console.error; // keeps progress messages out of the JSON
    const findings = await findingsOf(lifecycle, sourcesOf(options));
    process.stdout.write(json ? asJson(findings) : asText(findings));
    await lifecycle.end(findings.some(({ level }) => level === 'problem') ? 1 : 0);
  });
}

async function findingsOf(lifecycle: Lifecycle, sources: Sources): Promise<Finding[]> {
  const { findings, settings } = await checkSettings(lifecycle, sources);
  const own = [...checkPrograms(), ...findings];
  if (settings === null) return own;
  return [
    ...own,
    ...(await checkServerProgram(settings)),
    ...(await attempt('port', () => checkPort(settings))),
    ...(settings['database.url'] === null
      ? await attempt(DIRECTORY, () => checkPrivateDatabase(lifecycle, settings))
      : await checkDatabase(settings['database.url'], settings)),
  ];
}

const DIRECTORY = 'data directory';

/** Checks the private database if it exists. Starts it for the checks if it does not run. */
async function checkPrivateDatabase(lifecycle: Lifecycle, settings: Settings): Promise<Finding[]> {
  const directory = settings['database.dataDirectory'];
  const none = ok('connection', 'there is no private database yet: `serve` creates it');
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found === undefined)
    return [ok(DIRECTORY, `${directory} does not exist yet: \`serve\` creates it`), none];
  const owner = checkOwner(directory, found);
  if (owner.some(({ level }) => level === 'problem')) return owner;
  return [
    ...(await attempt(DIRECTORY, () => checkDirectory(directory, owner))),
    ...(await attempt('connection', async () =>
      hasPrivateDatabase(settings) ? checkDatabase(await urlBeside(lifecycle, settings), settings) : [none],
    )),
  ];
}

const LEVELS: readonly Severity[] = ['ok', 'warning', 'problem'];
const WIDTH = 'problem'.length;

/** Formats each finding with its remedies, then the number of problems and warnings. */
function asText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, level, found, change, statements = [] }) => [
    `${level.padEnd(WIDTH)}  ${check}: ${found}`,
    ...statements.map((statement) => `${' '.repeat(WIDTH)}  -> ${statement};`),
    ...(change === undefined ? [] : [`${' '.repeat(WIDTH)}  -> ${change}`]),
  ]);
  const [, warnings, problems] = LEVELS.map(
    (level) => findings.filter((each) => each.level === level).length,
  );
  return `${[...lines, `${problems} problems, ${warnings} warnings`].join('\n')}\n`;
}

function asJson(findings: readonly Finding[]): string {
  const worst = LEVELS.findLast((level) => findings.some((each) => each.level === level)) ?? 'ok';
  return `${JSON.stringify({ worst, findings }, null, 2)}\n`;
}

function checkPrograms(): Finding[] {
  const { node } = process.versions;
  const change = `install Node ${OLDEST_NODE} or later`;
  const isRecent = numbersOf(node) >= numbersOf(OLDEST_NODE);
  return [
    ok('program', `placement-graphql ${VERSION}`),
    isRecent ? ok('Node', node) : problem('Node', `${node} is too old`, { change }),
  ];
}

function numbersOf(version: string): number {
  const [major, minor = 0] = version.split('.').map(Number);
  return 1_000 * major + minor;
}

async function checkServerProgram(settings: Settings): Promise<Finding[]> {
  if (settings['database.url'] !== null) return [];
  const program = await findServerProgram();
  if (program !== null) return [ok('database program', `${program.flavour}, ${program.server}`)];
  const change =
    'install one (Debian: `apt install mariadb-server-core mariadb-client-core`), or set DATABASE_URL';
  return [problem('database program', 'neither MariaDB nor MySQL is installed on this machine', { change })];
}

/** Checks whether the server can listen at the port, or already does. */
async function checkPort(settings: Settings): Promise<Finding[]> {
  const port = settings['http.port'];
  if (port === 0) return [ok('port', 'any free one')];
  const failure = await listenFailure(port, settings['http.host']);
  if (failure === null) return [ok('port', `${port} is free`)];
  const { code } = failure;
  if (code === 'EACCES') {
    const change = 'choose one above 1023 with http.port, or give the program CAP_NET_BIND_SERVICE';
    return [problem('port', `this user may not listen on ${port}`, { change })];
  }
  if (code !== 'EADDRINUSE') return [problem('port', `the server cannot listen on ${port}: ${code}`)];
  const holder =
    settings['database.url'] === null ? await lockHolder(settings['database.dataDirectory']) : null;
  if (holder?.includes(`:${port}/`)) return [ok('port', `${port} is served by ${holder}`)];
  if (await answersAsOurs(settings)) return [ok('port', `${port} is served by a placement-graphql`)];
  const change = `choose another with http.port, or find the program: ss -ltnp 'sport = :${port}'`;
  return [problem('port', `${port} is in use by another program`, { change })];
}

/** Returns whether a placement-graphql server answers at the address of the settings. */
async function answersAsOurs(settings: Settings): Promise<boolean> {
  const isSecure = settings['tls.certificate'] !== null;
  const bound = { port: settings['http.port'] } as AddressInfo;
  const url = urlOf(settings['http.host'], bound, isSecure);
  const { get } = await (isSecure ? import('node:https') : import('node:http'));
  const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(3_000) };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(new URL('/readyz', url), options, resolve).on('error', reject);
    });
    return 'status' in ((await json(response)) as object);
  } catch {
    return false;
  }
}

const GIB = 2 ** 30;

/** Less free space (bytes) than the first is a warning, less than the second is a problem. */
const LITTLE_SPACE = GIB;
const NO_SPACE = GIB / 10;

async function checkDirectory(directory: string, owner: readonly Finding[]): Promise<Finding[]> {
  const holder = await lockHolder(directory);
  const left = holder === null ? await databaseProcesses(await realpath(directory)) : [];
  const running = `a database that was left running uses it (process ${left.join(', ')})`;
  const change = 'start the server, which stops it and continues with the same data';
  const findings = [
    ...owner,
    ...checkSpace(directory),
    ...(left.length > 0 ? [warning(DIRECTORY, running, { change })] : []),
  ];
  if (findings.length > 0) return findings;
  const use = holder === null ? 'not in use' : `in use by ${holder}`;
  return [ok(DIRECTORY, `${directory}, ${use}, ${gib(freeSpace(directory))} free`)];
}

function checkOwner(directory: string, { uid, mode }: { uid: number; mode: number }): Finding[] {
  const self = process.getuid?.() ?? uid;
  const owner = `${directory} belongs to the user ${uid}, and this is the user ${self}`;
  const remedy = { change: `run the program as that user, or: chown -R ${self} ${directory}` };
  const access = `others may read ${directory} (${permissions(mode)})`;
  return [
    ...(uid !== self && self !== 0 ? [problem(DIRECTORY, owner, remedy)] : []),
    ...((mode & 0o077) !== 0 ? [warning(DIRECTORY, access, { change: `chmod 700 ${directory}` })] : []),
  ];
}

function checkSpace(directory: string): Finding[] {
  const free = freeSpace(directory);
  if (free >= LITTLE_SPACE) return [];
  const finding = free < NO_SPACE ? problem : warning;
  const change = 'free disk space: the database rejects every write when the disk is full';
  return [finding(DIRECTORY, `${gib(free)} are free on the disk of ${directory}`, { change })];
}

function freeSpace(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

function gib(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}
