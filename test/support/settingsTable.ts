import {
  DEFINITIONS,
  flagOf,
  SETTING_NAMES,
  variableOf,
  type Definition,
} from '../../src/server/settings/definitions.js';

/** Returns the rows of the table in docs/reference/settings.md. */
export function settingRows(): string[][] {
  return SETTING_NAMES.map((name) => {
    const { about, defaultValue }: Definition = DEFINITIONS[name];
    const isPath = name === 'database.dataDirectory';
    const shown = defaultValue === null || isPath ? '' : `\`${JSON.stringify(defaultValue)}\``;
    return [`\`${name}\``, `\`${variableOf(name)}\``, `\`${flagOf(name)}\``, shown, about];
  });
}
