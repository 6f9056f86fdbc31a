import type { Block, SharingProvider } from '../../engine/model/snapshot.js';

/** What one sharing provider brings in. */
interface Share extends SharingProvider {
  readonly aggregates: readonly number[];
  readonly classes: readonly number[];
  readonly traits: readonly number[];
}

const NONE: readonly Share[] = [];

/** Who shares through which aggregate, and which classes and traits any of them has. Immutable. */
export class SharingIndex {
  readonly all: readonly SharingProvider[];
  private readonly sharingProviders = new Map<number, SharingProvider[]>();
  private readonly classes = new Set<number>();
  private readonly traits = new Set<number>();

  private constructor(private readonly byBlock: readonly (readonly Share[])[]) {
    const shares = byBlock.flat();
    this.all = shares;
    for (const share of shares) {
      for (const aggregate of share.aggregates) {
        const others = this.sharingProviders.get(aggregate);
        if (others === undefined) this.sharingProviders.set(aggregate, [share]);
        else others.push(share);
      }
      for (const id of share.classes) this.classes.add(id);
      for (const id of share.traits) this.traits.add(id);
    }
  }

  static of(blocks: readonly Block[]): SharingIndex {
    return new SharingIndex(blocks.map(sharesOf));
  }

  /** With some blocks renewed. Unless a sharing provider came, went or changed what it has, this is the same index. */
  with(before: readonly Block[], after: readonly Block[], renewed: Iterable<number>): SharingIndex {
    const byBlock = [...this.byBlock];
    let isSame = true;
    for (const at of renewed) {
      if (READ.every((column) => before[at]?.[column] === after[at][column])) continue;
      const shares = sharesOf(after[at]);
      if (isEqual(shares, byBlock[at] ?? NONE)) continue;
      byBlock[at] = shares;
      isSame = false;
    }
    return isSame ? this : new SharingIndex(Array.from(byBlock, (shares) => shares ?? NONE));
  }

  sharersIn(aggregate: number): readonly SharingProvider[] {
    return this.sharingProviders.get(aggregate) ?? [];
  }

  isShared(kind: 'class' | 'trait', id: number): boolean {
    return (kind === 'class' ? this.classes : this.traits).has(id);
  }
}

/** The columns that a share is made of: a renewed block has most of them from the block before. */
const READ = [
  'ids',
  'trees',
  'sharing',
  'aggregateStarts',
  'aggregates',
  'inventoryStarts',
  'classes',
  'traitStarts',
  'traits',
] as const;

function sharesOf(block: Block): readonly Share[] {
  if (!block.sharing.includes(1)) return NONE;
  const shares: Share[] = [];
  block.sharing.forEach((sharing, row) => {
    if (sharing !== 1) return;
    shares.push({
      treeIndex: block.firstTree + block.trees[row],
      id: block.ids[row],
      aggregates: [...block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1])],
      classes: [...block.classes.subarray(block.inventoryStarts[row], block.inventoryStarts[row + 1])],
      traits: [...block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])],
    });
  });
  return shares;
}

function isEqual(a: readonly Share[], b: readonly Share[]): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
