import { randomUUID } from 'node:crypto';
import type { ProviderRow } from '../provider/providerRows.js';
import type { DesiredNode, StoredTrees } from './treeInput.js';
import { childrenById } from '../provider/trees.js';

/** A provider that the input states: what is stored of it, and its desired state. */
export interface PlannedProvider {
  readonly node: DesiredNode;
  /** Undefined for a new one. */
  readonly stored: ProviderRow | undefined;
  /** The id of a new one is a number below 0 until it is written, and so is that of a new root or parent. */
  readonly row: ProviderRow;
}

/** The disposition of all providers of a tree. */
export interface TreePlan {
  /** In the order of the input; the root first. */
  readonly planned: readonly PlannedProvider[];
  /** Depth first, by name. */
  readonly deleted: readonly ProviderRow[];
  /** What the input neither states nor deletes: it stays below the provider that it is below. */
  readonly kept: readonly ProviderRow[];
}

/**
 * Matches the providers of an input with stored ones, by uuid, else by name within the tree; what is moved in from another
 * tree brings everything below it along. A stored provider that is not matched is deleted if the input states the children of
 * the nearest matched one above it, and kept if not.
 */
export function planTree(nodes: readonly DesiredNode[], { root, members }: StoredTrees): TreePlan {
  const byUuid = new Map(members.map((row) => [row.uuid, row]));
  const matches = new Map<DesiredNode, ProviderRow>();
  if (root) matches.set(nodes[0], root);
  for (const node of nodes) {
    const stored = byUuid.get(node.desired.uuid ?? '');
    if (stored) matches.set(node, stored);
  }
  const within = walk([...matches.values()], members);
  const taken = new Set([...matches.values()].map(({ id }) => id));
  const byName = new Map(within.filter(({ id }) => !taken.has(id)).map((row) => [row.name, row]));
  for (const node of nodes) {
    const stored = node.desired.uuid == null && node.parent ? byName.get(node.desired.name) : undefined;
    if (stored) matches.set(node, stored);
  }
  return { planned: planNodes(nodes, matches), ...dispositions(within, matches) };
}

/** These providers and everything below them: depth first, by name, each once. */
function walk(tops: readonly ProviderRow[], members: readonly ProviderRow[]): ProviderRow[] {
  const backwards = [...members].sort((a, b) => (a.name < b.name ? 1 : -1));
  const byId = new Map(members.map((row) => [row.id, row]));
  const childrenOf = childrenById(backwards);
  const walked = new Set<ProviderRow>();
  for (const top of tops) {
    const open: (ProviderRow | undefined)[] = [top];
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      if (walked.has(row)) continue;
      walked.add(row);
      for (const id of childrenOf.get(row.id) ?? []) open.push(byId.get(id));
    }
  }
  return [...walked];
}

function planNodes(
  nodes: readonly DesiredNode[],
  matches: ReadonlyMap<DesiredNode, ProviderRow>,
): PlannedProvider[] {
  const rows = new Map<DesiredNode, ProviderRow>();
  let missing = 0;
  return nodes.map((node) => {
    const stored = matches.get(node);
    const id = stored?.id ?? --missing;
    const row = {
      id,
      uuid: stored?.uuid ?? node.desired.uuid ?? randomUUID(),
      name: node.desired.name,
      generation: stored?.generation ?? 0,
      rootId: rows.get(nodes[0])?.id ?? id,
      parentId: (node.parent && rows.get(node.parent)?.id) ?? null,
    };
    rows.set(node, row);
    return { node, stored, row };
  });
}

/** Those that are not matched are deleted or kept; `within` has each after the one above it. */
function dispositions(
  within: readonly ProviderRow[],
  matches: ReadonlyMap<DesiredNode, ProviderRow>,
): Pick<TreePlan, 'deleted' | 'kept'> {
  const nodeOf = new Map([...matches].map(([node, { id }]) => [id, node]));
  const deleted = new Set<number>();
  const unmatched = within.filter(({ id }) => !nodeOf.has(id));
  for (const { id, parentId } of unmatched) {
    const above = nodeOf.get(parentId ?? -1);
    if (above ? above.desired.children != null : deleted.has(parentId ?? -1)) deleted.add(id);
  }
  return {
    deleted: unmatched.filter(({ id }) => deleted.has(id)),
    kept: unmatched.filter(({ id }) => !deleted.has(id)),
  };
}

export function isNew({ stored }: PlannedProvider): boolean {
  return stored === undefined;
}

export function isRenamed({ stored, row }: PlannedProvider): boolean {
  return stored !== undefined && stored.name !== row.name;
}

export function isMoved({ stored, row }: PlannedProvider): boolean {
  return stored !== undefined && stored.parentId !== row.parentId;
}

/** Whether providers are created, moved or deleted: then their trees have to be locked. */
export function changesShape({ planned, deleted }: TreePlan): boolean {
  return deleted.length > 0 || planned.some((each) => isNew(each) || isMoved(each));
}
