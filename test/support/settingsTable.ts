import {
  DEFINITIONS,
  flagOf,
  SETTING_NAMES,
  variableOf,
  type Definition,
} from '../../src/cli/settings/definitions.js';

/** What docs/reference/settings.md has of each setting: its cells. */
export function settingRows(): string[][] {
  return SETTING_NAMES.map((name) => {
    const { about, standard }: Definition = DEFINITIONS[name];
    const isPath = name === 'database.dataDirectory';
    const shown = standard === null || isPath ? '' : `\`${JSON.stringify(standard)}\``;
    return [`\`${name}\``, `\`${variableOf(name)}\``, `\`${flagOf(name)}\``, shown, about];
  });
}
