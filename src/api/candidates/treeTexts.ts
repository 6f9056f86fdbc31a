import type { Block, ProviderRef, Snapshot, Tree } from '../../fleet/snapshot.js';

/** The maximum memory of all kept texts (bytes). If they need more, all are discarded. */
const MAX_BYTES = 2 ** 26;

/** The memory of a text besides its bytes. */
const OVERHEAD = 96;

/** The columns on which a text may depend besides generations and usage. */
const COLUMNS = [
  'treeStarts',
  'uuids',
  'names',
  'parents',
  'inventoryStarts',
  'classes',
  'capacities',
  'traitStarts',
  'traits',
] as const;

/** The texts of the trees of a block and of its later versions, in one form. */
interface BlockTexts {
  readonly columns: Pick<Block, (typeof COLUMNS)[number]>;
  readonly names: Pick<Snapshot, 'classes' | 'traits'>;
  /** By the first row of the tree. */
  readonly texts: (Uint8Array | undefined)[];
  /** The generations and the usage when each text was written. */
  readonly generations: Int32Array;
  readonly used: Float64Array;
}

/**
 * Keeps the texts of all providers of a tree as bytes until one of them changes. They may depend on the uuids, names,
 * generations, traits, inventories and usage of the providers of the tree.
 */
export class TreeTexts {
  /** By form: the texts of each block. Versions of a block share the object of its orders. */
  private forms = new Map<string, WeakMap<object, BlockTexts>>();
  private bytes = 0;

  /**
   * Returns a function from the trees of a snapshot to their texts.
   *
   * @param form identifies what `write` writes of a provider
   */
  of(form: string, { classes, traits }: Snapshot, write: (provider: ProviderRef) => string) {
    let last: Block | null = null;
    let known!: BlockTexts;
    return (tree: Tree): Uint8Array => {
      const { block, start, end } = tree;
      if (block !== last) {
        last = block;
        known = this.textsOf(form, block, { classes, traits });
      }
      const text = known.texts[start];
      if (text !== undefined && isCurrent(known, tree)) return text;
      let written = '';
      for (let row = start; row < end; row++) written += write({ block, row });
      return this.keep(known, tree, Buffer.from(written));
    };
  }

  private textsOf(form: string, block: Block, names: BlockTexts['names']): BlockTexts {
    let blocks = this.forms.get(form);
    if (blocks === undefined) this.forms.set(form, (blocks = new WeakMap()));
    const known = blocks.get(block.index.orders);
    if (known !== undefined && isOf(known, block, names)) return known;
    for (const text of known?.texts ?? []) if (text) this.bytes -= text.length + OVERHEAD;
    if (known !== undefined) this.bytes -= sizeOf(known);
    const fresh = {
      columns: Object.fromEntries(COLUMNS.map((column) => [column, block[column]])) as BlockTexts['columns'],
      names,
      texts: [],
      generations: new Int32Array(block.generations.length),
      used: new Float64Array(block.used.length),
    };
    this.bytes += sizeOf(fresh);
    blocks.set(block.index.orders, fresh);
    return fresh;
  }

  private keep(known: BlockTexts, { block, start, end }: Tree, text: Uint8Array): Uint8Array {
    this.bytes += text.length - (known.texts[start]?.length ?? -OVERHEAD);
    if (this.bytes > MAX_BYTES) {
      this.forms = new Map();
      this.bytes = 0;
    }
    known.texts[start] = text;
    known.generations.set(block.generations.subarray(start, end), start);
    const [first, last] = [block.inventoryStarts[start], block.inventoryStarts[end]];
    known.used.set(block.used.subarray(first, last), first);
    return text;
  }
}

/** Returns the memory besides the texts (bytes). */
function sizeOf({ generations, used }: BlockTexts): number {
  return generations.byteLength + used.byteLength + OVERHEAD;
}

function isOf(
  { columns, names }: BlockTexts,
  block: Block,
  { classes, traits }: BlockTexts['names'],
): boolean {
  return (
    names.classes === classes &&
    names.traits === traits &&
    COLUMNS.every((column) => columns[column] === block[column])
  );
}

function isCurrent({ generations, used }: BlockTexts, { block, start, end }: Tree): boolean {
  for (let row = start; row < end; row++) if (generations[row] !== block.generations[row]) return false;
  const last = block.inventoryStarts[end];
  for (let at = block.inventoryStarts[start]; at < last; at++) if (used[at] !== block.used[at]) return false;
  return true;
}

/** The kept texts of this process. */
export const TREE_TEXTS = new TreeTexts();
