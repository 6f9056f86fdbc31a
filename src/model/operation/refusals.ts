/** Thrown if work exceeds its time limit. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Thrown if the server has no free capacity. The same request may succeed later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';

  /** @param retryAfter when to try again, in seconds */
  constructor(
    message: string,
    readonly retryAfter = 1,
  ) {
    super(message);
  }
}

/** Thrown if a client already has its share of a resource that other clients want, too. */
export class Throttled extends Overloaded {}

/** The database cannot be reached, or cannot serve the request now. The same request may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** When to try again, in seconds. */
  readonly retryAfter = 1;
}

/** Thrown if an operation exceeds the maximum cost. The client can request fewer objects. */
export class CostExceeded extends Error {
  override readonly name = 'CostExceeded';

  constructor(
    readonly cost: number,
    most: number,
    advice = 'Request fewer objects: use `first`, `limit` or a filter.',
  ) {
    super(`The operation costs ${cost}; ${most} is allowed. ${advice}`);
  }
}

/** Thrown before a read that would need more memory than the process may use for it. */
export class MemoryExceeded extends Error {
  override readonly name = 'MemoryExceeded';

  constructor(what: string, bytes: number, most: number) {
    const megabytes = (amount: number): string => `${Math.ceil(amount / 1e6)} MB`;
    super(
      `${what} need ${megabytes(bytes)} of memory in this order; ${megabytes(most)} are allowed. Use the order by age.`,
    );
  }
}
