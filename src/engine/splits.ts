import { EXHAUSTED, PAUSED, type Effort } from './effort.js';
import type { Part, SmallestSets } from './smallestSets.js';

/**
 * The splits at one anchor. Each has a number beyond those of the anchor's units, so that a domain can list it like a unit.
 * They are found as the descent asks for them: a domain grows at its end.
 */
export class Splits {
  private readonly found: (readonly Part[])[] = [];
  private readonly parties: ReadonlySet<number>;

  constructor(
    private readonly unitCount: number,
    private readonly domains: readonly number[][],
    /** By variable, where no provider can give its amount whole; with the units that could give a part. */
    private readonly sources: ReadonlyMap<number, { readonly sets: SmallestSets; readonly units: number[] }>,
  ) {
    this.parties = new Set([...sources.values()].flatMap(({ units }) => units));
  }

  /** The parts of a choice; undefined when it is a unit. */
  at(choice: number): readonly Part[] | undefined {
    return choice < this.unitCount ? undefined : this.found[choice - this.unitCount];
  }

  /** Looks for one more split of a variable and adds it to the variable's domain. */
  grow(variable: number, effort: Effort): 'grown' | typeof PAUSED | typeof EXHAUSTED {
    const split = this.sources.get(variable)?.sets.nextSplit(effort) ?? EXHAUSTED;
    if (split === PAUSED || split === EXHAUSTED) return split;
    this.domains[variable].push(this.unitCount + this.found.push(split) - 1);
    return 'grown';
  }

  /** The units that may give a part of the variable's amount. */
  unitsFor(variable: number): readonly number[] {
    return this.sources.get(variable)?.units ?? [];
  }

  /** Whether a unit may give a part of any. */
  mayUse(unit: number): boolean {
    return this.parties.has(unit);
  }
}
