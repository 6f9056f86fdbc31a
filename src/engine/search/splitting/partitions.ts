import { EXHAUSTED, PAUSED, type Effort } from '../../model/effort.js';
import type { Part, SmallestPartitions } from './smallestPartitions.js';

/** Where the partitions of a variable's amount come from, and all providers that may contribute to them. */
interface PartitionSource {
  readonly partitions: SmallestPartitions;
  readonly providers: readonly number[];
}

/**
 * The partitions at one anchor. Each has a number beyond the positions of the anchor's providers, so that it
 * can be a value of a domain. They are found as the descent asks for them: a domain grows at its end.
 */
export class Partitions {
  private readonly found: (readonly Part[])[] = [];
  private readonly contributors: ReadonlySet<number>;

  constructor(
    private readonly providerCount: number,
    private readonly domains: readonly number[][],
    /** By variable, where no provider can take its whole amount. */
    private readonly sources: ReadonlyMap<number, PartitionSource>,
  ) {
    this.contributors = new Set([...sources.values()].flatMap(({ providers }) => providers));
  }

  /** The parts of a value; undefined when it is a provider. */
  at(value: number): readonly Part[] | undefined {
    return value < this.providerCount ? undefined : this.found[value - this.providerCount];
  }

  /** Looks for one more partition of a variable's amount and adds it to the variable's domain. */
  grow(variable: number, effort: Effort): 'grown' | typeof PAUSED | typeof EXHAUSTED {
    const partition = this.sources.get(variable)?.partitions.next(effort) ?? EXHAUSTED;
    if (partition === PAUSED || partition === EXHAUSTED) return partition;
    this.domains[variable].push(this.providerCount + this.found.push(partition) - 1);
    return 'grown';
  }

  /** The providers that may take a part of the variable's amount. */
  contributorsFor(variable: number): readonly number[] {
    return this.sources.get(variable)?.providers ?? [];
  }

  /** Whether a provider may take a part of any amount. */
  mayUse(provider: number): boolean {
    return this.contributors.has(provider);
  }
}
