/** The lengths of values of the scalar JSON as texts (characters). */
const lengths = new WeakMap<object, number>();

/** The characters of a JSON text that take about as long to read as a field takes to resolve. */
const TEXT_OF_FIELD = 64;

/** Returns the number of fields that take as long as reading JSON texts. @param length in characters */
export function fieldsOfReading(length: number): number {
  return Math.ceil(length / TEXT_OF_FIELD);
}

/** Reads a stored JSON text for an answer. */
export function readJson(text: string): unknown {
  return withLength(JSON.parse(text) as object, text.length);
}

/** Notes the length of a JSON value that an answer has (characters). Returns the value. */
export function withLength<T extends object>(value: T, length: number): T {
  lengths.set(value, length);
  return value;
}

/** Returns the length of a JSON value as text (characters), 0 for other values. */
export function lengthOfJson(value: unknown): number {
  return typeof value === 'object' && value !== null ? (lengths.get(value) ?? 0) : 0;
}
