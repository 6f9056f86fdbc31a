import { createHash } from 'node:crypto';
import { SHARING_TRAIT, type InventoryFields, type ProviderFields } from '../../model/provider.js';
import { mix, permutation } from '../../model/collections.js';

/**
 * The demo data: racks of 50 hosts, each with an aggregate and shared storage, in 20 zones. A host
 * is a root with two NUMA nodes, each with two network cards. A quarter of the hosts have a VGPU
 * provider below a node. A tenth of the nodes are full, a tenth are empty. The others have one to
 * ten consumers.
 */
export interface FleetOptions {
  readonly hosts: number;
  /** A 32-bit integer. Defaults to 1. The same seed gives the same fleet, uuids included. */
  readonly seed?: number;
}

/** The storage, hosts and consumers of a rack. A parent comes before its children. */
export interface Rack {
  readonly providers: DemoProvider[];
  readonly consumers: DemoConsumer[];
}

/** A provider. The ids of a fleet start with 1. */
export interface DemoProvider extends ProviderFields {
  readonly inventories: readonly InventoryFields[];
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
  /** The number of writes that created this state (decision D5). */
  generation: number;
}

export interface DemoConsumer {
  readonly uuid: string;
  readonly project: string;
  readonly user: string;
  readonly allocations: readonly {
    readonly providerId: number;
    readonly resourceClass: string;
    readonly used: number;
  }[];
}

const HOSTS_PER_RACK = 50;
const ZONES = 20;
const USERS = 40;
const USERS_PER_PROJECT = 4;
const FUNCTIONS_PER_CARD = 8;
const CONSUMERS_OF_FULL_NODE = 15;

function inventory(
  resourceClass: string,
  total: number,
  reserved = 0,
  allocationRatio = 1,
): InventoryFields[] {
  return [{ resourceClass, total, reserved, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio }];
}

const STORAGE = inventory('DISK_GB', 1_000_000);
const HOST = inventory('DISK_GB', 2_000);
const NODE = [...inventory('VCPU', 32, 0, 4), ...inventory('MEMORY_MB', 131_072, 512)];
const CARD = inventory('SRIOV_NET_VF', FUNCTIONS_PER_CARD);
const GRAPHICS = inventory('VGPU', 4);

/** Generates the fleet one rack at a time, because a large one needs too much memory. */
export function* fleet({ hosts, seed = 1 }: FleetOptions): Generator<Rack> {
  let nextId = 1;
  for (let first = 1; first <= hosts; first += HOSTS_PER_RACK) {
    const builder = new RackBuilder(seed, first, Math.min(first + HOSTS_PER_RACK - 1, hosts), nextId);
    nextId = builder.build();
    yield builder;
  }
}

export function zoneAggregate(zone: number, seed = 1): string {
  return uuidOf(seed, 0, `zone-${zone}`);
}

export function zonesOf(hosts: number, seed = 1): { readonly aggregate: string; readonly name: string }[] {
  return Array.from({ length: Math.min(hosts, ZONES) }, (_, zone) => ({
    aggregate: zoneAggregate(zone, seed),
    name: `zone-${String(zone + 1).padStart(2, '0')}`,
  }));
}

/** The random decisions. Each has its own sequence of random numbers. */
enum RandomChoice {
  MultiAttach = 1,
  Avx2,
  Graphics,
  GraphicsNode,
  Load,
  Consumers,
  Network,
  Card,
  Owner,
}

class RackBuilder implements Rack {
  readonly providers: DemoProvider[] = [];
  readonly consumers: DemoConsumer[] = [];
  private readonly aggregate: string;
  private readonly number: number;

  constructor(
    private readonly seed: number,
    private readonly first: number,
    private readonly last: number,
    private nextId: number,
  ) {
    this.number = Math.ceil(first / HOSTS_PER_RACK);
    this.aggregate = uuidOf(seed, this.number, `rack-${this.number}`);
  }

  /** Adds all providers and consumers. Returns the next free provider id. */
  build(): number {
    this.add(`storage-${pad(this.number, 4)}`, null, STORAGE, [SHARING_TRAIT], [this.aggregate]);
    for (let host = this.first; host <= this.last; host++) this.addHost(host);
    return this.nextId;
  }

  private addHost(host: number): void {
    const name = `host-${pad(host, 5)}`;
    const traits = this.chosen(RandomChoice.MultiAttach, host, 1 / 2) ? ['COMPUTE_VOLUME_MULTI_ATTACH'] : [];
    const zone = zoneAggregate((host - 1) % ZONES, this.seed);
    const root = this.add(name, null, HOST, traits, [zone, this.aggregate]);
    const nodeTraits = [
      'HW_NUMA_ROOT',
      ...(this.chosen(RandomChoice.Avx2, host, 1 / 2) ? ['HW_CPU_X86_AVX2'] : []),
    ];
    const graphicsNode = this.chosen(RandomChoice.Graphics, host, 1 / 4)
      ? this.random(RandomChoice.GraphicsNode, host) % 2
      : -1;
    for (const index of [0, 1]) {
      const node = this.add(`${name}-numa${index}`, root, NODE, nodeTraits);
      const cards = [0, 1].map((card) => {
        const network = (this.random(RandomChoice.Network, 4 * host + 2 * index + card) % 2) + 1;
        return this.add(`${node.name}-pf${card}`, node, CARD, [`CUSTOM_PHYSNET_${network}`]);
      });
      if (index === graphicsNode) this.add(`${node.name}-vgpu`, node, GRAPHICS);
      this.placeConsumers(root, node, cards, 2 * host + index);
    }
  }

  private add(
    name: string,
    parent: DemoProvider | null,
    inventories: readonly InventoryFields[],
    traits: readonly string[] = [],
    aggregates: readonly string[] = [],
  ): DemoProvider {
    const id = this.nextId++;
    const generation = [inventories, traits, aggregates].filter(({ length }) => length > 0).length;
    const position = { parentId: parent?.id ?? null, rootId: parent?.rootId ?? id };
    const named = { id, uuid: uuidOf(this.seed, this.number, name), name, ...position };
    const provider = { ...named, inventories, traits, aggregates, generation };
    this.providers.push(provider);
    return provider;
  }

  /** Adds consumers on a NUMA node, its host's disk and its cards. */
  private placeConsumers(
    root: DemoProvider,
    node: DemoProvider,
    cards: DemoProvider[],
    number: number,
  ): void {
    const free = cards.map(() => FUNCTIONS_PER_CARD);
    const consumers = this.consumersOn(number);
    for (let count = 1; count <= consumers; count++) {
      const name = `${node.name}-server${count}`;
      let card = this.random(RandomChoice.Card, 32 * number + count) % cards.length;
      if (free[card] === 0) card = 1 - card;
      free[card]--;
      const owner = this.random(RandomChoice.Owner, 32 * number + count) % USERS;
      this.consumers.push({
        uuid: uuidOf(this.seed, this.number, name),
        project: `project-${pad(Math.floor(owner / USERS_PER_PROJECT) + 1, 2)}`,
        user: `user-${pad(owner + 1, 2)}`,
        allocations: [
          { providerId: root.id, resourceClass: 'DISK_GB', used: 20 },
          { providerId: node.id, resourceClass: 'VCPU', used: 4 },
          { providerId: node.id, resourceClass: 'MEMORY_MB', used: 8_192 },
          { providerId: cards[card].id, resourceClass: 'SRIOV_NET_VF', used: 1 },
        ],
      });
      for (const provider of [root, node, cards[card]]) provider.generation++;
    }
  }

  private consumersOn(node: number): number {
    const nodes = 2 * (this.last - this.first + 1);
    const tenth = Math.round(nodes / 10);
    const rank = permutation(nodes, this.rackSeed(RandomChoice.Load))(node - 2 * this.first);
    if (rank < tenth) return CONSUMERS_OF_FULL_NODE;
    return rank < 2 * tenth ? 0 : (this.random(RandomChoice.Consumers, node) % 10) + 1;
  }

  /** Returns whether the host is in a random `share` of its rack. It is exact for the fleet. */
  private chosen(chance: RandomChoice, host: number, share: number): boolean {
    const count = Math.floor(this.last * share) - Math.floor((this.first - 1) * share);
    const order = permutation(this.last - this.first + 1, this.rackSeed(chance));
    return order(host - this.first) < count;
  }

  private rackSeed(chance: RandomChoice): number {
    return mix(mix(this.seed, chance), this.number);
  }

  private random(chance: RandomChoice, number: number): number {
    return mix(mix(this.seed, chance + 100), number);
  }
}

/** The time in the uuids of the zones (ms since 1970). Uuids of rack n are n minutes later. */
const EPOCH = Date.UTC(2026, 0, 1);

/** Returns a uuid of version 7 with the rack as time, so that a rack is contiguous in indexes. */
function uuidOf(seed: number, rack: number, name: string): string {
  const time = (EPOCH + rack * 60_000).toString(16).padStart(12, '0');
  const hash = createHash('sha1').update(`${seed} ${name}`).digest('hex');
  const variant = ((parseInt(hash[3], 16) & 3) | 8).toString(16);
  const digits = `${time}7${hash.slice(0, 3)}${variant}${hash.slice(4, 19)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}
