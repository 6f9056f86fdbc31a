/**
 * Input that is malformed, duplicated or names something unknown in the catalog: INVALID_INPUT of the API,
 * whoever finds it. `path` names the field as in the GraphQL input (without the leading `input`), list
 * positions as decimal numbers: `['inventories', '2', 'allocationRatio']`.
 */
export class InvalidInput extends Error {
  constructor(
    readonly path: readonly string[],
    message: string,
    /** Where the catalog does not have a name: what was named, so that whoever tells it can say what may have been meant. */
    readonly unknown: UnknownName | null = null,
  ) {
    super(message);
    this.name = 'InvalidInput';
  }

  /** The same of an input that is part of another one. */
  within(prefix: readonly string[]): InvalidInput {
    return new InvalidInput([...prefix, ...this.path], this.message, this.unknown);
  }
}

export interface UnknownName {
  readonly kind: 'trait' | 'resource class';
  readonly name: string;
}

/** Names are no longer than this; what is longer is cut in messages. */
const LONGEST_NAME = 255;

/** The catalog has no trait, or no resource class, of this name (decision D12). */
export function unknownName(kind: UnknownName['kind'], name: string, path: readonly string[]): InvalidInput {
  const shown = JSON.stringify(name.slice(0, LONGEST_NAME));
  return new InvalidInput(path, `${kind} ${shown} is unknown`, { kind, name });
}
