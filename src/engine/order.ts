import type { Effort } from './effort.js';
import type { TreeFilter } from './filter.js';
import { mix, Permutation } from './random.js';

/** Misses that sampling may have beyond its hits before the passing trees are listed instead. */
const MISSES_AT_FIRST = 64;
const MISSES_PER_HIT = 32;

/**
 * The trees worth visiting, each once, in a seeded order that favours none (decision D10). As long as many trees
 * pass the filter it samples them by a permutation, which costs nothing to set up; when few do, it lists them
 * from the index, at a cost that grows with the fleet's blocks and the trees that pass, and shuffles that list as it
 * goes.
 */
export class AnchorOrder {
  private readonly permutation: Permutation;
  private position = 0;
  private readonly hits = new Set<number>();
  private list: number[] | null = null;

  constructor(
    private readonly slots: number,
    private readonly filter: TreeFilter,
    private readonly seed: number,
    private readonly effort: Effort,
  ) {
    this.permutation = new Permutation(slots, seed);
    if (filter.impossible) this.list = [];
    else if (filter.pinned !== undefined) this.list = filter.passes(filter.pinned) ? [filter.pinned] : [];
  }

  /** The next tree; undefined when there are no more. */
  next(): number | undefined {
    while (this.list === null && this.position < this.slots) {
      if (this.position - this.hits.size > MISSES_AT_FIRST + MISSES_PER_HIT * this.hits.size) {
        this.list = this.filter.passing().filter((slot) => !this.hits.has(slot));
        break;
      }
      const slot = this.permutation.at(this.position++);
      this.effort.treesTested++;
      if (this.filter.passes(slot)) {
        this.hits.add(slot);
        return slot;
      }
    }
    return this.fromList();
  }

  private fromList(): number | undefined {
    const { list } = this;
    if (list === null || list.length === 0) return undefined;
    const drawn = mix(this.seed, list.length) % list.length;
    const slot = list[drawn];
    list[drawn] = list[list.length - 1];
    list.pop();
    this.effort.treesTested++;
    return slot;
  }
}
