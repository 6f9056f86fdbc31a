/**
 * Whether each variable can have a provider of its domain, where a provider serves only so many of them: a bipartite
 * b-matching, found by augmenting paths. O(variables x values) where nothing has to be moved.
 */
export function canMatch(
  domains: readonly (readonly number[])[],
  capacityOf: (provider: number) => number,
): boolean {
  const served = new Map<number, number[]>();
  const assign = (variable: number, seen: Set<number>): boolean => {
    for (const provider of domains[variable]) {
      const others = served.get(provider);
      if ((others?.length ?? 0) >= capacityOf(provider)) continue;
      if (others === undefined) served.set(provider, [variable]);
      else others.push(variable);
      return true;
    }
    return move(variable, seen);
  };
  /** Takes a place from another variable that can have one elsewhere. */
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
