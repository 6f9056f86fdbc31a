import type { Plan, PlannedGroup } from '../../model/plan.js';
import { hasAnyTrait } from '../../model/providerChecks.js';
import { partsOf, type Anchor } from '../anchor.js';
import type { PartialAssignment } from './domains.js';
import { canMatch } from './matching.js';

/**
 * The required sets of traits that no assigned provider of the unsuffixed group meets, against the classes that are
 * open: each class counts for as many sets as one of its providers could meet at once.
 */
export class TraitCover {
  private readonly variables: readonly number[];
  /** By provider: the sets that it meets. */
  private readonly met: readonly (readonly number[])[];
  /** By variable: its providers of different sets, and the sets of all of them. Null where an amount is split. */
  private readonly kinds: ReadonlyMap<number, readonly (readonly number[])[] | null>;
  private readonly setCount: number;

  constructor(
    { requiredTraits }: PlannedGroup,
    plan: Plan,
    private readonly anchor: Anchor,
  ) {
    this.setCount = requiredTraits.length;
    this.variables = [...plan.variables.keys()].filter(
      (variable) => !plan.variables[variable].group.isGranular,
    );
    this.met = anchor.providers.map(({ block, row }) =>
      [...requiredTraits.keys()].filter((set) => hasAnyTrait(block, row, requiredTraits[set])),
    );
    this.kinds = new Map(this.variables.map((variable) => [variable, this.kindsOf(variable)]));
  }

  private kindsOf(variable: number): readonly (readonly number[])[] | null {
    const { domains, partitions } = this.anchor;
    if ((partitions?.contributorsFor(variable).length ?? 0) > 0) return null;
    const kinds = new Map(domains[variable].map((value) => [this.met[value].join(), this.met[value]]));
    return [...kinds.values()];
  }

  isPossible(assigned: PartialAssignment): boolean {
    const open = this.variables.filter((variable) => assigned[variable] < 0);
    const kinds = open.map((variable) => this.kinds.get(variable) ?? null).filter((some) => some !== null);
    if (kinds.length < open.length) return true;
    const unmet = this.unmetBy(assigned);
    if (unmet.size === 0) return true;
    const most = kinds.map((some) =>
      some.reduce((count, sets) => Math.max(count, sets.filter((set) => unmet.has(set)).length), 0),
    );
    const metBy = [...unmet].map((set) =>
      [...open.keys()].filter((at) => kinds[at].some((sets) => sets.includes(set))),
    );
    return canMatch(metBy, (at) => most[at]);
  }

  private unmetBy(assigned: PartialAssignment): Set<number> {
    const unmet = new Set(Array.from({ length: this.setCount }, (_, set) => set));
    for (const variable of this.variables) {
      if (assigned[variable] < 0) continue;
      const parts = partsOf(this.anchor, assigned[variable]);
      const providers = parts?.map(({ provider }) => provider) ?? [assigned[variable]];
      for (const provider of providers) for (const set of this.met[provider]) unmet.delete(set);
    }
    return unmet;
  }
}
