import { SHARING_TRAIT } from '../engine/filter.js';
import {
  TREES_PER_BLOCK,
  type Block,
  type Names,
  type Place,
  type Sharer,
  type Snapshot,
} from '../engine/snapshot.js';
import { buildBlock } from './block.js';
import { NameTable } from './names.js';
import type { SnapshotRecords } from './records.js';
import { treesOf } from './trees.js';

/** Makes a snapshot of records that were read at one moment. */
export function buildSnapshot(records: SnapshotRecords): Snapshot {
  const trees = treesOf(records);
  const traits = new NameTable(records.traits);
  const sharingTrait = traits.idOf(SHARING_TRAIT);
  const blocks: Block[] = [];
  for (let slot = 0; slot < trees.length; slot += TREES_PER_BLOCK) {
    blocks.push(buildBlock(slot, trees.slice(slot, slot + TREES_PER_BLOCK), sharingTrait));
  }
  return new FleetSnapshot(blocks, trees.length, {
    classes: new NameTable(records.classes),
    traits,
    aggregates: new NameTable(records.aggregates),
  });
}

class FleetSnapshot implements Snapshot {
  readonly classes: Names;
  readonly traits: Names;
  readonly aggregates: Names;
  private readonly places = new Map<string, Place>();
  private readonly sharers = new Map<number, Sharer[]>();
  private readonly sharedClasses = new Set<number>();
  private readonly sharedTraits = new Set<number>();

  constructor(
    readonly blocks: readonly Block[],
    readonly slots: number,
    names: { readonly classes: Names; readonly traits: Names; readonly aggregates: Names },
  ) {
    this.classes = names.classes;
    this.traits = names.traits;
    this.aggregates = names.aggregates;
    for (const block of blocks) {
      block.uuids.forEach((uuid, row) => this.places.set(uuid, { block, row }));
      block.sharing.forEach((sharing, row) => {
        if (sharing === 1) this.addSharer(block, row);
      });
    }
  }

  locate(uuid: string): Place | undefined {
    return this.places.get(uuid);
  }

  sharersIn(aggregate: number): readonly Sharer[] {
    return this.sharers.get(aggregate) ?? [];
  }

  isShared(kind: 'class' | 'trait', id: number): boolean {
    return (kind === 'class' ? this.sharedClasses : this.sharedTraits).has(id);
  }

  private addSharer(block: Block, row: number): void {
    const sharer = { slot: block.firstSlot + block.trees[row], id: block.ids[row] };
    for (const aggregate of block.aggregates.subarray(
      block.aggregateStarts[row],
      block.aggregateStarts[row + 1],
    )) {
      const others = this.sharers.get(aggregate);
      if (others === undefined) this.sharers.set(aggregate, [sharer]);
      else others.push(sharer);
    }
    for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
      this.sharedClasses.add(block.classes[at]);
    }
    for (const trait of block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])) {
      this.sharedTraits.add(trait);
    }
  }
}
