/*
 * Writers append values to JSON text. Writers of values combine to writers of lists and objects.
 */

/** A text to which writers append. */
export interface Text {
  text: string;
}

export type Write<T> = (out: Text, value: T) => void;

export function list<T>(write: Write<T>): Write<readonly T[]> {
  return (out, values) => {
    out.text += '[';
    for (let at = 0; at < values.length; at++) {
      if (at > 0) out.text += ',';
      write(out, values[at]);
    }
    out.text += ']';
  };
}

/** The maximum number of list items in one piece, and the length from which a piece ends (characters). */
const ITEMS = 64;
const LONG_PIECE = 65_536;

/** Yields the text of a list in pieces. */
export function* listPieces<T>(write: Write<T>, values: readonly T[]): Generator<string> {
  let out = { text: '[' };
  for (let at = 0; at < values.length; at++) {
    if (at > 0) out.text += ',';
    write(out, values[at]);
    if (at % ITEMS !== ITEMS - 1 && out.text.length < LONG_PIECE) continue;
    yield out.text;
    out = { text: '' };
  }
  yield `${out.text}]`;
}

/** A part of a JSON text: characters, or texts as bytes that nobody changes. */
export type Piece = string | readonly Uint8Array[];

/** Yields a list of items in pieces. `textOf` returns the bytes of an item after a comma. */
export function* bytePieces<T>(
  values: Iterable<T>,
  textOf: (value: T) => Uint8Array,
  [start, end]: readonly [start: string, end: string],
): Generator<Piece> {
  yield start;
  let part: Uint8Array[] = [];
  let isFirst = true;
  for (const value of values) {
    const text = textOf(value);
    part.push(isFirst ? text.subarray(1) : text);
    isFirst = false;
    if (part.length < ITEMS) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
  yield end;
}

/** Returns the writer of a value that `textOf` converts to JSON text. */
export function leaf<T>(textOf: (value: T) => string): Write<T> {
  return (out, value) => {
    out.text += textOf(value);
  };
}

/** Matches text that needs no escapes in JSON, which is nearly all text. */
const PLAIN = /^[\w.:=-]*$/;

/** Equals JSON.stringify, but is twice as fast for plain text. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Returns the text that a writer appends for a value. */
export function textOf<T>(write: Write<T>, value: T): string {
  const own = { text: '' };
  write(own, value);
  own.text.charCodeAt(0); // flattens the concatenated string once instead of at each use
  return own.text;
}

/** Writes the text of a value again if it equals the last one. */
export function repeating<T>(write: Write<T>): Write<T> {
  let last: { readonly value: T; readonly text: string } | null = null;
  return (out, value) => {
    if (last === null || last.value !== value) last = { value, text: textOf(write, value) };
    out.text += last.text;
  };
}

/** The maximum number of cached texts. A full cache is cleared. */
const MOST_REMEMBERED = 4_096;

/**
 * Caches the texts of repeated values by two keys, from their first repetition on. If `keysOf` returns null, it does not
 * cache.
 */
export function remembering<T>(
  write: Write<T>,
  keysOf: (value: T) => readonly [unknown, object] | null,
): Write<T> {
  const texts = new Map<unknown, Map<object, string | null>>();
  let count = 0;

  return (out, value) => {
    const keys = keysOf(value);
    if (keys === null) return write(out, value);
    const [first, second] = keys;
    if (count === MOST_REMEMBERED) {
      texts.clear();
      count = 0;
    }
    let known = texts.get(first);
    if (known === undefined) texts.set(first, (known = new Map<object, string>()));
    let text = known.get(second);
    if (text === undefined) {
      known.set(second, null);
      count++;
      return write(out, value);
    }
    if (text === null) known.set(second, (text = textOf(write, value)));
    out.text += text;
  };
}
