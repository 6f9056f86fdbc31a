import { countersOf } from '../../fleet/consumption.js';
import { freeAt, inventoryAt, type Block } from '../../fleet/snapshot.js';
import type { Anchor } from '../../search/anchor.js';
import type { Plan } from '../../search/plan.js';
import { isSharing } from '../../search/treeFilter.js';

/**
 * Returns whether several claims of a plan at an anchor are one claim of its repeated plan: the tree has counters and no
 * sharing provider, no condition compares groups with each other, and each inventory can be allocated in any amount.
 */
export function repeatable(plan: Plan, { providers, partitions }: Anchor): boolean {
  const { isolation, oneProviderPerTree, sameSubtree, groups, variables } = plan;
  if (providers.every(({ block }) => block.consumption === null)) return false;
  if (isolation !== null || oneProviderPerTree || sameSubtree.length > 0 || partitions !== null) return false;
  if (groups.some(({ isGranular, requiredTraits }) => !isGranular && requiredTraits.length > 0)) return false;
  const classes = new Set(variables.flatMap(({ resources }) => resources.map((each) => each.resourceClass)));
  return providers.every((provider) => {
    const { block, row } = provider;
    if (isSharing(provider)) return false;
    for (const resourceClass of classes) {
      const at = inventoryAt(block, row, resourceClass);
      if (at < 0) continue;
      const counters = countersOf(block, at).filter(({ counter }) => counter >= 0);
      if (![at, ...counters.map(({ counter }) => counter)].every((each) => takesAnyAmount(block, each)))
        return false;
    }
    return true;
  });
}

function takesAnyAmount(block: Block, at: number): boolean {
  return block.minUnits[at] === 1 && block.stepSizes[at] === 1 && block.maxUnits[at] >= freeAt(block, at);
}

/** Returns a plan whose candidates are those of several claims of a plan together, and its anchor. */
export function repeated(plan: Plan, anchor: Anchor, claims: number): { plan: Plan; anchor: Anchor } {
  const all = <T>(list: readonly T[]): T[] => Array.from({ length: claims }, () => list).flat();
  const variables = all(plan.variables);
  const mergedClasses = [
    ...new Set(variables.flatMap(({ resources }) => resources.map((each) => each.resourceClass))),
  ];
  return {
    plan: { ...plan, variables, mergedClasses },
    anchor: { ...anchor, domains: all(anchor.domains).map((domain) => [...domain]) },
  };
}
