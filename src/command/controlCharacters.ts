/** Control characters, separators of lines, and characters that change the direction of a text. */
const CONTROL = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
const EVERY = new RegExp(CONTROL, 'gu');

export const hasControls = (text: string): boolean => CONTROL.test(text);

/**
 * Replaces control characters by escape sequences, which are those of JSON: a name cannot control a terminal.
 * @param kept `lines` keeps the ends of lines
 */
export function escaped(text: string, kept?: 'lines'): string {
  return text.replace(EVERY, (character) =>
    character === '\n' && kept === 'lines'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
