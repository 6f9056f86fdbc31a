/** The amounts on a provider of a host. */
export interface HostPart {
  readonly resourceProvider: { readonly root: { readonly uuid: string; readonly name: string } };
  readonly resources: readonly {
    readonly amount: number;
    readonly resourceClass: { readonly name: string };
  }[];
}

/** All allocations of a consumer before and after a move. */
export interface Moved {
  readonly from: readonly HostPart[];
  readonly to: readonly HostPart[];
}

export interface HostChange {
  readonly uuid: string;
  readonly name: string;
  /** Maps a class to the change of its usage. Omits classes whose usage does not change. */
  readonly differences: ReadonlyMap<string, number>;
}

/** Returns the hosts whose usage changes: the destinations first, then by name. */
export function changesByHost(moves: readonly Moved[]): HostChange[] {
  const hosts = new Map<string, HostChange & { readonly differences: Map<string, number> }>();
  const add = (sign: number, parts: readonly HostPart[]): void => {
    for (const { resourceProvider, resources } of parts) {
      const { uuid, name } = resourceProvider.root;
      const host = hosts.get(uuid) ?? { uuid, name, differences: new Map<string, number>() };
      hosts.set(uuid, host);
      for (const { amount, resourceClass } of resources)
        host.differences.set(
          resourceClass.name,
          (host.differences.get(resourceClass.name) ?? 0) + sign * amount,
        );
    }
  };
  for (const { from, to } of moves) {
    add(-1, from);
    add(1, to);
  }
  return Array.from(hosts.values(), ({ differences, ...host }) => ({
    ...host,
    differences: new Map(Array.from(differences).filter(([, difference]) => difference !== 0)),
  }))
    .filter(({ differences }) => differences.size > 0)
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1));
}

const rankOf = ({ differences }: HostChange): number =>
  Array.from(differences.values()).some((difference) => difference > 0) ? 0 : 1;
