import { addToGroup } from '../../model/collections.js';
/** By variable: its value, or -1. */
export type PartialAssignment = Int32Array;

/** By variable: its possible values; null if its amount may be split. */
export type Domains = readonly (readonly number[] | null)[];

/**
 * Returns whether each variable can have a provider of its domain if each provider serves at most
 * `capacityOf` variables: bipartite b-matching by augmenting paths. O(variables x values) if no
 * variable has to move.
 */
export function canMatch(
  domains: readonly (readonly number[])[],
  capacityOf: (provider: number) => number,
): boolean {
  const served = new Map<number, number[]>();
  const assign = (variable: number, seen: Set<number>): boolean => {
    for (const provider of domains[variable]) {
      if ((served.get(provider)?.length ?? 0) >= capacityOf(provider)) continue;
      addToGroup(served, provider, variable);
      return true;
    }
    return move(variable, seen);
  };
  /** Takes the provider of another variable that can use a different one. */
  const move = (variable: number, seen: Set<number>): boolean => {
    for (const provider of domains[variable]) {
      const others = served.get(provider);
      if (others === undefined || seen.has(provider)) continue;
      seen.add(provider);
      for (let at = 0; at < others.length; at++) {
        if (!assign(others[at], seen)) continue;
        others[at] = variable;
        return true;
      }
    }
    return false;
  };
  return domains.every((_, variable) => assign(variable, new Set()));
}
