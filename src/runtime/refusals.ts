/** Thrown by work that takes longer than it may. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Thrown where a server has as much work as it can take: the same request may succeed a little later. */
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

/** Thrown for a client that has its share of what other clients wait for. */
export class Throttled extends Overloaded {}

/** The database cannot be reached, or cannot serve the request now. The same request may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** When to try again, in seconds. */
  readonly retryAfter = 1;
}

/** Thrown for an operation that costs more than one may. */
export class CostExceeded extends Error {
  override readonly name = 'CostExceeded';

  constructor(
    readonly cost: number,
    most: number,
  ) {
    super(`The operation costs ${cost}; ${most} is allowed.`);
  }
}
