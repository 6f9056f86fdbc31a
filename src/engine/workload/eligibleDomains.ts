import { EXHAUSTED, PAUSED } from '../model/effort.js';
import { withoutAllocations } from '../overlay/snapshotOverlay.js';
import { anchorAt } from '../search/anchor.js';
import { Descent } from '../search/descent.js';
import { TreeFilter } from '../search/treeFilter.js';
import type { Alternative, Problem } from './problem.js';

/** Finds, for each SPREAD rule, the domains in which an unused fleet could serve a consumer of its members. */
export function* eligibleDomains(problem: Problem): Generator<void, ReadonlySet<number>[]> {
  const { rules, levels, alternatives } = problem;
  const eligible: Set<number>[] = rules.map(() => new Set());
  if (rules.every(({ kind }) => kind !== 'SPREAD')) return eligible;
  const unused = withoutAllocations(problem.snapshot);
  for (const [rule, { kind, members }] of rules.entries()) {
    if (kind !== 'SPREAD') continue;
    const requests = [...members].flatMap((member) => alternatives[member].filter((one) => one !== null));
    const filters = requests.map(({ plan }) => new TreeFilter(unused, plan));
    for (const [domain, trees] of levels[rule].treesByDomain()) {
      if (eligible[rule].has(domain)) continue;
      for (const treeIndex of trees) {
        for (const [at, request] of requests.entries()) {
          problem.effort.treesTested++;
          if (problem.effort.isUsedUp) yield;
          if (eligible[rule].has(domain) || !filters[at].allows(treeIndex)) continue;
          yield* addDomains({ ...request, filter: filters[at] }, treeIndex, domain);
        }
        if (eligible[rule].has(domain)) break;
      }
    }

    /** Adds the domains of the tree's candidates until one is in the wanted domain. */
    function* addDomains({ plan, filter }: Alternative, treeIndex: number, wanted: number): Generator<void> {
      problem.effort.treesVisited++;
      const anchor = anchorAt(unused, plan, filter, treeIndex, problem.seed);
      if (anchor === null) return;
      const descent = new Descent(plan, anchor, problem.effort);
      while (!eligible[rule].has(wanted)) {
        const assignments = descent.next();
        if (assignments === EXHAUSTED) return;
        if (assignments === PAUSED) yield;
        else for (const domain of levels[rule].domainsOf(assignments)) eligible[rule].add(domain);
      }
      descent.release();
    }
  }
  return eligible;
}
