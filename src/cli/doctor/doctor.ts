import { ok, type Finding } from '../../database/diagnosis/finding.js';
import { urlBeside } from '../bootstrap.js';
import { Lifecycle } from '../lifecycle.js';
import type { CommonOptions } from '../options.js';
import type { Settings } from '../settings/definitions.js';
import type { Flags } from '../settings/settings.js';
import { checkSettings } from './configuration.js';
import { checkDatabase } from './database.js';
import { checkDirectory } from './directory.js';
import { checkPrograms, checkServerProgram } from './machine.js';
import { checkPort } from './port.js';
import { asJson, asText } from './report.js';

export interface DoctorOptions extends CommonOptions {
  /** Settings that were given as flags. */
  readonly flags: Flags;
  readonly json?: boolean;
}

/** Tells whether all that a server needs is as it should be; ends with 1 when there is a problem. Changes nothing. */
export function doctor({ flags, config, json = false }: DoctorOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    lifecycle.failOnSignal();
    if (json) console.log = console.error; // what is told of progress
    const findings = await findingsOf(lifecycle, { flags, file: config });
    process.stdout.write(json ? asJson(findings) : asText(findings));
    await lifecycle.end(findings.some(({ level }) => level === 'problem') ? 1 : 0);
  });
}

async function findingsOf(
  lifecycle: Lifecycle,
  sources: { readonly flags: Flags; readonly file?: string },
): Promise<Finding[]> {
  const { findings, settings } = checkSettings(sources);
  const own = [...checkPrograms(), ...findings];
  if (settings === null) return own;
  return [
    ...own,
    ...(await checkServerProgram(settings)),
    ...(await checkPort(settings)),
    ...(settings['database.url'] === null
      ? await checkPrivateDatabase(lifecycle, settings)
      : await checkDatabase(settings['database.url'], settings)),
  ];
}

/** One that nobody runs is started for as long as it is looked at, where there is one. */
async function checkPrivateDatabase(lifecycle: Lifecycle, settings: Settings): Promise<Finding[]> {
  const { findings, hasData } = await checkDirectory(settings['database.dataDirectory']);
  if (!hasData) return [...findings, ok('connection', 'there is no private database yet: `serve` makes it')];
  const url = await urlBeside(lifecycle, settings);
  return [...findings, ...(await checkDatabase(url, settings))];
}
