import { Option } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { Document, parse } from 'yaml';
import {
  DEFINITIONS,
  type Definition,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  flagOf,
  variableOf,
} from './definitions.js';

const DEFAULT_FILE = 'placement.yaml';
const FILE_VARIABLE = 'PLACEMENT_CONFIG';

/** The texts of the settings that were given as flags. */
type Flags = Readonly<Partial<Record<SettingName, string>>>;

export interface Sources {
  readonly flags?: Flags;
  readonly file?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface ReadSettings {
  readonly settings: Settings;
  /** The origin of each value: a flag, a variable, the file, or `default`. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

interface Given {
  readonly name: string;
  readonly origin: string;
  readonly label: string;
  readonly value: unknown;
}

/**
 * Reads every setting from the flags, the environment, the file or its default. An empty variable is not set.
 *
 * @throws Error with a line for each invalid setting
 */
export function readSettings({ flags = {}, file, environment = process.env }: Sources = {}): ReadSettings {
  const errors: string[] = [];
  const given = [
    ...fromCommand(flags, environment),
    ...readFile(settingsFile({ file, environment }), errors),
  ];
  const settings: Record<string, unknown> = {};
  const origins: Record<string, string> = {};
  for (const name of SETTING_NAMES) {
    const { type, defaultValue, isSecret }: Definition = DEFINITIONS[name];
    const first = given.find((each) => each.name === name);
    settings[name] = defaultValue;
    origins[name] = first?.origin ?? 'default';
    if (first === undefined) continue;
    const result = type.safeParse(first.value);
    const shown = isSecret ? '' : `, not ${JSON.stringify(first.value)}`;
    if (result.success) settings[name] = result.data;
    else errors.push(`${first.label}: ${result.error.issues[0].message}${shown}`);
  }
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return { settings, origins } as ReadSettings;
}

function fromCommand(flags: Flags, environment: Sources['environment'] = {}): Given[] {
  return SETTING_NAMES.flatMap((name) => {
    const [flag, variable] = [flagOf(name), variableOf(name)];
    const given = [
      { name, origin: flag, label: flag, value: flags[name] },
      { name, origin: variable, label: variable, value: environment[variable] || undefined },
    ];
    return given.filter(({ value }) => value !== undefined);
  });
}

export function settingsFile({ file, environment = process.env }: Sources): string | null {
  return file ?? (environment[FILE_VARIABLE] || (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : null));
}

/** Reads the file: a map of maps, whose keys joined with dots are the names of settings. */
function readFile(file: string | null, errors: string[]): Given[] {
  if (file === null) return [];
  let content: unknown;
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    errors.push(`${file}: cannot be read: ${line}`);
    return [];
  }
  const entries = entriesOf(content ?? {}, '').filter(([, value]) => value !== null);
  const given = entries.map(([name, value]) => ({
    name,
    origin: file,
    label: name === '' ? file : `${file}: ${name}`,
    value,
  }));
  for (const { name, label } of given) if (!isSetting(name)) errors.push(`${label}: ${unknown(name)}`);
  return given;
}

function entriesOf(value: unknown, prefix: string): [name: string, value: unknown][] {
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isGroup || isSetting(prefix)) return [[prefix, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    entriesOf(inner, prefix === '' ? key : `${prefix}.${key}`),
  );
}

function isSetting(name: string): name is SettingName {
  return name in DEFINITIONS;
}

function unknown(name: string): string {
  if (name === '') return 'must be a map of settings';
  const [group] = name.split('.');
  const inGroup = SETTING_NAMES.filter((each) => each.startsWith(`${group}.`));
  const groups = [...new Set(SETTING_NAMES.map((each) => each.split('.')[0]))];
  return inGroup.length > 0
    ? `is no setting; those of ${group} are ${inGroup.map((each) => each.slice(group.length + 1)).join(', ')}`
    : `is no setting; the groups of settings are ${groups.join(', ')}`;
}

/** Returns a flag for each setting. A list accepts several values. */
export function flagOptions(): Option[] {
  return SETTING_NAMES.map((name) => {
    const { about, defaultValue } = DEFINITIONS[name];
    const value = Array.isArray(defaultValue) ? '<value...>' : '<value>';
    return new Option(`${flagOf(name)} ${value}`, about);
  });
}

/** Returns the sources of the settings that the options of a command name. */
export function sourcesOf(options: { readonly config?: string }): Sources {
  const given = options as Readonly<Record<string, string | readonly string[] | undefined>>;
  const flags = SETTING_NAMES.flatMap((name) => {
    const value = given[new Option(flagOf(name)).attributeName()];
    return value === undefined ? [] : [[name, String(value)]]; // joins a list with commas
  });
  return { flags: Object.fromEntries(flags) as Flags, file: options.config };
}

/** Formats the settings as a file, with their origins as comments and without secrets. */
export function settingsAsYaml({ settings, origins }: ReadSettings): string {
  const document = new Document({});
  for (const name of SETTING_NAMES) {
    const { isSecret }: Definition = DEFINITIONS[name];
    const value = settings[name];
    const shown = isSecret && typeof value === 'string' ? withoutPassword(value) : value;
    const node = document.createNode(shown, { flow: true });
    node.comment = ` ${origins[name]}`;
    document.setIn(name.split('.'), node);
  }
  return document.toString({ lineWidth: 0 });
}

function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/?#]*):.*@/, '$1:***@');
}
