import { createHash } from 'node:crypto';
import { usualSpelling } from '../arguments.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A part of an answer of the REST API: a value of a member, or an element of the list or object in a member. */
export interface Entry {
  /** The names that lead to the value, such as `['inventories', 'VCPU']`. Independent of the order in lists. */
  readonly path: readonly string[];
  /** The value in its usual form. For a list or an object that is a member, `[]` or `{}`. */
  readonly value: Json;
}

const LISTS = '[]';
const [QUOTE, BACKSLASH, COMMA] = [...'"\\,'].map((char) => char.charCodeAt(0));
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [...`{}${LISTS}`].map((char) =>
  char.charCodeAt(0),
);

/**
 * Yields the entries of a JSON object while its text arrives. Holds one entry at a time.
 * @throws SyntaxError if the text is no whole JSON object
 */
export async function* entriesOf(chunks: AsyncIterable<string>): AsyncGenerator<Entry> {
  const pieces = new Pieces();
  for await (const chunk of chunks) {
    for (const piece of pieces.of(chunk)) {
      const entry = pieces.entryOf(piece);
      if (entry !== null) yield entry;
    }
  }
  if (!pieces.isComplete) throw new SyntaxError('the answer is cut off');
}

/** Cuts the text of a JSON object at the separators of its two outer levels. */
class Pieces {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private text = '';
  /** The member whose list or object is being read. */
  private member = '';
  private isList = false;
  isComplete = false;

  *of(chunk: string): Generator<{ readonly text: string; readonly end: number }> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const char = chunk.charCodeAt(at);
      if (!this.isSeparator(char)) continue;
      const text = this.text + chunk.slice(start, at);
      this.text = '';
      start = at + 1;
      yield { text, end: char };
    }
    this.text += chunk.slice(start);
  }

  /** Follows strings and levels. Returns whether a character ends a piece. */
  private isSeparator(char: number): boolean {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (char === BACKSLASH) this.isEscaped = true;
      else if (char === QUOTE) this.isInString = false;
      return false;
    }
    if (char === QUOTE) this.isInString = true;
    else if (char === OPEN_OBJECT || char === OPEN_LIST) return ++this.depth <= 2;
    else if (char === CLOSE_OBJECT || char === CLOSE_LIST) return this.depth-- <= 2;
    return char === COMMA && this.depth <= 2;
  }

  /** Returns the entry of a piece. Null if the piece has none. */
  entryOf({ text, end }: { readonly text: string; readonly end: number }): Entry | null {
    const piece = text.trim();
    if (end === OPEN_OBJECT || end === OPEN_LIST) return this.opened(piece, end === OPEN_LIST);
    // after the end of a member's list or object, nothing is between it and the next separator
    const isInMember = this.depth === (end === COMMA ? 2 : 1);
    if (end !== COMMA && this.depth === 0) this.isComplete = true;
    if (piece === '') return null;
    if (isInMember && this.isList) return elementOf(this.member, usualForm(JSON.parse(piece) as Json));
    const [[name, value]] = Object.entries(JSON.parse(`{${piece}}`) as Record<string, Json>);
    const path = isInMember ? [this.member, usualSpelling(name)] : [name];
    return { path, value: usualForm(value) };
  }

  private opened(piece: string, isList: boolean): Entry | null {
    if (this.depth === 1) {
      if (isList || piece !== '' || this.isComplete) throw new SyntaxError('the answer is no JSON object');
      return null;
    }
    this.member = JSON.parse(piece.replace(/\s*:$/, '')) as string;
    this.isList = isList;
    return { path: [this.member], value: isList ? [] : {} };
  }
}

/** Names an element of a list by itself or its id; other elements by a digest. */
function elementOf(member: string, value: Json): Entry {
  const { uuid, name } = (value ?? {}) as { readonly uuid?: string; readonly name?: string };
  const own = typeof value === 'string' ? value : (uuid ?? name ?? digestOf(value));
  return { path: [member, own], value };
}

/** The maximum length of a text that stands for itself. */
const SHORT = 32;

/** Returns a short text that is equal for equal values. */
export function digestOf(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= SHORT ? text : createHash('sha256').update(text).digest('base64url').slice(0, SHORT);
}

/** Sorts members and lists, and omits links: they depend on the address of the server. */
function usualForm(value: Json): Json {
  if (typeof value === 'string') return usualSpelling(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const keyed = (value as readonly Json[])
      .map(usualForm)
      .map((each) => [JSON.stringify(each), each] as const);
    return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
  }
  const members = Object.entries(value as Record<string, Json>)
    .filter(([name]) => name !== 'links')
    .map(([name, each]) => [usualSpelling(name), usualForm(each)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
