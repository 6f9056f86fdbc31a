/** A limit of what is free in the domains that a PACK rule uses. */
export interface Fill {
  /** By domain: see `domainWeights`. Other domains must not be used. */
  readonly weights: ReadonlyMap<number, number>;
  /** The maximum sum of the weights of the used domains. */
  readonly limit: number;
}

/** The conditions that a placement of the consumers must meet. */
export interface Goal {
  /** By member: the requests that it may use, in order of preference. */
  readonly allowed: readonly (readonly number[])[];
  /** By rule: the maximum number of domains of PACK rules. */
  readonly packLimits: readonly number[];
  /** By rule: how full the domains of PACK rules must be; null: any. */
  readonly fills: readonly (Fill | null)[];
  readonly ignored: ReadonlySet<number>;
  readonly ignoresRelations: boolean;
  /** By rule: the domains that could serve a consumer; empty for other kinds than SPREAD. */
  readonly eligible: readonly ReadonlySet<number>[];
  /** The number of consumers that may be left out. */
  readonly maxSkipped: number;
  /** The number of present consumers that may move. */
  readonly maxMoved: number;
  /** The work (Effort.spent) after which the search gives up. */
  readonly work: number;
}
