import { accessSync, constants, statSync } from 'node:fs';
import { ok, problem, warning, type Finding } from '../../database/diagnosis/finding.js';
import type { SettingName, Settings } from '../settings/definitions.js';
import { type ReadSettings, type Sources, readSettings, settingsFile } from '../settings/settings.js';

const CHECK = 'settings';
const warn = (found: string, change: string): Finding => warning(CHECK, found, { change });
const fault = (found: string, change: string): Finding => problem(CHECK, found, { change });

const SECRET_FILES = ['tls.key', 'tokens.file'];
const FILES = ['tls.certificate', 'jwt.keyFile', 'graphql.trustedDocuments'];

/** Reads the settings. `settings` is null if they are invalid. */
export function checkSettings(sources: Sources): {
  readonly findings: readonly Finding[];
  readonly settings: Settings | null;
} {
  let read: ReadSettings;
  try {
    read = readSettings(sources);
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    return {
      findings: lines.map((line) =>
        fault(line, 'correct it: `docs/reference/settings.md` has every setting'),
      ),
      settings: null,
    };
  }
  const findings = [...checkSecrets(read, sources), ...checkFiles(read.settings), ...contradictions(read)];
  const isWell = findings.length === 0;
  const file = settingsFile(sources);
  const where = file === null ? 'there is no file' : `from ${file} too`;
  return {
    findings: isWell ? [ok(CHECK, `every one makes sense; ${where}`)] : findings,
    settings: read.settings,
  };
}

/** Reports a password of the database that other users can read. */
function checkSecrets({ settings, origins }: ReadSettings, sources: Sources): Finding[] {
  const hasPassword = /^\w+:\/\/[^/?#]*:[^/?#]*@/.test(settings['database.url'] ?? '');
  if (!hasPassword) return [];
  const origin = origins['database.url'];
  if (origin.startsWith('--'))
    return [
      warn(
        'the password of the database is on the command line, which every user of this machine can see',
        'put it into DATABASE_URL or into the file',
      ),
    ];
  return origin === settingsFile(sources) ? checkMode(origin, 'has the password of the database') : [];
}

function checkFiles(settings: Settings): Finding[] {
  const values: Readonly<Record<string, unknown>> = settings;
  const named = (names: readonly string[]): [name: string, file: string][] =>
    names.flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name]]] : []));
  return [
    ...named(SECRET_FILES).flatMap(([name, file]) => [
      ...checkReadable(name, file),
      ...checkMode(file, `is a secret (${name})`),
    ]),
    ...named(FILES).flatMap(([name, file]) => checkReadable(name, file)),
  ];
}

function checkReadable(name: string, file: string): Finding[] {
  try {
    accessSync(file, constants.R_OK);
    return [];
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'may not be read';
    return [fault(`${name}: ${file} ${why}`, 'correct its name, or let the user of the server read it')];
  }
}

/** Reports a file that others may access. A service user reads files of root through its group. */
function checkMode(file: string, what: string): Finding[] {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o027) === 0) return [];
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  return [warn(`${file} ${what}, and others may read or write it (${octal})`, `chmod o=,g-w ${file}`)];
}

type Contradiction = readonly [isThere: (settings: Settings) => boolean, line: string, change: string];

const CONTRADICTIONS: readonly Contradiction[] = [
  [
    (settings) => settings['operations.smallCost'] > settings['operations.cost'],
    'operations.smallCost is above operations.cost: every operation counts as small',
    'lower operations.smallCost',
  ],
  [
    (settings) => settings['operations.cost'] > settings['operations.costInAll'],
    'operations.cost is above operations.costInAll: an operation of this cost waits until no other runs',
    'raise operations.costInAll, or lower operations.cost',
  ],
  [
    (settings) => settings['operations.smallCost'] > settings['operations.smallCostInAll'],
    'operations.smallCost is above operations.smallCostInAll: a small operation of this cost waits until no other runs',
    'raise operations.smallCostInAll, or lower operations.smallCost',
  ],
  [
    (settings) => settings['database.statementSeconds'] > 2 * settings['operations.seconds'],
    'database.statementSeconds is more than twice operations.seconds: statements continue after their operation',
    'lower database.statementSeconds',
  ],
  [
    (settings) => settings['database.url'] === null && settings['foreignWrites.binaryLog'],
    'foreignWrites.binaryLog is set, and a private database has no binary log',
    'leave foreignWrites.binaryLog out, or set DATABASE_URL',
  ],
  [
    (settings) => settings['http.allowedOrigins'].some((origin) => !isOrigin(origin)),
    'http.allowedOrigins has what is no origin',
    'write each as https://host or https://host:port, without a path',
  ],
];

function contradictions({ settings, origins }: ReadSettings): Finding[] {
  const directory: SettingName = 'database.dataDirectory';
  const found = CONTRADICTIONS.filter(([isThere]) => isThere(settings)).map(([, line, change]) =>
    warn(line, change),
  );
  if (settings['database.url'] !== null && origins[directory] !== 'default')
    found.push(
      warn(`${directory} is set, and not used because DATABASE_URL is set, too`, 'leave one of them out'),
    );
  return found;
}

function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}
