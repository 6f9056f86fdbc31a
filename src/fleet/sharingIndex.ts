import { addToGroup } from '../model/collections.js';
import type { Block, SharingProvider, SharingProviders } from './snapshot.js';

interface SharedSupply extends SharingProvider {
  readonly aggregates: readonly number[];
  readonly classes: readonly number[];
  readonly traits: readonly number[];
}

/** The sharing providers by aggregate, and the classes and traits that any of them has. Immutable. */
export class SharingIndex implements SharingProviders {
  readonly all: readonly SharingProvider[];
  private readonly sharingProviders = new Map<number, SharingProvider[]>();
  private readonly classes = new Set<number>();
  private readonly traits = new Set<number>();

  private constructor(private readonly byBlock: readonly (readonly SharedSupply[])[]) {
    const supplies = byBlock.flat();
    this.all = supplies;
    for (const supply of supplies) {
      for (const aggregate of supply.aggregates) addToGroup(this.sharingProviders, aggregate, supply);
      for (const id of supply.classes) this.classes.add(id);
      for (const id of supply.traits) this.traits.add(id);
    }
  }

  static of(blocks: readonly Block[]): SharingIndex {
    return new SharingIndex(blocks.map(suppliesOf));
  }

  /** Replaces some blocks. Returns the same index unless sharing providers or their supply changed. */
  with(blocks: readonly Block[], replaced: Iterable<number>): SharingIndex {
    const byBlock = [...this.byBlock];
    let isSame = true;
    for (const at of replaced) {
      const supplies = suppliesOf(blocks[at]);
      if (JSON.stringify(supplies) === JSON.stringify(byBlock[at] ?? [])) continue;
      byBlock[at] = supplies;
      isSame = false;
    }
    return isSame ? this : new SharingIndex(Array.from(byBlock, (supplies) => supplies ?? []));
  }

  in(aggregate: number): readonly SharingProvider[] {
    return this.sharingProviders.get(aggregate) ?? [];
  }

  has(kind: 'class' | 'trait', id: number): boolean {
    return (kind === 'class' ? this.classes : this.traits).has(id);
  }
}

function suppliesOf(block: Block): readonly SharedSupply[] {
  if (!block.sharing.includes(1)) return [];
  const supplies: SharedSupply[] = [];
  block.sharing.forEach((sharing, row) => {
    if (sharing !== 1) return;
    supplies.push({
      treeIndex: block.firstTree + block.trees[row],
      id: block.ids[row],
      aggregates: [...block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1])],
      classes: [...block.classes.subarray(block.inventoryStarts[row], block.inventoryStarts[row + 1])],
      traits: [...block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])],
    });
  });
  return supplies;
}
