import { Document } from 'yaml';
import { DEFINITIONS, SETTING_NAMES, type Definition } from './definitions.js';
import type { ReadSettings } from './settings.js';

/** The settings as a file has them, with where each is from, and without secrets. */
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
