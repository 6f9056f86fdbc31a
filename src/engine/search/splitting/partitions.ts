import { EXHAUSTED, PAUSED, type Effort } from '../../model/effort.js';
import type { Part, SmallestPartitions } from './smallestPartitions.js';

/**
 * The splits at one anchor. Each has a number beyond those of the anchor's units, so that a domain can list it like a unit.
 * They are found as the descent asks for them: a domain grows at its end.
 */
export class Partitions {
  private readonly found: (readonly Part[])[] = [];
  private readonly contributors: ReadonlySet<number>;

  constructor(
    private readonly unitCount: number,
    private readonly domains: readonly number[][],
    /** By variable, where no provider can give its amount whole; with the units that could give a part. */
    private readonly sources: ReadonlyMap<
      number,
      { readonly sets: SmallestPartitions; readonly units: number[] }
    >,
  ) {
    this.contributors = new Set([...sources.values()].flatMap(({ units: providers }) => providers));
  }

  /** The parts of a choice; undefined when it is a unit. */
  at(choice: number): readonly Part[] | undefined {
    return choice < this.unitCount ? undefined : this.found[choice - this.unitCount];
  }

  /** Looks for one more split of a variable and adds it to the variable's domain. */
  grow(variable: number, effort: Effort): 'grown' | typeof PAUSED | typeof EXHAUSTED {
    const partition = this.sources.get(variable)?.sets.next(effort) ?? EXHAUSTED;
    if (partition === PAUSED || partition === EXHAUSTED) return partition;
    this.domains[variable].push(this.unitCount + this.found.push(partition) - 1);
    return 'grown';
  }

  /** The units that may give a part of the variable's amount. */
  contributorsFor(variable: number): readonly number[] {
    return this.sources.get(variable)?.units ?? [];
  }

  /** Whether a unit may give a part of any. */
  mayUse(provider: number): boolean {
    return this.contributors.has(provider);
  }
}
