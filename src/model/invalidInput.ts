/**
 * Input that is malformed or duplicated or names an unknown object (INVALID_INPUT). `path` names
 * the field of the GraphQL input without the leading `input`. List positions are decimal numbers:
 * `['inventories', '2', 'allocationRatio']`.
 */
export class InvalidInput extends Error {
  constructor(
    readonly path: readonly string[],
    message: string,
    /** The name that the catalog does not have; used for suggestions. */
    readonly unknown: UnknownName | null = null,
  ) {
    super(message);
    this.name = 'InvalidInput';
  }

  within(prefix: readonly string[]): InvalidInput {
    return new InvalidInput([...prefix, ...this.path], this.message, this.unknown);
  }
}

export interface UnknownName {
  readonly kind: 'trait' | 'resource class';
  readonly name: string;
}

/** Longer names are cut in messages. */
const LONGEST_NAME = 255;

/** Returns the error for a trait or resource class that is not in the catalog (decision D12). */
export function unknownName(kind: UnknownName['kind'], name: string, path: readonly string[]): InvalidInput {
  const shown = JSON.stringify(name.slice(0, LONGEST_NAME));
  return new InvalidInput(path, `${kind} ${shown} is unknown`, { kind, name });
}

/** @throws InvalidInput unless the condition holds */
export function ensure(isValid: boolean, path: readonly string[], message: string): void {
  if (!isValid) throw new InvalidInput(path, message);
}

/** Returns the position of the first repeated value; -1 if all differ. */
export function firstDuplicate(values: readonly unknown[]): number {
  const seen = new Set<unknown>();
  return values.findIndex((value) => seen.has(value) || !seen.add(value));
}
