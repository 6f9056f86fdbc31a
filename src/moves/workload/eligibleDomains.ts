import { withoutAllocations } from '../../search/overlay/snapshotOverlay.js';
import { TreeFilter } from '../../search/treeFilter.js';
import type { Problem } from './problem.js';

/** Finds, for each SPREAD rule, the domains in which an unused fleet could serve a consumer of its members. */
export function* eligibleDomains(problem: Problem): Generator<void, ReadonlySet<number>[]> {
  const { rules, levels, alternatives } = problem;
  const eligible: Set<number>[] = rules.map(() => new Set());
  if (rules.every(({ kind }) => kind !== 'SPREAD')) return eligible;
  const unused = withoutAllocations(problem.snapshot);
  for (const [rule, { kind, members }] of rules.entries()) {
    if (kind !== 'SPREAD') continue;
    const found = eligible[rule];
    const requests = [...members]
      .flatMap((member) => alternatives[member].filter((one) => one !== null))
      .map(({ plan }) => ({ plan, filter: new TreeFilter(unused, plan) }));
    for (const [domain, trees] of levels[rule].treesByDomain) {
      if (found.has(domain)) continue;
      for (const treeIndex of trees) {
        for (const request of requests) {
          problem.effort.treesTested++;
          if (problem.effort.isUsedUp) yield;
          if (found.has(domain) || !request.filter.allows(treeIndex)) continue;
          for (const assignments of problem.assignmentsAt(unused, request, treeIndex, problem.seed)) {
            if (assignments === null) yield;
            else for (const one of levels[rule].domainsOf(assignments)) found.add(one);
            if (found.has(domain)) break;
          }
        }
        if (found.has(domain)) break;
      }
    }
  }
  return eligible;
}
