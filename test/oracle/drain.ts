import { capacity } from './capacity.js';
import { Random } from './random.js';
import { addCounters } from './randomForest.js';
import { forest, type Forest, type InventoryRecord, type ProviderRecord } from '../support/forest.js';

/** The amounts of a consumer on one provider, by class. */
export interface Share {
  readonly provider: string;
  readonly amounts: Readonly<Record<string, number>>;
}

export interface DrainCase {
  readonly picture: string;
  readonly forest: Forest;
  /** The shares of each consumer, without the counters that they consume. */
  readonly consumers: readonly (readonly Share[])[];
  /** The indices of the consumers whose counters are not stored, as another program writes them. */
  readonly unstored: ReadonlySet<number>;
  /** The roots of the trees to empty. */
  readonly drained: readonly string[];
}

/** The number of levels of the documented derived requests: STAYS, KIND and ANY. */
export const LEVELS = 3;

/**
 * Returns a random fleet of hosts with NUMA nodes, network cards and disks beside shared storage,
 * and its consumers.
 */
export function drainCase(seed: number): DrainCase {
  const random = new Random(seed);
  const hosts = random.between(2, 4);
  const lines: string[] = [];
  for (let host = 0; host < hosts; host++) {
    lines.push(`h${host} @A ${random.chance(50) ? `DISK_GB:${random.between(1, 6)}` : ''}`);
    for (let node = 0; node < random.between(1, 2); node++) {
      lines.push(`  h${host}n${node} VCPU:${random.between(1, 6)} MEMORY_MB:${random.between(1, 6)}`);
      if (random.chance(50)) lines.push(`    h${host}n${node}p SRIOV_NET_VF:${random.between(1, 2)}`);
    }
  }
  for (let at = 0; at < random.between(0, 2); at++)
    lines.push(`s${at} DISK_GB:${random.between(2, 9)} @A sharing`);
  const picture = lines.join('\n');
  const drawn = forest(picture);
  if (random.chance(50)) addCounters(random, drawn.providers);
  const fleet = new NaiveFleet(drawn);
  const consumers: Share[][] = [];
  for (let tried = 0; tried < 7; tried++) {
    const shares = randomShares(random, drawn, random.between(0, hosts - 1));
    if (shares === null || !fleet.fits(shares)) continue;
    fleet.add(shares, 1);
    consumers.push(shares);
  }
  const drained = random.sample(
    Array.from({ length: hosts }, (_, host) => `h${host}`),
    random.between(1, Math.max(1, hosts - 1)),
  );
  const unstored = new Set(random.some([...consumers.keys()], 15));
  return { picture, forest: drawn, consumers, unstored, drained };
}

function randomShares(random: Random, { providers }: Forest, host: number): Share[] | null {
  const nodes = providers.filter(({ name }) => /^h\d+n\d+$/.test(name) && name.startsWith(`h${host}n`));
  const shares: Share[] = [];
  for (const { name } of random.sample(nodes, random.between(1, 2))) {
    shares.push({ provider: name, amounts: { VCPU: random.between(1, 3), MEMORY_MB: random.between(1, 3) } });
    if (random.chance(50) && providers.some((one) => one.name === `${name}p`))
      shares.push({ provider: `${name}p`, amounts: { SRIOV_NET_VF: 1 } });
  }
  const disks = providers.filter(
    ({ name, inventories }) => inventories.DISK_GB && (name === `h${host}` || name.startsWith('s')),
  );
  if (disks.length > 0 && random.chance(80))
    shares.push({ provider: random.pick(disks).name, amounts: { DISK_GB: random.between(1, 4) } });
  return shares.length === 0 ? null : shares;
}

/** Usage by provider and class, without any index. Counters are used as the amounts on their partitions imply. */
export class NaiveFleet {
  private readonly used = new Map<string, number>();
  private readonly byName: ReadonlyMap<string, ProviderRecord>;
  private readonly nameOf: ReadonlyMap<string, string>;

  constructor(private readonly drawn: Forest) {
    this.byName = new Map(drawn.providers.map((provider) => [provider.name, provider]));
    this.nameOf = new Map(drawn.providers.map(({ uuid, name }) => [uuid, name]));
  }

  add(shares: readonly Share[], sign: 1 | -1): void {
    for (const { provider, amounts } of this.withCounters(shares))
      for (const [name, amount] of Object.entries(amounts))
        this.used.set(`${provider} ${name}`, this.usedOf(provider, name) + sign * amount);
  }

  /** Returns the shares and those of the counters that they consume, one for each provider. */
  withCounters(shares: readonly Share[]): Share[] {
    const sums = new Map<string, Record<string, number>>();
    const count = (provider: string, name: string, amount: number): void => {
      const amounts = sums.get(provider) ?? {};
      amounts[name] = (amounts[name] ?? 0) + amount;
      sums.set(provider, amounts);
    };
    for (const { provider, amounts } of shares)
      for (const [name, amount] of Object.entries(amounts)) {
        count(provider, name, amount);
        for (const counter of this.byName.get(provider)!.consumes?.[name] ?? [])
          count(this.nameOf.get(counter.provider)!, counter.resourceClass, amount * counter.amount);
      }
    return [...sums].map(([provider, amounts]) => ({ provider, amounts }));
  }

  hasCounters(shares: readonly Share[]): boolean {
    return JSON.stringify(this.withCounters(shares)) !== JSON.stringify(shares);
  }

  /** Returns the shares without amounts of counters. */
  withoutCounters(shares: readonly Share[]): Share[] {
    const consumed = new Set(
      this.drawn.providers
        .flatMap(({ consumes }) => Object.values(consumes ?? {}).flat())
        .map(({ provider, resourceClass }) => `${this.nameOf.get(provider)!} ${resourceClass}`),
    );
    return shares.flatMap(({ provider, amounts }) => {
      const left = Object.entries(amounts).filter(([name]) => !consumed.has(`${provider} ${name}`));
      return left.length === 0 ? [] : [{ provider, amounts: Object.fromEntries(left) }];
    });
  }

  usedOf(provider: string, resourceClass: string): number {
    return this.used.get(`${provider} ${resourceClass}`) ?? 0;
  }

  fits(shares: readonly Share[]): boolean {
    this.add(shares, 1);
    const fits = this.exceeded().length === 0;
    this.add(shares, -1);
    return fits;
  }

  exceeded(): string[] {
    return [...this.used.keys()].filter((key) => {
      const [provider, name] = key.split(' ');
      const inventory = this.byName.get(provider)!.inventories[name] as InventoryRecord | undefined;
      return this.used.get(key)! > (inventory === undefined ? 0 : capacity(inventory));
    });
  }

  /**
   * Returns all placements of the shares of a consumer that keep its shape, for one level of
   * strictness.
   */
  places(shares: readonly Share[], drained: readonly string[], level: number): Share[][] {
    const isShared = (name: string): boolean => name.startsWith('s');
    const trees = [...new Set(this.drawn.providers.map(({ name }) => treeOf(name)))];
    const parts = level < 2 ? shares.map((share) => ({ share, detached: false })) : detachedParts(shares);
    return trees
      .filter((tree) => !drained.includes(tree) && !isShared(tree))
      .flatMap((tree) => {
        let found: Share[][] = [[]];
        for (const { share, detached } of parts) {
          const allowed = this.drawn.providers.filter(({ name }) => {
            if (level === 0 && isShared(share.provider)) return name === share.provider;
            if (detached) return isShared(name) || treeOf(name) === tree;
            return isShared(share.provider) ? isShared(name) : treeOf(name) === tree;
          });
          found = found.flatMap((before) =>
            allowed.map(({ name }) => [...before, { provider: name, amounts: share.amounts }]),
          );
        }
        return found.filter(
          (place) =>
            keepsShape(
              parts.map(({ share }) => share),
              place,
            ) && this.fits(place),
        );
      });
  }
}

/** Disks are the only class of shared storage: they detach from the rest. */
function detachedParts(shares: readonly Share[]): { share: Share; detached: boolean }[] {
  return shares.map((share) => ({ share, detached: 'DISK_GB' in share.amounts }));
}

function treeOf(name: string): string {
  return /^(h\d+|s\d+)/.exec(name)![1];
}

/** Returns whether equal classes stay apart, and a card stays at the node of its consumer. */
export function keepsShape(before: readonly Share[], after: readonly Share[]): boolean {
  return before.every((one, at) =>
    before.every((other, position) => {
      if (at === position) return true;
      const isAlike = Object.keys(one.amounts).some((name) => name in other.amounts);
      const [here, there] = [after[at].provider, after[position].provider];
      if (isAlike && here === there) return false;
      return other.provider !== `${one.provider}p` || there === `${here}p`;
    }),
  );
}

/** Returns the maximum number of consumers that can move, over all orders and placements. */
export function mostMoves(drainedCase: DrainCase): number {
  const { forest: drawn, consumers, drained } = drainedCase;
  const fleet = new NaiveFleet(drawn);
  for (const shares of consumers) fleet.add(shares, 1);
  const leaving = leavingOf(drainedCase);
  const rest = (left: readonly number[]): number => {
    let most = 0;
    for (const at of left) {
      fleet.add(consumers[at], -1);
      const others = left.filter((other) => other !== at);
      for (const place of fleet.places(consumers[at], drained, LEVELS - 1)) {
        fleet.add(place, 1);
        most = Math.max(most, 1 + rest(others));
        fleet.add(place, -1);
        if (most === left.length) break;
      }
      fleet.add(consumers[at], 1);
      if (most === left.length) break;
    }
    return most;
  };
  return rest(leaving);
}

/** Returns the indices of the consumers in drained trees. */
export function leavingOf({ consumers, drained }: DrainCase): number[] {
  return [...consumers.keys()].filter((at) =>
    consumers[at].some(({ provider }) => drained.includes(treeOf(provider))),
  );
}
