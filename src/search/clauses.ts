import { once } from '../model/collections.js';
import { distinctSets, type Alternatives } from '../model/request.js';
import type { Names } from '../fleet/snapshot.js';

/** Represents a class or tree that the snapshot does not have. */
export const UNKNOWN = -1;

/** Above these sizes, a lookup by id is faster than a scan. */
const FEW_IDS = 8;
const FEW_SETS = 8;

/** A set of ids of traits or aggregates. */
export class IdSet {
  static readonly NONE = new IdSet([]);
  /** Null before its first use, and for few ids. */
  private members: ReadonlySet<number> | null = null;

  constructor(readonly ids: readonly number[]) {}

  /** Returns whether the entries [start, end) of a column have one of the ids. */
  isIn(column: Int32Array, start: number, end: number): boolean {
    const { ids } = this;
    if (ids.length > FEW_IDS) this.members ??= new Set(ids);
    const { members } = this;
    for (let at = start; at < end; at++) {
      const id = column[at];
      if (members !== null) {
        if (members.has(id)) return true;
      } else for (let one = 0; one < ids.length; one++) if (ids[one] === id) return true;
    }
    return false;
  }
}

/**
 * Sets of ids. A provider meets a set if it has one of its ids. The time to check all sets hardly grows with
 * their number: each id knows its sets as bits.
 */
export class Clauses {
  static readonly NONE = new Clauses([]);
  /** By id: the sets that contain it, as bits. Null: few sets. */
  private readonly setsOf: ReadonlyMap<number, Uint32Array> | null;
  private readonly all: Uint32Array;
  private readonly open: Uint32Array;

  /** The number of ids of all sets. */
  readonly idCount: number;

  constructor(readonly sets: readonly IdSet[]) {
    this.idCount = sets.reduce((sum, { ids }) => sum + ids.length, 0);
    this.all = new Uint32Array((sets.length + 31) >>> 5);
    this.open = new Uint32Array(this.all.length);
    for (let set = 0; set < sets.length; set++) this.all[set >>> 5] |= 1 << (set & 31);
    this.setsOf = sets.length > FEW_SETS ? setsById(sets, this.all.length) : null;
  }

  get length(): number {
    return this.sets.length;
  }

  /** Returns the ids of all sets. May repeat some. */
  get ids(): number[] {
    return this.sets.flatMap(({ ids }) => ids);
  }

  /** Returns whether the entries [start, end) of a column meet every set. */
  areMet(column: Int32Array, start: number, end: number): boolean {
    const { sets, open } = this;
    if (this.setsOf === null) {
      for (let set = 0; set < sets.length; set++) if (!sets[set].isIn(column, start, end)) return false;
      return true;
    }
    open.set(this.all);
    this.removeMet(open, column, start, end);
    return open.every((word) => word === 0);
  }

  /** Returns the sets that the entries [start, end) of a column meet, as bits. */
  metBy(column: Int32Array, start: number, end: number): Uint32Array {
    const met = this.all.slice();
    this.removeMet(met, column, start, end);
    for (let word = 0; word < met.length; word++) met[word] = this.all[word] & ~met[word];
    return met;
  }

  /** Returns whether the entries of two rows of a column together meet every set. */
  areMetByEither(column: Int32Array, starts: Int32Array, one: number, other: number): boolean {
    const { sets, open } = this;
    if (this.setsOf === null)
      return sets.every(
        (set) =>
          set.isIn(column, starts[one], starts[one + 1]) ||
          set.isIn(column, starts[other], starts[other + 1]),
      );
    open.set(this.all);
    this.removeMet(open, column, starts[one], starts[one + 1]);
    this.removeMet(open, column, starts[other], starts[other + 1]);
    return open.every((word) => word === 0);
  }

  /** Returns no set, as bits. */
  none(): Uint32Array {
    return new Uint32Array(this.all.length);
  }

  /** Returns whether bits have every set. */
  areAllIn(bits: Uint32Array): boolean {
    return this.all.every((word, at) => word === bits[at]);
  }

  private removeMet(open: Uint32Array, column: Int32Array, start: number, end: number): void {
    const { sets, setsOf } = this;
    if (setsOf === null) {
      for (let set = 0; set < sets.length; set++)
        if (sets[set].isIn(column, start, end)) open[set >>> 5] &= ~(1 << (set & 31));
      return;
    }
    for (let at = start; at < end; at++) {
      const bits = setsOf.get(column[at]);
      if (bits !== undefined) for (let word = 0; word < open.length; word++) open[word] &= ~bits[word];
    }
  }
}

export function addBits(to: Uint32Array, bits: Uint32Array): void {
  for (let word = 0; word < to.length; word++) to[word] |= bits[word];
}

function setsById(sets: readonly IdSet[], words: number): Map<number, Uint32Array> {
  const setsOf = new Map<number, Uint32Array>();
  sets.forEach(({ ids }, set) => {
    for (const id of ids) {
      let bits = setsOf.get(id);
      if (bits === undefined) setsOf.set(id, (bits = new Uint32Array(words)));
      bits[set >>> 5] |= 1 << (set & 31);
    }
  });
  return setsOf;
}

/** Translates the lists of a request to ids; equal lists once. Omits unknown names. */
export class NamedSets {
  constructor(private readonly names: Names) {}

  clausesOf(alternatives: Alternatives): Clauses {
    return alternatives.length === 0 ? Clauses.NONE : this.newClauses(alternatives);
  }

  setOf(wanted: readonly string[]): IdSet {
    return wanted.length === 0 ? IdSet.NONE : this.newSet(wanted);
  }

  private readonly newClauses = once(
    (alternatives: Alternatives) => new Clauses(distinctSets(alternatives).map((names) => this.setOf(names))),
  );

  private readonly newSet = once((wanted: readonly string[]) => new IdSet(knownIds(this.names, wanted)));
}

export function knownIds(names: Names, wanted: readonly string[]): number[] {
  return wanted.map((name) => names.idOf(name)).filter((id) => id !== undefined);
}
