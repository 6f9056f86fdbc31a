import type { ProviderEntry, TreeEntry } from './block.js';
import type { LinkRecord, SnapshotRecords } from './records.js';

/**
 * Puts records together as trees, in the order of their roots' ids. Providers that do not hang together with the root that
 * their row names (a broken tree of a foreign writer) are left out: nothing can be placed on them safely.
 */
export function treesOf(records: SnapshotRecords): TreeEntry[] {
  const entries = entriesOf(records);
  const children = new Map<number, ProviderEntry[]>();
  const roots: ProviderEntry[] = [];
  for (const entry of entries) {
    const { parentId, id, rootId } = entry.provider;
    if (parentId === null) {
      if (rootId === id) roots.push(entry);
    } else {
      const siblings = children.get(parentId);
      if (siblings === undefined) children.set(parentId, [entry]);
      else siblings.push(entry);
    }
  }
  return roots.map((root) => depthFirst(root, children));
}

function depthFirst(root: ProviderEntry, children: ReadonlyMap<number, ProviderEntry[]>): TreeEntry {
  const providers: ProviderEntry[] = [];
  const parents: number[] = [];
  const ends: number[] = [];
  const stack: { entry: ProviderEntry; parent: number }[] = [{ entry: root, parent: -1 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const row = providers.push(top.entry) - 1;
    parents.push(top.parent);
    const below = children.get(top.entry.provider.id) ?? [];
    for (let at = below.length - 1; at >= 0; at--) {
      if (below[at].provider.rootId === root.provider.id) stack.push({ entry: below[at], parent: row });
    }
  }
  for (let row = providers.length - 1; row >= 0; row--) {
    ends[row] ??= row + 1;
    const parent = parents[row];
    if (parent >= 0) ends[parent] = Math.max(ends[parent] ?? parent + 1, ends[row]);
  }
  return { providers, parents, ends };
}

function entriesOf(records: SnapshotRecords): ProviderEntry[] {
  const inventories = grouped(records.inventories, (row) => row);
  const traits = grouped(records.providerTraits, linkId);
  const aggregates = grouped(records.providerAggregates, linkId);
  return records.providers.map((provider) => ({
    provider,
    inventories: inventories.get(provider.id) ?? [],
    traits: traits.get(provider.id) ?? [],
    aggregates: aggregates.get(provider.id) ?? [],
  }));
}

function linkId({ id }: LinkRecord): number {
  return id;
}

function grouped<Row extends { readonly providerId: number }, Value>(
  rows: readonly Row[],
  pick: (row: Row) => Value,
): Map<number, Value[]> {
  const groups = new Map<number, Value[]>();
  for (const row of rows) {
    const group = groups.get(row.providerId);
    if (group === undefined) groups.set(row.providerId, [pick(row)]);
    else group.push(pick(row));
  }
  return groups;
}
