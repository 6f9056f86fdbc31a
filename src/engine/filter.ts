import { meetsRootConditions } from './matching.js';
import { mostRoomIn } from './mostRoom.js';
import { UNKNOWN, type Plan, type PlannedGroup, type Variable } from './plan.js';
import { blockOf, hasBit, TREES_PER_BLOCK, type Block, type Snapshot } from './snapshot.js';

/** A tree must have any of these traits, or any provider in any of these aggregates. */
interface BitCondition {
  readonly column: 'traits' | 'aggregates';
  readonly ids: readonly number[];
}

/**
 * Some provider of the tree must have room for one amount, unless that can be split, and all of them together for the
 * sum of a request.
 */
interface RoomCondition {
  readonly resourceClass: number;
  readonly largest: number;
  readonly sum: number;
}

/**
 * Necessary conditions of an anchor tree, read from the index alone. They rest on what no sharing provider can
 * give: where one could, nothing is asked of the tree itself. What passes is then looked at provider by provider.
 */
export class TreeFilter {
  /** The only tree that can be an anchor, where a group pins it; undefined when any can. */
  readonly pinned: number | undefined;
  /** Two groups pin two different trees: no anchor at all. */
  readonly impossible: boolean;
  /** Per variable whether a sharing provider from outside of the anchor's tree could serve it. */
  readonly shareable: readonly boolean[];

  private readonly bits: BitCondition[] = [];
  private readonly rooms: RoomCondition[] = [];

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
  ) {
    const pins = new Set(plan.groups.map((group) => this.pinOf(group)).filter((slot) => slot !== undefined));
    this.pinned = [...pins][0];
    this.impossible = pins.size > 1;
    this.shareable = plan.variables.map((variable) => this.isShareable(variable));
    this.gatherRooms();
    plan.groups.forEach((group) => this.gatherBits(group));
    for (const ids of plan.root.requiredTraits) this.bits.push({ column: 'traits', ids });
    for (const ids of plan.root.memberOf) this.bits.push({ column: 'aggregates', ids });
  }

  /** Whether the tree at a slot is worth a look. */
  passes(slot: number): boolean {
    const block = blockOf(this.snapshot, slot);
    const tree = slot - block.firstSlot;
    return (
      block.treeStarts[tree] < block.treeStarts[tree + 1] &&
      this.bits.every(({ column, ids }) => ids.some((id) => hasBit(block.index[column].get(id), tree))) &&
      this.hasRoom(block, tree) &&
      meetsRootConditions(block, block.treeStarts[tree], this.plan.root)
    );
  }

  /** The trees of a block, a bit each, that the index of the block does not rule out: with `passes` these are all that pass. */
  hopefulIn(block: Block): Uint32Array {
    const trees = new Uint32Array(TREES_PER_BLOCK / 32);
    if (!this.hasHope(block)) return trees;
    trees.fill(0xffffffff);
    for (const { column, ids } of this.bits) {
      const any = new Uint32Array(trees.length);
      for (const id of ids) block.index[column].get(id)?.forEach((word, at) => (any[at] |= word));
      any.forEach((word, at) => (trees[at] &= word));
    }
    for (let tree = block.treeStarts.length - 1; tree < TREES_PER_BLOCK; tree++) {
      trees[tree >>> 5] &= ~(1 << (tree & 31));
    }
    return trees;
  }

  /** Whether some amount is more than anybody anywhere has room for. Looks at each block when a snapshot is first asked. */
  nobodyHasRoom(): boolean {
    return this.rooms.some(
      ({ resourceClass, largest }) => mostRoomIn(this.snapshot, resourceClass) < largest,
    );
  }

  /** Whether any tree of a block may be worth a look. */
  hasHope({ index }: Block): boolean {
    return (
      this.rooms.every(
        ({ resourceClass, largest }) => (index.classes.get(resourceClass)?.mostRoom ?? 0) >= largest,
      ) && this.bits.every(({ column, ids }) => ids.some((id) => index[column].has(id)))
    );
  }

  private hasRoom(block: Block, tree: number): boolean {
    return this.rooms.every(({ resourceClass, largest, sum }) => {
      const index = block.index.classes.get(resourceClass);
      return index !== undefined && index.room[tree] >= largest && index.free[tree] >= sum;
    });
  }

  /** A tree that nothing outside can stand in for: the unsuffixed group's (rule 147), or where the group may look for none that share. */
  private pinOf(group: PlannedGroup): number | undefined {
    if (group.tree === null) return undefined;
    if (!group.isGranular || group.tree === UNKNOWN) return group.tree;
    const block = blockOf(this.snapshot, group.tree);
    const tree = group.tree - block.firstSlot;
    const [first, end] = group.rows ?? [block.treeStarts[tree], block.treeStarts[tree + 1]];
    const anySharing = block.sharing.subarray(first, end).includes(1);
    return anySharing ? undefined : group.tree;
  }

  private isShareable({ group, resources }: Variable): boolean {
    if (group.tree !== null && this.pinOf(group) !== undefined) return false;
    const { snapshot } = this;
    return (
      resources.every(({ resourceClass }) => snapshot.isShared('class', resourceClass)) &&
      group.memberOf.every((set) => set.some((aggregate) => snapshot.sharersIn(aggregate).length > 0)) &&
      (!group.isGranular ||
        group.requiredTraits.every((set) => set.some((id) => snapshot.isShared('trait', id)))) &&
      (resources.length > 0 || this.anySharer())
    );
  }

  /** Every sharing provider has the sharing trait, so that trait is shared as soon as there is one. */
  private anySharer(): boolean {
    const sharing = this.snapshot.traits.idOf(SHARING_TRAIT);
    return sharing !== undefined && this.snapshot.isShared('trait', sharing);
  }

  private gatherRooms(): void {
    const byClass = new Map<number, { largest: number; sum: number }>();
    this.plan.variables.forEach(({ resources, canSplit }, variable) => {
      if (this.shareable[variable]) return;
      for (const { resourceClass, amount } of resources) {
        const { largest, sum } = byClass.get(resourceClass) ?? { largest: 0, sum: 0 };
        byClass.set(resourceClass, { largest: Math.max(largest, canSplit ? 1 : amount), sum: sum + amount });
      }
    });
    for (const [resourceClass, { largest, sum }] of byClass) this.rooms.push({ resourceClass, largest, sum });
  }

  private gatherBits(group: PlannedGroup): void {
    const mine = this.plan.variables.flatMap((variable, at) =>
      variable.group === group ? [this.shareable[at]] : [],
    );
    for (const ids of group.requiredTraits) {
      const given = ids.some((id) => this.snapshot.isShared('trait', id));
      const outside = group.isGranular ? mine[0] : mine.some(Boolean) && given;
      if (!outside) this.bits.push({ column: 'traits', ids });
    }
    if (mine.every(Boolean)) return;
    for (const ids of group.memberOf) this.bits.push({ column: 'aggregates', ids });
  }
}

/** What makes a provider sharing (rule 73). */
export const SHARING_TRAIT = 'MISC_SHARES_VIA_AGGREGATE';
