import type { Block, ProviderRef, Tree } from '../../../fleet/snapshot.js';
import type { Anchor } from '../../anchor.js';

/** Bounds on the scores of one term of the order: no candidate scores above them. */
export interface Term {
  /** The variables that decide the score. */
  readonly variables: readonly number[];
  /** The cache key of the bounds of a block: everything that they depend on except the block, as JSON. */
  readonly key: string;
  /** A further part of the key that depends on the block. */
  keyIn?(block: Block): string;
  /**
   * Returns the bound of candidates in which a sharing provider decides the score. If it is not null, such
   * candidates may exceed the bounds of `writeTreeBounds`.
   */
  readonly boundBySharing: ((provider: ProviderRef) => number) | null;
  /**
   * Writes a bound for each tree of a block by the index; -Infinity if its own providers cannot serve. If
   * absent, `boundOfTree` without sharing providers gives the bounds.
   */
  writeTreeBounds?(block: Block, bounds: Float64Array): void;
  /** Returns the bound of a tree with the sharing providers linked with it; -Infinity: no candidate. */
  boundOfTree(tree: Tree, sharingProviders: () => readonly ProviderRef[]): number;
  /** Returns a number for each provider of an anchor. The search tries larger numbers first. */
  preferences(anchor: Pick<Anchor, 'providers' | 'domains'>): readonly number[];
  /** @param order the order in which variables are assigned */
  boundAt(anchor: Anchor, order: readonly number[]): TermBound;
}

/** An upper bound on the score of all candidates that extend a partial assignment. */
export interface TermBound {
  /** Records (1) or undoes (-1) an assignment. */
  move(variable: number, value: number, direction: 1 | -1): void;
  best(): number;
  /** Returns a number that compares with `score` as `best()` does. Absent if `best()` is as cheap. */
  improved?(score: number): number;
}
