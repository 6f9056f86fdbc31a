import type { Effort } from '../../model/effort.js';
import type { Plan, PlannedGroup } from '../../model/plan.js';
import { type Anchor, partsOf } from '../anchor.js';
import { type Domains, type PartialAssignment, canMatch } from './domains.js';
import { RemainingCapacity } from './remainingCapacity.js';
import { SubtreeDomains } from './subtreeDomains.js';
import { hasAnyTrait } from '../../model/providerChecks.js';

/**
 * Necessary conditions for a completion of a partial assignment. A failed check proves that there is none.
 *
 * | check             | necessary for                                                                |
 * | ----------------- | ---------------------------------------------------------------------------- |
 * | SubtreeDomains    | subtree conditions: a top with a value of each group below it                |
 * | RemainingCapacity | isolation: a different provider for each isolated variable                   |
 * | MergedClass       | classes that several variables ask for: amounts fit one by one and in sum    |
 * | TraitCover        | required traits of the unsuffixed group: open classes can meet the unmet sets |
 */
export class Lookahead {
  private readonly subtrees: SubtreeDomains | null;
  private readonly capacity: RemainingCapacity;
  private readonly traits: TraitCover[];
  private readonly work: number;

  constructor(
    plan: Plan,
    private readonly anchor: Anchor,
    private readonly effort: Effort,
  ) {
    const affinities = plan.sameSubtree.filter(({ within, outside }) => within.length + outside.length > 1);
    this.subtrees = affinities.length > 0 ? new SubtreeDomains(affinities, anchor) : null;
    this.capacity = new RemainingCapacity(plan, anchor);
    this.traits = plan.groups
      .filter(({ isGranular, requiredTraits }) => !isGranular && requiredTraits.length > 1)
      .map((group) => new TraitCover(group, plan, anchor));
    this.work = 1 + (anchor.domains.reduce((sum, { length }) => sum + length, 0) >> 4);
  }

  canComplete(assigned: PartialAssignment): boolean {
    this.effort.otherWork += this.work;
    const domains = this.domainsAfter(assigned);
    if (!this.traits.every((cover) => cover.isPossible(assigned))) return false;
    if (this.subtrees === null) return this.capacity.suffices(assigned, domains);
    const { subtrees } = this;
    const narrowed = subtrees.narrow(domains);
    if (narrowed === null || !this.capacity.suffices(assigned, narrowed)) return false;
    return (
      this.capacity.isEmpty ||
      subtrees.everyConditionHas(narrowed, (within) => {
        this.effort.otherWork += this.work;
        return this.capacity.suffices(assigned, within);
      })
    );
  }

  private domainsAfter(assigned: PartialAssignment): Domains {
    const { domains, partitions } = this.anchor;
    return domains.map((domain, variable) => {
      if ((partitions?.contributorsFor(variable).length ?? 0) > 0) return null;
      return assigned[variable] < 0 ? domain : [assigned[variable]];
    });
  }
}

/**
 * Compares the required sets of traits that no assigned provider meets with the open classes. Each
 * class counts for as many sets as one of its providers can meet.
 */
class TraitCover {
  private readonly variables: readonly number[];
  /** By provider: the sets that it meets. */
  private readonly met: readonly (readonly number[])[];
  /** By variable: the different lists of sets that its providers meet; null if its amount is split. */
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
