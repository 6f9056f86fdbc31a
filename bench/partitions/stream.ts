import type { MigCard } from '../../src/command/fleetSources/migCards.js';

/** How often each profile is requested, as a weight. */
export interface Mix {
  readonly name: string;
  readonly weights: Readonly<Record<string, number>>;
}

/**
 * The 6,989 pods with one GPU of Alibaba's trace cluster-trace-gpu-v2023 (github.com/alibaba/clusterdata,
 * openb_pod_list_default.csv), by the share of the GPU that they request. Each counts as the profile of an H100-80GB that
 * has at least this share of the memory: up to 1/8, 2/8, 4/8, and all.
 */
export const TRACE: Mix = {
  name: 'Alibaba',
  weights: { '1g.10gb': 31, '2g.20gb': 277, '3g.40gb': 1_292, '7g.80gb': 5_389 },
};

/**
 * An assumption: the partitions of a card in `all-balanced`, the mixed configuration that NVIDIA's mig-parted ships, are
 * requested as often as that card has them.
 */
export const BALANCED: Mix = {
  name: 'all-balanced',
  weights: { '1g.10gb': 2, '2g.20gb': 1, '3g.40gb': 1 },
};

/** A partition in use. */
export interface Placed {
  readonly card: number;
  readonly profile: string;
  readonly position: number;
}

/** Decides where partitions are placed, on empty cards at first. */
export interface Placer {
  /** Returns null if the profile does not fit. */
  place(profile: string): Placed | null | Promise<Placed | null>;
  release(placed: Placed): unknown;
}

/** Returns random whole numbers from `low` to `high`, both included. */
export interface Numbers {
  between(low: number, high: number): number;
}

/** A random sequence of claims, and then of claims and releases. */
interface Stream {
  readonly mix: Mix;
  /** The most memory slices that are in use. A claim that would exceed them is a release instead. */
  readonly slices: number;
  /** The stream ends before this many releases and one. */
  readonly releases: number;
}

/** Lets a placer serve a stream. A claim that does not fit counts as a release. Returns the partitions that remain. */
export async function serveStream(
  { profiles }: MigCard,
  { mix, slices, releases }: Stream,
  random: Numbers,
  placer: Placer,
): Promise<readonly Placed[]> {
  const remaining: Placed[] = [];
  let used = 0;
  for (let left = releases; ;) {
    const profile = drawn(mix, random);
    const { size } = profiles[profile];
    const placed = used + size > slices ? null : await placer.place(profile);
    if (placed !== null) {
      remaining.push(placed);
      used += size;
    } else {
      if (left-- === 0 || remaining.length === 0) return remaining;
      const [released] = remaining.splice(random.between(0, remaining.length - 1), 1);
      await placer.release(released);
      used -= profiles[released.profile].size;
    }
  }
}

function drawn({ weights }: Mix, random: Numbers): string {
  let left = random.between(1, sumOf(Object.values(weights)));
  return Object.keys(weights).find((profile) => (left -= weights[profile]) <= 0)!;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);

/** The units of the largest profile, which takes a whole card. */
interface WholeCards {
  /** Those that fit: the cards without a partition. */
  readonly fit: number;
  /** Those that the free memory slices would allow at any position. */
  readonly byCount: number;
}

export function wholeCards(
  { memorySlices, profiles }: MigCard,
  cards: number,
  placed: readonly Placed[],
): WholeCards {
  const used = sumOf(placed.map(({ profile }) => profiles[profile].size));
  return {
    fit: cards - new Set(placed.map(({ card }) => card)).size,
    byCount: Math.floor(cards - used / memorySlices),
  };
}

/** Places on the first card that has a free position, at the first one in the order of `nvidia-smi mig -lgipp`. */
export class FirstFit implements Placer {
  /** The memory slices in use, as bits. */
  private readonly used: number[];

  constructor(
    private readonly card: MigCard,
    cards: number,
  ) {
    this.used = Array.from({ length: cards }, () => 0);
  }

  place(profile: string): Placed | null {
    for (const [card, used] of this.used.entries())
      for (const position of this.card.profiles[profile].positions) {
        const placed = { card, profile, position };
        if ((used & this.slicesOf(placed)) !== 0) continue;
        this.used[card] |= this.slicesOf(placed);
        return placed;
      }
    return null;
  }

  release(placed: Placed): void {
    this.used[placed.card] &= ~this.slicesOf(placed);
  }

  private slicesOf({ profile, position }: Placed): number {
    return ((1 << this.card.profiles[profile].size) - 1) << position;
  }
}
