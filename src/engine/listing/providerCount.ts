import { blocksWith, type Snapshot } from '../model/snapshot.js';
import { BlockConditions, type ProviderConditions } from './providerConditions.js';

/** Counts the providers that meet conditions, in one pass in slices that the caller asks for. */
export class ProviderCount {
  /** Complete once the pass is done. */
  count = 0;
  private visited = 0;
  private readonly blocks: Snapshot['blocks'];

  constructor(
    snapshot: Snapshot,
    private readonly conditions: ProviderConditions,
  ) {
    this.blocks = blocksWith(snapshot, conditions.trees);
  }

  /** Looks at about this many providers; true when the pass is done. */
  run(providers: number): boolean {
    for (let budget = providers; budget > 0 && this.visited < this.blocks.length; this.visited++)
      budget -= this.countIn(this.blocks[this.visited]);
    return this.visited >= this.blocks.length;
  }

  private countIn(block: Snapshot['blocks'][number]): number {
    const { rootsOnly } = this.conditions;
    const conditions = new BlockConditions(block, this.conditions);
    for (let row = 0; row < block.ids.length; row++)
      if ((!rootsOnly || block.parents[row] < 0) && conditions.matches(row)) this.count++;
    return block.ids.length + 1;
  }
}
