import { addBits } from '../clauses.js';
import { AnchorCounters, counterCheck } from '../counters.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Plan, PlannedGroup } from '../plan.js';
import { type Anchor, isSplit, partsOf } from '../anchor.js';
import { type Domains, type PartialAssignment, canMatch } from './domains.js';
import { capacityChecksOf } from './remainingCapacity.js';
import { SubtreeDomains } from './subtreeDomains.js';
import { traitSetsMet } from '../treeFilter.js';
import { hasBit } from '../../fleet/snapshot.js';

/** Returns false if a partial assignment certainly has no completion. */
export type Lookahead = (assigned: PartialAssignment) => boolean;

/**
 * Checks necessary conditions for a completion of a partial assignment.
 *
 * | check            | necessary for                                                                |
 * | ---------------- | ---------------------------------------------------------------------------- |
 * | SubtreeDomains   | subtree conditions: a top with a value of each group below it                |
 * | isolationCheck   | isolation: a different provider for each isolated variable                   |
 * | mergedClassCheck | classes that several variables ask for: amounts fit one by one and in sum    |
 * | counterCheck     | counters: the smallest amounts of all variables fit in sum                    |
 * | traitCover       | required traits of the unsuffixed group: open classes can meet the unmet sets |
 */
export function lookahead(plan: Plan, anchor: Anchor, effort: Effort): Lookahead {
  const affinities = plan.sameSubtree.filter(({ within, outside }) => within.length + outside.length > 1);
  const subtrees = affinities.length > 0 ? new SubtreeDomains(affinities, anchor, effort) : null;
  const capacityChecks = capacityChecksOf(plan, anchor);
  const counters = AnchorCounters.at(plan, anchor);
  const suffice = counters && counterCheck(plan, anchor, counters);
  const traitCovers = plan.groups
    .filter(({ isGranular, requiredTraits }) => !isGranular && requiredTraits.length > 1)
    .map((group) => traitCover(group, plan, anchor));
  const sets =
    traitCovers.length === 0 ? 0 : plan.groups.find(({ isGranular }) => !isGranular)!.requiredTraits.length;
  const work = 1 + (anchor.domains.reduce((sum, { length }) => sum + length, 0) >> 3) + (sets >> 3);
  return (assigned) => {
    effort.otherWork += work;
    if (!traitCovers.every((isPossible) => isPossible(assigned))) return false;
    if (suffice?.(assigned) === false) return false;
    const suffices = (domains: Domains): boolean => capacityChecks.every((check) => check(assigned, domains));
    const domains = anchor.domains.map((domain, variable) => {
      if (isSplit(anchor, variable)) return null;
      return assigned[variable] < 0 ? domain : [assigned[variable]];
    });
    if (subtrees === null) return suffices(domains);
    const narrowed = subtrees.narrow(domains);
    if (narrowed === null || !suffices(narrowed)) return false;
    return (
      capacityChecks.length === 0 ||
      subtrees.everyConditionHas(narrowed, (within) => {
        effort.otherWork += work;
        return suffices(within);
      })
    );
  };
}

/**
 * Returns a check that compares the required sets of traits that no assigned provider meets with the open
 * classes. Each class counts for as many sets as one of its providers can meet.
 */
function traitCover({ requiredTraits }: PlannedGroup, plan: Plan, anchor: Anchor): Lookahead {
  const { providers, domains } = anchor;
  const variables = [...plan.variables.keys()].filter(
    (variable) => !plan.variables[variable].group.isGranular,
  );
  /** By provider: the sets that it meets, as bits. */
  const met = providers.map(({ block, row }) => traitSetsMet(block, row, requiredTraits));
  /** By variable: what its providers meet, each once; null if its amount is split. */
  const kindsOf = (variable: number): Uint32Array[] | null =>
    isSplit(anchor, variable)
      ? null
      : [...new Map(domains[variable].map((value) => [met[value].join(), met[value]])).values()];
  const kinds = new Map(variables.map((variable) => [variable, kindsOf(variable)]));
  const unmetBy = (assigned: PartialAssignment): number[] => {
    const used = requiredTraits.none();
    for (const variable of variables) {
      if (assigned[variable] < 0) continue;
      const parts = partsOf(anchor, assigned[variable]);
      const providersUsed = parts?.map(({ provider }) => provider) ?? [assigned[variable]];
      for (const provider of providersUsed) addBits(used, met[provider]);
    }
    return [...requiredTraits.sets.keys()].filter((set) => !hasBit(used, set));
  };
  return (assigned) => {
    const open = variables.filter((variable) => assigned[variable] < 0);
    const openKinds = open.map((variable) => kinds.get(variable) ?? null).filter((some) => some !== null);
    if (openKinds.length < open.length) return true;
    const unmet = unmetBy(assigned);
    if (unmet.length === 0) return true;
    const largest = openKinds.map((some) =>
      some.reduce((most, sets) => Math.max(most, unmet.filter((set) => hasBit(sets, set)).length), 0),
    );
    const metBy = unmet.map((set) =>
      [...open.keys()].filter((at) => openKinds[at].some((sets) => hasBit(sets, set))),
    );
    return canMatch(metBy, (at) => largest[at]);
  };
}
