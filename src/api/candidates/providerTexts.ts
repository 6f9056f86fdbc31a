import type { Block, ProviderRef, Snapshot } from '../fleet/snapshot.js';

/** The maximum memory of all kept texts (bytes). If they need more, all are discarded. */
const MAX_BYTES = 2 ** 26;

/** The memory of a text besides its bytes. */
const OVERHEAD = 96;

/** The columns on which a text may depend besides generations and usage. */
const COLUMNS = [
  'uuids',
  'names',
  'parents',
  'inventoryStarts',
  'classes',
  'capacities',
  'traitStarts',
  'traits',
] as const;

/** The texts of the providers of a block and of its later versions, in one form. */
interface BlockTexts {
  readonly columns: Pick<Block, (typeof COLUMNS)[number]>;
  readonly names: Pick<Snapshot, 'classes' | 'traits'>;
  readonly texts: (Uint8Array | undefined)[];
  /** The generations and the usage when each text was written. */
  readonly generations: Int32Array;
  readonly used: Float64Array;
}

/**
 * Keeps texts of providers as bytes until the provider changes. A text may depend on the uuid, name, generation, traits,
 * inventories and usage of the provider, and on the uuids and names of the other providers of its tree.
 */
export class ProviderTexts {
  /** By form: the texts of each block. Versions of a block share the object of its orders. */
  private forms = new Map<string, WeakMap<object, BlockTexts>>();
  private bytes = 0;

  /**
   * Returns a function from the providers of a snapshot to their texts.
   *
   * @param form identifies what `write` writes
   */
  of(form: string, { classes, traits }: Snapshot, write: (provider: ProviderRef) => string) {
    let last: Block | null = null;
    let known!: BlockTexts;
    return (provider: ProviderRef): Uint8Array => {
      const { block, row } = provider;
      if (block !== last) {
        last = block;
        known = this.textsOf(form, block, { classes, traits });
      }
      const text = known.texts[row];
      return text !== undefined && isCurrent(known, block, row)
        ? text
        : this.keep(known, provider, Buffer.from(write(provider)));
    };
  }

  private textsOf(form: string, block: Block, names: BlockTexts['names']): BlockTexts {
    let blocks = this.forms.get(form);
    if (blocks === undefined) this.forms.set(form, (blocks = new WeakMap()));
    const known = blocks.get(block.index.orders);
    if (known !== undefined && isOf(known, block, names)) return known;
    for (const text of known?.texts ?? []) if (text) this.bytes -= text.length + OVERHEAD;
    const fresh = {
      columns: Object.fromEntries(COLUMNS.map((column) => [column, block[column]])) as BlockTexts['columns'],
      names,
      texts: [],
      generations: new Int32Array(block.generations.length),
      used: new Float64Array(block.used.length),
    };
    blocks.set(block.index.orders, fresh);
    return fresh;
  }

  private keep(known: BlockTexts, { block, row }: ProviderRef, text: Uint8Array): Uint8Array {
    this.bytes += text.length - (known.texts[row]?.length ?? -OVERHEAD);
    if (this.bytes > MAX_BYTES) {
      this.forms = new Map();
      this.bytes = 0;
    }
    const [start, end] = [block.inventoryStarts[row], block.inventoryStarts[row + 1]];
    known.texts[row] = text;
    known.generations[row] = block.generations[row];
    known.used.set(block.used.subarray(start, end), start);
    return text;
  }
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

function isCurrent({ generations, used }: BlockTexts, block: Block, row: number): boolean {
  if (generations[row] !== block.generations[row]) return false;
  for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++)
    if (used[at] !== block.used[at]) return false;
  return true;
}

/** The kept texts of this process. */
export const PROVIDER_TEXTS = new ProviderTexts();
