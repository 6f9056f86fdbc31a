import { uuidOf, type Forest } from '../support/forest.js';
import { naiveAnswer } from './naive.js';
import type { Random } from './random.js';
import {
  allocate,
  hostRequest,
  keyOfReached,
  rebalanceCase,
  RebalanceOracle,
  type Reached,
  type RebalanceCase,
} from './rebalance.js';
import { WorkloadOracle, type CaseWorkload } from './workload.js';

export interface RoomCase extends RebalanceCase {
  readonly workload: CaseWorkload;
  /** The consumer of the workload that exists. */
  readonly held: string;
}

/** Tries all sequences of moves until the workload fits. It is correct, but slow. */
export class RoomOracle extends RebalanceOracle {
  private readonly known = new Map<string, boolean>();

  constructor(private readonly room: RoomCase) {
    super(room);
  }

  /** Returns the fewest moves after which the workload fits; null if at most `maxMoves` moves do not suffice. */
  leastMoves(): number | null {
    if (this.fitsAt(this.start)) return 0;
    const seen = new Set([keyOfReached(this.start)]);
    let level = [this.start];
    for (let moves = 1; moves <= this.room.maxMoves; moves++) {
      const next: Reached[] = [];
      for (const reached of level)
        for (const after of this.following(reached)) {
          if (seen.has(keyOfReached(after))) continue;
          seen.add(keyOfReached(after));
          next.push(after);
          if (after.base === null && this.fitsAt(after)) return moves;
        }
      level = next;
    }
    return null;
  }

  /** Returns whether the workload fits after some moves, without its own former allocations. */
  fitsAt({ state }: Reached): boolean {
    const { workload, held } = this.room;
    const forest = this.forestAt(state);
    const without = {
      ...forest,
      allocations: forest.allocations.filter(({ consumer }) => consumer !== held),
    };
    const named = workload.members.some(({ requests }) =>
      requests.some((one) => (one.awayFromConsumers ?? one.nearConsumers ?? []).length > 0),
    );
    const used = without.allocations.map((one) =>
      Object.values(named ? one : { ...one, consumer: '' }).join(' '),
    );
    const key = used.toSorted().join();
    let fits = this.known.get(key);
    if (fits === undefined) {
      fits = new WorkloadOracle(without, workload).solve().best !== null;
      this.known.set(key, fits);
    }
    return fits;
  }

  private *following(reached: Reached): Generator<Reached> {
    const { consumers } = this.room;
    for (const [consumer, { canMove }] of consumers.entries()) {
      if (!canMove) continue;
      for (const place of this.placesOf(consumer)) {
        const after = this.moved(reached, consumer, place);
        if (after !== null) yield after;
      }
    }
  }
}

/** Returns a small fleet with consumers that may move, and a workload that is large for it. */
export function roomCase(
  random: Random,
  size: Parameters<typeof rebalanceCase>[1],
  maxMoves = random.between(1, 6),
): RoomCase {
  const { forest, ...others } = rebalanceCase(random, size);
  const roots = forest.providers.filter(({ parent }) => parent === null).map(({ name }) => name);
  const held = uuidOf('consumer', 'held');
  const isNested = forest.providers.some(({ parent }) => parent !== null);
  const hasDisk = forest.providers.some(({ inventories }) => inventories.DISK_GB !== undefined);
  const request = () => hostRequest(random, { isNested, hasDisk });
  if (random.chance(30)) {
    const places = naiveAnswer({ ...forest, allocations: [] }, request()).candidates;
    if (places.length > 0) allocate(forest, held, random.pick(places).allocations);
  }
  const uuids = [...others.consumers.map(({ uuid }) => uuid), uuidOf('consumer', 'fixed')];
  const members = Array.from({ length: random.pick([1, 1, 1, 2]) }, (_, at) => ({
    name: `m${at}`,
    count: random.pick([1, 1, 1, 2, 3]),
    placement: random.pick(['ANY', 'ANY', 'ANY', 'SAME_TREE', 'DISTINCT_TREES'] as const),
    requests: Array.from({ length: random.pick([1, 1, 2]) }, () => {
      const [first, ...more] = request().groups;
      const resources = Object.fromEntries(
        Object.entries(first.resources!).map(([name, amount]) => [name, amount + random.pick([0, 1, 1, 2])]),
      );
      return {
        groups: [{ ...first, resources }, ...more],
        ...(random.chance(15) ? { awayFromConsumers: random.sample(uuids, random.between(1, 2)) } : {}),
        ...(random.chance(10) ? { nearConsumers: random.sample(uuids, random.between(1, 2)) } : {}),
      };
    }),
  }));
  const names = members.map(({ name }) => name);
  const topology = Array.from({ length: random.pick([0, 0, 0, 1]) }, () => ({
    level: { kind: 'TREE' as const },
    members: names,
    rule: random.pick(['SAME', 'DIFFERENT', 'SPREAD', 'PACK'] as const),
    maxSkew: 1,
    allowOutside: false,
  }));
  return {
    ...others,
    forest,
    goal: 'FREE_HOSTS',
    hosts: roots,
    copies: true,
    maxMoves,
    held,
    workload: { members, topology },
  };
}

/** Returns the allocations of one consumer of a forest, by uuid of the provider. */
export function allocationsOf(forest: Forest, consumer: string): Record<string, Record<string, number>> {
  const found: Record<string, Record<string, number>> = {};
  for (const one of forest.allocations)
    if (one.consumer === consumer)
      (found[uuidOf('provider', one.provider)] ??= {})[one.resourceClass] = one.used;
  return found;
}
