/** The maximum number of places to try for a group, for the first consumer, and for each other one. */
const MAX_TRIED = 256;
const MAX_FIRST = 32;
const MAX_OTHERS = 2;

/** Finds places for the consumers of a group in the present state. */
export interface Places<Consumer, Place> {
  /** Returns the best place of a consumer outside of the tried trees; null if there is none. */
  next(consumer: Consumer, tried: ReadonlySet<number>): Generator<void, Place | null>;
  /** Returns the tree of a place; null if it is on sharing providers alone. */
  treeOf(place: Place): number | null;
  put(consumer: Consumer, place: Place): void;
  /** Undoes the last `put`. */
  takeBack(consumer: Consumer, place: Place): void;
  /** Returns whether the state is acceptable after all consumers have a place. */
  accepts(): boolean;
}

/** Places all consumers of a group that must stay near each other, or none. */
export class GroupPlacement<Consumer, Place> {
  private tried = 0;

  constructor(
    private readonly group: readonly Consumer[],
    private readonly places: Places<Consumer, Place>,
  ) {}

  /** Tries two orders of the consumers. Returns false, with the state unchanged, if both fail. */
  *run(): Generator<void, boolean> {
    return (yield* this.place(this.group)) || (yield* this.place([...this.group].reverse()));
  }

  private *place([consumer, ...others]: readonly Consumer[]): Generator<void, boolean> {
    if (consumer === undefined) return this.places.accepts();
    const { places, group } = this;
    const tried = new Set<number>();
    const most = others.length === group.length - 1 ? MAX_FIRST : MAX_OTHERS;
    while (tried.size < most && this.tried < MAX_TRIED) {
      const place = yield* places.next(consumer, tried);
      if (place === null) return false;
      this.tried++;
      places.put(consumer, place);
      if (yield* this.place(others)) return true;
      places.takeBack(consumer, place);
      const tree = places.treeOf(place);
      if (tree === null) return false;
      tried.add(tree);
    }
    return false;
  }
}
