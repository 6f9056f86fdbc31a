import { groupBy } from '../../model/collections.js';

/** The consumers that NEAR relations link, directly or through others. */
export class NearGroups {
  /** By consumer: another consumer of its group, closer to the one that represents the group. */
  private readonly parents = new Map<number, number>();
  private members: ReadonlyMap<number, readonly number[]> | null = null;

  link(consumer: number, other: number): void {
    this.members = null;
    const [root, otherRoot] = [this.rootOf(consumer), this.rootOf(other)];
    this.parents.set(root, otherRoot);
    this.parents.set(otherRoot, otherRoot);
  }

  /** Returns the group of a consumer in ascending order. A consumer without links is its own group. */
  groupOf(consumer: number): readonly number[] {
    if (!this.parents.has(consumer)) return [consumer];
    this.members ??= groupBy(
      [...this.parents.keys()].sort((a, b) => a - b),
      (one) => this.rootOf(one),
    );
    return this.members.get(this.rootOf(consumer))!;
  }

  private rootOf(consumer: number): number {
    let root = consumer;
    for (;;) {
      const parent = this.parents.get(root) ?? root;
      if (parent === root) return root;
      this.parents.set(root, this.parents.get(parent) ?? parent);
      root = parent;
    }
  }
}
