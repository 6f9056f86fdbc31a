import type { Effort } from '../../model/effort.js';
import type { Plan } from '../../model/plan.js';
import type { Anchor } from '../anchor.js';
import type { Domains, PartialAssignment } from './domains.js';
import { PlacesLeft } from './placesLeft.js';
import { SubtreeDomains } from './subtreeDomains.js';
import { TraitCover } from './traitCover.js';

/**
 * Conditions without which a partial assignment has no completion, each of them cheap to check: there are providers
 * enough for the groups that are open, amounts add up, subtrees have something of everything, traits can be met. What
 * they say is never wrong, but that they hold does not say that there is a completion.
 */
export class Lookahead {
  private readonly subtrees: SubtreeDomains | null;
  private readonly places: PlacesLeft;
  private readonly traits: TraitCover[];
  private readonly work: number;

  constructor(
    plan: Plan,
    private readonly anchor: Anchor,
    private readonly effort: Effort,
  ) {
    const affinities = plan.sameSubtree.filter(({ within, outside }) => within.length + outside.length > 1);
    this.subtrees = affinities.length > 0 ? new SubtreeDomains(affinities, anchor) : null;
    this.places = new PlacesLeft(plan, anchor);
    this.traits = plan.groups
      .filter(({ isGranular, requiredTraits }) => !isGranular && requiredTraits.length > 1)
      .map((group) => new TraitCover(group, plan, anchor));
    this.work = 1 + (anchor.domains.reduce((sum, { length }) => sum + length, 0) >> 4);
  }

  canComplete(assigned: PartialAssignment): boolean {
    this.effort.otherWork += this.work;
    const domains = this.domainsAfter(assigned);
    if (!this.traits.every((cover) => cover.isPossible(assigned))) return false;
    if (this.subtrees === null) return this.places.areEnough(assigned, domains);
    const { subtrees } = this;
    const narrowed = subtrees.narrow(domains);
    if (narrowed === null || !this.places.areEnough(assigned, narrowed)) return false;
    return (
      this.places.isEmpty ||
      subtrees.everyConditionHas(narrowed, (within) => {
        this.effort.otherWork += this.work;
        return this.places.areEnough(assigned, within);
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
