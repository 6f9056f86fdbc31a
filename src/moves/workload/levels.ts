import { addToGroup } from '../../model/collections.js';
import { providersOf, type AnchorProvider, type Assignment } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import {
  hasTrait,
  positionsIn,
  rootRow,
  treeOf,
  TREES_PER_BLOCK,
  type Block,
  type Snapshot,
} from '../../fleet/snapshot.js';
import type { PlannedLevel } from './workload.js';

const NONE: readonly number[] = [];

/** The work (Effort.spent) of reading the domains of a tree by its providers. */
const WORK_PER_TREE = 4;

/** About 8 trees of an aggregate are read in the time of a unit of effort. */
const TREES_SHIFT = 3;

/** Returns the largest number of sets of trees of a block that have a tree in common. */
function mostOverlapping(sets: readonly Uint32Array[]): number {
  const seen = new Uint32Array(TREES_PER_BLOCK / 32);
  let areDisjoint = true;
  for (const bits of sets)
    for (let at = 0; at < seen.length; at++) {
      areDisjoint &&= (seen[at] & bits[at]) === 0;
      seen[at] |= bits[at];
    }
  if (areDisjoint) return seen.some((word) => word !== 0) ? 1 : 0;
  const counts = new Uint32Array(TREES_PER_BLOCK);
  for (const tree of sets.flatMap(positionsIn)) counts[tree]++;
  return Math.max(...counts);
}

/**
 * The domains of one level: positions of aggregates, tree indices or ids of providers with the
 * trait. `treesByDomain` and `maxPerTree` are valid after `read`.
 */
export class Level {
  /** By tree: the domains of each row. */
  private readonly rows = new Map<number, readonly (readonly number[])[]>();
  private readonly inTree = new Map<number, readonly number[]>();
  private trees = new Map<number, number[]>();
  private isRead = false;
  /** The maximum number of domains in one tree, and so of one consumer. */
  maxPerTree = 0;
  private readonly positions: ReadonlyMap<number, number>;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly level: PlannedLevel,
  ) {
    const aggregates = level.kind === 'AGGREGATES' ? level.aggregates : [];
    this.positions = new Map(aggregates.map((id, at) => [id, at]));
  }

  /** The trees of each domain, ascending. The domain with the first tree comes first. */
  get treesByDomain(): ReadonlyMap<number, readonly number[]> {
    return this.trees;
  }

  /** Returns whether no domain has providers of several trees. */
  get isWithinTrees(): boolean {
    return this.level.kind !== 'AGGREGATES';
  }

  /** Returns the domains of each provider of a tree, by row from the root. */
  domainsByRow(treeIndex: number): readonly (readonly number[])[] {
    let rows = this.rows.get(treeIndex);
    if (rows === undefined) this.rows.set(treeIndex, (rows = this.readRows(treeIndex)));
    return rows;
  }

  domainsIn(treeIndex: number): readonly number[] {
    let domains = this.inTree.get(treeIndex);
    if (domains === undefined) {
      const rows = this.domainsByRow(treeIndex);
      domains = rows.every((row) => row === rows[0]) ? (rows[0] ?? NONE) : [...new Set(rows.flat())];
      this.inTree.set(treeIndex, domains);
    }
    return domains;
  }

  /** Returns whether a tree has providers outside of all domains. */
  isPartlyOutside(treeIndex: number): boolean {
    return this.domainsByRow(treeIndex).some((some) => some.length === 0);
  }

  /** Returns the domains of a consumer with these assignments. Sharing providers do not count. */
  domainsOf(assignments: readonly Assignment[]): readonly number[] {
    return this.domainsWith(assignments.flatMap(providersOf));
  }

  /** Returns the domains of a consumer on these providers. Sharing providers do not count. */
  domainsWith(providers: readonly AnchorProvider[]): readonly number[] {
    const found = new Set<number>();
    for (const { block, row, treeIndex } of providers) {
      if (block.sharing[row] === 1) continue;
      for (const domain of this.domainsByRow(treeIndex)[row - rootRow(block, row)]) found.add(domain);
    }
    return [...found];
  }

  /** Reads the domains of all trees, once. Yields when the effort is used up. */
  *read(effort: Effort): Generator<void> {
    if (this.isRead) return;
    this.isRead = true;
    yield* this.level.kind === 'AGGREGATES' ? this.readMembers(effort) : this.readTrees(effort);
  }

  private *readTrees(effort: Effort): Generator<void> {
    for (let treeIndex = 0; treeIndex < this.snapshot.treeCount; treeIndex++) {
      effort.otherWork += WORK_PER_TREE;
      if (effort.isUsedUp) yield;
      const domains = this.domainsIn(treeIndex);
      this.maxPerTree = Math.max(this.maxPerTree, domains.length);
      for (const domain of domains) addToGroup(this.trees, domain, treeIndex);
    }
  }

  /** Reads the trees of aggregates from the index, without their providers. */
  private *readMembers(effort: Effort): Generator<void> {
    for (const { firstTree, index } of this.snapshot.blocks) {
      const sets: Uint32Array[] = [];
      for (const [aggregate, bits] of index.aggregates) {
        const domain = this.positions.get(aggregate);
        effort.otherWork++;
        if (domain === undefined) continue;
        sets.push(bits);
        const trees = positionsIn(bits);
        effort.otherWork += trees.length >> TREES_SHIFT;
        const list = this.trees.get(domain) ?? [];
        for (const tree of trees) list.push(firstTree + tree);
        if (list.length > 0) this.trees.set(domain, list);
      }
      this.maxPerTree = Math.max(this.maxPerTree, mostOverlapping(sets));
      if (effort.isUsedUp) yield;
    }
    const orderIn = (domain: number, tree: number): number => this.domainsIn(tree).indexOf(domain);
    this.trees = new Map(
      [...this.trees].sort(([a, [first]], [b, [other]]) =>
        first === other ? orderIn(a, first) - orderIn(b, first) : first - other,
      ),
    );
  }

  private readRows(treeIndex: number): readonly (readonly number[])[] {
    const { block, start, end } = treeOf(this.snapshot, treeIndex);
    const rows: (readonly number[])[] = [];
    for (let row = start; row < end; row++) {
      const above = row === start ? NONE : rows[block.parents[row] - start];
      rows.push(this.domainsAt(block, row, treeIndex, above));
    }
    return rows;
  }

  private domainsAt(
    block: Block,
    row: number,
    treeIndex: number,
    above: readonly number[],
  ): readonly number[] {
    const { level } = this;
    if (level.kind === 'TREE') return above === NONE ? [treeIndex] : above;
    if (level.kind === 'TRAIT') return hasTrait(block, row, level.trait) ? [block.ids[row]] : above;
    const [start, end] = [block.aggregateStarts[row], block.aggregateStarts[row + 1]];
    if (start === end) return above;
    const own = Array.from(block.aggregates.subarray(start, end), (id) => this.positions.get(id))
      .filter((at) => at !== undefined)
      .filter((at) => !above.includes(at));
    return own.length === 0 ? above : [...above, ...own];
  }
}
