import { statSync } from 'node:fs';
import { ok, problem, warning, type Finding } from '../../../store/finding.js';
import { type Log, NO_LOG } from '../../../model/observation.js';
import { OTHERS_ACCESS } from '../../http/tls.js';
import type { Lifecycle } from '../../start/lifecycle.js';
import { prepareServing } from '../../start/serving.js';
import { attempt } from './database.js';
import type { Settings } from '../../settings/definitions.js';
import { type ReadSettings, type Sources, readSettings, settingsFile } from '../../settings/settings.js';

const CHECK = 'settings';
const warn = (found: string, change: string): Finding => warning(CHECK, found, { change });

function faults(error: unknown): Finding[] {
  const change = 'correct it: `docs/reference/settings.md` has every setting';
  return (error as Error).message.split('\n').map((line) => problem(CHECK, line, { change }));
}

/** Reads the settings. `settings` is null if they are invalid. */
export async function checkSettings(
  lifecycle: Lifecycle,
  sources: Sources,
): Promise<{ readonly findings: readonly Finding[]; readonly settings: Settings | null }> {
  let read: ReadSettings;
  try {
    read = readSettings(sources);
  } catch (error) {
    return { findings: faults(error), settings: null };
  }
  const { settings } = read;
  const risks: Finding[] = [];
  const log: Log = { ...NO_LOG, warn: (_fields, line) => risks.push(warning(CHECK, line)) };
  const findings = [
    ...(await attempt(CHECK, () => checkSecrets(read, sources))),
    ...(await prepareServing(lifecycle, settings, { log }).then(() => risks, faults)),
    ...contradictions(read),
  ];
  const file = settingsFile(sources);
  const where = file === null ? 'there is no file' : `from ${file} too`;
  return {
    findings: findings.length === 0 ? [ok(CHECK, `all are valid; ${where}`)] : findings,
    settings,
  };
}

/** Reports secrets that other users can access, except the key of the certificate, of which the server itself warns. */
function checkSecrets({ settings, origins }: ReadSettings, sources: Sources): Finding[] {
  const file = settings['tokens.file'];
  const tokens = file === null ? [] : checkMode(file, 'is a secret (tokens.file)');
  const hasPassword = /^\w+:\/\/[^/?#]*:[^/?#]*@/.test(settings['database.url'] ?? '');
  const origin = origins['database.url'];
  if (hasPassword && origin === settingsFile(sources))
    return [...checkMode(origin, 'has the password of the database'), ...tokens];
  if (!hasPassword || !origin.startsWith('--')) return tokens;
  const found =
    'the password of the database is on the command line, which every user of this machine can see';
  return [warn(found, 'put it into DATABASE_URL or into the file'), ...tokens];
}

/** Reports a file that others may access. */
function checkMode(file: string, what: string): Finding[] {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS_ACCESS) === 0) return [];
  const found = `${file} ${what}, and other users may read or write it (${permissions(mode)})`;
  return [warn(found, `chmod o=,g-w ${file}`)];
}

export function permissions(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

type Contradiction = readonly [isThere: (read: ReadSettings) => boolean, line: string, change: string];

/** The cost of a candidate with the providers and amounts of its allocations. */
const COST_OF_CANDIDATE = 11;

const CONTRADICTIONS: readonly Contradiction[] = [
  [
    ({ settings }) => settings['operations.smallCost'] > settings['operations.cost'],
    'operations.smallCost is above operations.cost: every operation counts as small',
    'lower operations.smallCost',
  ],
  [
    ({ settings }) => settings['operations.cost'] > settings['operations.costInAll'],
    'operations.cost is above operations.costInAll: an operation of this cost waits until no other runs',
    'raise operations.costInAll, or lower operations.cost',
  ],
  [
    ({ settings }) => settings['operations.smallCost'] > settings['operations.smallCostInAll'],
    'operations.smallCost is above operations.smallCostInAll: a small operation of this cost waits until no other runs',
    'raise operations.smallCostInAll, or lower operations.smallCost',
  ],
  [
    ({ settings }) => COST_OF_CANDIDATE * settings['operations.candidates'] > settings['operations.cost'],
    `operations.cost is below ${COST_OF_CANDIDATE} times operations.candidates: a search that finds as many candidates fails`,
    'raise operations.cost, or lower operations.candidates',
  ],
  [
    ({ settings }) => settings['database.statementSeconds'] > 2 * settings['operations.seconds'],
    'database.statementSeconds is more than twice operations.seconds: statements continue after their operation',
    'lower database.statementSeconds',
  ],
  [
    ({ settings }) => settings['database.url'] === null && settings['foreignWrites.binaryLog'],
    'foreignWrites.binaryLog is set, and a private database has no binary log',
    'leave foreignWrites.binaryLog out, or set DATABASE_URL',
  ],
  [
    ({ settings, origins }) =>
      settings['database.url'] !== null && origins['database.dataDirectory'] !== 'default',
    'database.dataDirectory is set, and not used because DATABASE_URL is set, too',
    'leave one of them out',
  ],
];

function contradictions(read: ReadSettings): Finding[] {
  return CONTRADICTIONS.filter(([isThere]) => isThere(read)).map(([, line, change]) => warn(line, change));
}
