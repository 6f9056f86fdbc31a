import type { CandidateAllocation } from '../../search/anchor.js';
import { isSharing } from '../../search/treeFilter.js';

/** Returns the allocations of a consumer after the change; null if it has no place yet. */
export type Positions = (consumer: number) => readonly CandidateAllocation[] | null;

/** A consumer of the problem, or the trees of another consumer, which keeps its position. */
export type Named = number | ReadonlySet<number>;

/**
 * AWAY: the consumer and the named one have no tree in common. NEAR: each tree of the consumer is a
 * tree of at least one named consumer. Only trees of non-sharing providers count.
 */
export interface Relation {
  readonly rule: 'AWAY' | 'NEAR';
  /** The consumer whose request states the rule. */
  readonly consumer: number;
  /** The other consumers: one for AWAY, all for NEAR. */
  readonly named: readonly Named[];
}

/** Returns the trees of the non-sharing providers; null if the consumer has no place yet. */
export function treesAt(named: Named, positions: Positions): Iterable<number> | null {
  if (typeof named !== 'number') return named;
  const allocations = positions(named);
  if (allocations === null) return null;
  return new Set(allocations.flatMap(({ provider }) => (isSharing(provider) ? [] : [provider.treeIndex])));
}

/** Returns whether a relation is violated. False if a named consumer without a place may still meet it. */
export function isBroken({ rule, consumer, named }: Relation, positions: Positions): boolean {
  const own = treesAt(consumer, positions);
  if (own === null) return false;
  const others = unionOf(named, positions);
  const found = [...own].map((tree) => others.trees.has(tree));
  if (rule === 'AWAY') return found.includes(true);
  return others.isComplete && found.includes(false);
}

/**
 * Returns the trees for a named consumer where a NEAR relation that names it holds. Null: any tree,
 * because other consumers meet the relation or may still do so.
 */
export function treesMissing(
  { consumer, named }: Relation,
  candidate: number,
  positions: Positions,
): ReadonlySet<number> | null {
  const others = unionOf(
    named.filter((one) => one !== candidate),
    positions,
  );
  const own = treesAt(consumer, positions);
  if (own === null || !others.isComplete) return null;
  const missing = [...own].filter((tree) => !others.trees.has(tree));
  if (missing.length === 0) return null;
  // A candidate has one tree, so it cannot serve two.
  return new Set(missing.length === 1 ? missing : []);
}

/** Returns the trees of some consumers, and whether each of these has a place. */
export function unionOf(
  named: readonly Named[],
  positions: Positions,
): { readonly trees: ReadonlySet<number>; readonly isComplete: boolean } {
  const each = named.map((one) => treesAt(one, positions));
  return { trees: new Set(each.flatMap((trees) => [...(trees ?? [])])), isComplete: !each.includes(null) };
}
