import type { BlockGroup, BlockGroups } from './blockGroups.js';
import type { Effort } from '../model/effort.js';
import type { Block } from '../model/snapshot.js';

/** The first groups of all blocks of a snapshot. */
export class FirstGroups {
  /** By block, as far as they were read. */
  readonly all: (BlockGroup | null)[] = [];

  constructor(
    private readonly blocks: readonly Block[],
    readonly groups: BlockGroups,
  ) {}

  /** Goes on reading, up to the first block of which it takes long; true when all are read. */
  read(effort: Effort): boolean {
    while (this.all.length < this.blocks.length) {
      const block = this.blocks[this.all.length];
      const known = this.groups.knownOf(block);
      this.all.push(this.groups.firstOf(block));
      if (known === 'group') continue;
      if (known === 'order') effort.blocksGrouped++;
      else effort.blocksSorted++;
      return false;
    }
    return true;
  }

  /** Reads a block again, after it was changed or replaced. */
  reread(number: number): void {
    if (number < this.all.length) this.all[number] = this.groups.firstOf(this.blocks[number]);
  }
}
