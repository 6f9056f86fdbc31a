import type { Block } from '../../engine/model/snapshot.js';
import type { Columns } from '../model/blocks/blockIndex.js';
import { uuidHashesOf } from '../model/loadedProviders.js';

/** A column of texts: the characters of all, and where each ends. */
export interface PackedTexts {
  readonly ends: Int32Array;
  readonly characters: Buffer;
  /** Two bytes to a character; otherwise one. */
  readonly isWide: boolean;
}

/** What a block has of texts, as it is stored, and the hashes of its uuids. */
export interface StoredTexts {
  readonly uuids: PackedTexts;
  readonly names: PackedTexts;
  readonly hashes: Int32Array;
}

const STORED = Symbol('stored texts');

interface WithTexts {
  readonly [STORED]?: TextColumns;
}

/** The two columns, each read when it is first asked for: most processes ask for few. */
class TextColumns {
  private uuidColumn: readonly string[] | null = null;
  private nameColumn: readonly string[] | null = null;

  constructor(readonly stored: StoredTexts) {}

  get uuids(): readonly string[] {
    return (this.uuidColumn ??= unpacked(this.stored.uuids));
  }

  get names(): readonly string[] {
    return (this.nameColumn ??= unpacked(this.stored.names));
  }
}

/* The same two functions for all blocks, else each would be of a kind of its own, and slow to search. A copy of a block has the columns. */
const uuidsOfThis = {
  enumerable: true,
  get(this: Required<WithTexts>): readonly string[] {
    return this[STORED].uuids;
  },
};
const namesOfThis = {
  enumerable: true,
  get(this: Required<WithTexts>): readonly string[] {
    return this[STORED].names;
  },
};

/** The columns of numbers with texts that are not read before they are asked for. */
export function withTexts(columns: Omit<Columns, 'uuids' | 'names'>, stored: StoredTexts): Columns {
  return Object.defineProperties(columns, {
    [STORED]: { value: new TextColumns(stored) },
    uuids: uuidsOfThis,
    names: namesOfThis,
  }) as Columns;
}

/** The texts of a block as they are stored: known of one that was itself read so. */
export function storedTextsOf(block: Block & WithTexts): StoredTexts {
  return (
    block[STORED]?.stored ?? {
      uuids: packed(block.uuids),
      names: packed(block.names),
      hashes: uuidHashesOf(block),
    }
  );
}

function packed(texts: readonly string[]): PackedTexts {
  let end = 0;
  const ends = Int32Array.from(texts, (text) => (end += text.length));
  const all = texts.join('');
  const isWide = /[^\0-\xff]/.test(all);
  return { ends, characters: Buffer.from(all, isWide ? 'utf16le' : 'latin1'), isWide };
}

function unpacked({ ends, characters, isWide }: PackedTexts): string[] {
  const all = characters.toString(isWide ? 'utf16le' : 'latin1');
  const texts = new Array<string>(ends.length);
  for (let at = 0, from = 0; at < ends.length; from = ends[at++]) texts[at] = all.slice(from, ends[at]);
  return texts;
}
