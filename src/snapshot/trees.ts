import type { ProviderEntry } from './entries.js';

/** A whole tree: its providers depth first, each with the position of its parent (-1 for the root) and its subtree's end. */
export interface TreeEntry {
  readonly providers: readonly ProviderEntry[];
  readonly parents: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Puts providers together as trees, in their order of roots and of siblings. Those that do not hang together with the root that
 * their row names (a broken tree of a foreign writer) are left out: nothing can be placed on them safely.
 */
export function treesOf(entries: readonly ProviderEntry[]): TreeEntry[] {
  const children = new Map<number, ProviderEntry[]>();
  const roots: ProviderEntry[] = [];
  for (const entry of entries) {
    if (entry.parentId === null) {
      if (entry.rootId === entry.id) roots.push(entry);
    } else {
      const siblings = children.get(entry.parentId);
      if (siblings === undefined) children.set(entry.parentId, [entry]);
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
    const below = children.get(top.entry.id) ?? [];
    for (let at = below.length - 1; at >= 0; at--) {
      if (below[at].rootId === root.id) stack.push({ entry: below[at], parent: row });
    }
  }
  for (let row = providers.length - 1; row >= 0; row--) {
    ends[row] ??= row + 1;
    const parent = parents[row];
    if (parent >= 0) ends[parent] = Math.max(ends[parent] ?? parent + 1, ends[row]);
  }
  return { providers, parents, ends };
}
