import { BlockGroups, type BlockGroup } from './blockGroups.js';
import { demandsOf } from './demand.js';
import type { Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import type { Block, Snapshot } from '../model/snapshot.js';
import type { TreeFilter } from '../search/treeFilter.js';

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

/** Those by the order of a plan. */
export function firstGroupsOf({ blocks }: Snapshot, plan: Plan, filter: TreeFilter): FirstGroups {
  return new FirstGroups(blocks, new BlockGroups(demandsOf(plan), filter));
}
