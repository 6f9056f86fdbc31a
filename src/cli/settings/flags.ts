import { Option } from 'commander';
import { DEFINITIONS, flagOf, SETTING_NAMES } from './definitions.js';
import type { Flags } from './settings.js';

/** A flag for each setting; a list may have several values behind it. */
export function flagOptions(): Option[] {
  return SETTING_NAMES.map((name) => {
    const { about, standard } = DEFINITIONS[name];
    const value = Array.isArray(standard) ? '<value...>' : '<value>';
    return new Option(`${flagOf(name)} ${value}`, about);
  });
}

/** The settings among what the command line gives. */
export function flagsIn(options: object): Flags {
  const given = options as Readonly<Record<string, string | readonly string[] | undefined>>;
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const value = given[new Option(flagOf(name)).attributeName()];
      return value === undefined ? [] : [[name, String(value)]]; // of a list with commas
    }),
  );
}
