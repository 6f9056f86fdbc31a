/**
 * Input that is malformed, duplicated or names something unknown in the catalog: INVALID_INPUT of the API,
 * whoever finds it. `path` names the field as in the GraphQL input (without the leading `input`), list
 * positions as decimal numbers: `['inventories', '2', 'allocationRatio']`.
 */
export class InvalidInput extends Error {
  constructor(
    readonly path: readonly string[],
    message: string,
  ) {
    super(message);
    this.name = 'InvalidInput';
  }
}
