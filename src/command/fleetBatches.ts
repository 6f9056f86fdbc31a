import type * as api from '../generated/client/operations.js';
import { nodesOf } from './desiredTrees.js';
import { slices } from './slices.js';

/** A batch has at most this many hosts and, unless a host has more, this many providers. */
const BATCH_HOSTS = 100;
const BATCH_PROVIDERS = 1_000;

/** The maximum number of trees, and of removed roots, of `applyProviderTrees`. */
const MAX_HOSTS = 500;

/** A stored root. */
export interface Host {
  readonly uuid: string;
  readonly name: string;
}

/** A desired root, and the document that states it. */
export interface SourceRoot {
  readonly source: string;
  readonly root: api.DesiredProviderInput;
}

/** Hosts that only one transaction can write, because they give names to each other. */
interface HostGroup {
  readonly trees: SourceRoot[];
  readonly removed: Host[];
}

/** The hosts that one transaction writes and removes. */
export class FleetBatch {
  private readonly groups: HostGroup[];

  constructor(trees: readonly SourceRoot[], removed: readonly Host[] = []) {
    this.groups = [
      ...trees.map((each) => ({ trees: [each], removed: [] })),
      ...removed.map((each) => ({ trees: [], removed: [each] })),
    ];
  }

  /** Divides the hosts into batches: first those to write, then those to remove. */
  static of(roots: readonly SourceRoot[], removed: readonly Host[]): FleetBatch[] {
    const batches: SourceRoot[][] = [];
    let room = 0;
    for (const each of roots) {
      const size = nodesOf(each.root).length;
      if (room < size || batches.at(-1)!.length === BATCH_HOSTS) {
        batches.push([]);
        room = BATCH_PROVIDERS;
      }
      batches.at(-1)!.push(each);
      room -= size;
    }
    return [
      ...batches.map((trees) => new FleetBatch(trees)),
      ...slices(removed, BATCH_HOSTS).map((some) => new FleetBatch([], some)),
    ];
  }

  get trees(): readonly SourceRoot[] {
    return this.groups.flatMap(({ trees }) => trees);
  }

  get removed(): readonly Host[] {
    return this.groups.flatMap(({ removed }) => removed);
  }

  get size(): number {
    return this.trees.length + this.removed.length;
  }

  /**
   * Moves the group of a host from another batch into the group of the tree at a position of this one.
   *
   * @returns the other batch; undefined if no other one has the host, or if this one has no room
   */
  take(host: Host, position: number, batches: readonly FleetBatch[]): FleetBatch | undefined {
    const tree = this.trees[position];
    const taker = this.groups.find(({ trees }) => trees.includes(tree))!;
    const giver = batches.find((each) => each !== this && each.groupOf(host));
    const given = giver?.groupOf(host);
    if (giver === undefined || given === undefined || !this.hasRoomFor(given)) return undefined;
    giver.groups.splice(giver.groups.indexOf(given), 1);
    taker.trees.push(...given.trees);
    taker.removed.push(...given.removed);
    return giver;
  }

  private groupOf({ uuid, name }: Host): HostGroup | undefined {
    const isStated = ({ root }: SourceRoot): boolean =>
      root.uuid == null ? root.name === name : root.uuid === uuid;
    return this.groups.find(
      ({ trees, removed }) => trees.some(isStated) || removed.some((host) => host.uuid === uuid),
    );
  }

  private hasRoomFor({ trees, removed }: HostGroup): boolean {
    return this.trees.length + trees.length <= MAX_HOSTS && this.removed.length + removed.length <= MAX_HOSTS;
  }
}
