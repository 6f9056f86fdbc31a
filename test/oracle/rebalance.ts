import { naiveAnswer } from './naive.js';
import { allowedUsage, capacity, unitsAllow } from './capacity.js';
import type { Random } from './random.js';
import { addCounters } from './randomForest.js';
import {
  SHARING,
  uuidOf,
  type Forest,
  type InventoryRecord,
  type ProviderRecord,
} from '../support/forest.js';
import type { CaseRequest } from '../support/caseRequests.js';

/** Amounts by provider uuid and class. They never change. */
export type Allocations = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface CaseConsumer {
  readonly uuid: string;
  readonly request: CaseRequest;
  /** The request for a rest between two moves. Defaults to `request`. */
  readonly rest?: CaseRequest;
  readonly isStated: boolean;
  readonly canMove: boolean;
  readonly allocations: Allocations;
}

export interface RebalanceCase {
  /** Contains the allocations of all consumers, and others that never move. */
  readonly forest: Forest;
  readonly goal: 'FREE_HOSTS' | 'EVEN_OUT' | 'FIX';
  /** Names of roots. */
  readonly hosts: readonly string[];
  readonly classes: readonly string[] | null;
  readonly consumers: readonly CaseConsumer[];
  readonly maxMoves: number;
  /** Whether former and new allocations both count during a move; the larger amount on an inventory of both. */
  readonly copies?: boolean;
}

/** The allocations of each consumer. */
type State = readonly Allocations[];

/** A state that moves reach. `base` is the state before a group whose move is not complete. */
export interface Reached {
  readonly state: State;
  readonly base: State | null;
  readonly mover: number;
}

/** A consumer must be away from the named one, or near one of the named ones. Names are uuids. */
interface Relation {
  readonly rule: 'AWAY' | 'NEAR';
  readonly consumer: number;
  readonly named: readonly string[];
}

/** A broken relation counts more than all other faults. */
const BROKEN = 2 ** 24;

/** Tries all sequences of moves. It is correct, but slow. */
export class RebalanceOracle {
  private readonly places: readonly (readonly Allocations[])[];
  private readonly rests: readonly (readonly Allocations[])[];
  private readonly relations: readonly Relation[];
  private readonly provider: ReadonlyMap<string, ProviderRecord>;
  private readonly rootOf = new Map<string, string>();
  private readonly fixed = new Map<string, number>();

  constructor(private readonly given: RebalanceCase) {
    const { forest, goal, consumers } = given;
    this.provider = new Map(forest.providers.map((one) => [one.uuid, one]));
    for (const { name, uuid, parent } of forest.providers) {
      const above = forest.providers.find((one) => one.name === parent);
      this.rootOf.set(uuid, above === undefined ? name : this.rootOf.get(above.uuid)!);
    }
    const own = new Set(consumers.map(({ uuid }) => uuid));
    for (const { consumer, provider, resourceClass, used } of forest.allocations) {
      const { uuid } = forest.providers.find(({ name }) => name === provider)!;
      if (!own.has(consumer)) this.add(this.fixed, uuid, resourceClass, used);
    }
    this.places = consumers.map(({ request }) => this.placesFor(request));
    this.rests = consumers.map(({ request, rest, isStated }) =>
      goal === 'FIX' && isStated ? this.placesFor(rest ?? request) : [],
    );
    this.relations = consumers.flatMap(({ uuid, request, isStated }, consumer) => {
      const others = (uuids?: string[]): string[] =>
        isStated ? (uuids ?? []).filter((one) => one !== uuid) : [];
      const near = others(request.nearConsumers);
      const away = others(request.awayFromConsumers).map((one): Relation => ({
        rule: 'AWAY',
        consumer,
        named: [one],
      }));
      return near.length === 0 ? away : [...away, { rule: 'NEAR' as const, consumer, named: near }];
    });
  }

  /** Returns the candidates in the hosts of the empty fleet, without relations. */
  private placesFor(request: CaseRequest): Allocations[] {
    const { forest, hosts } = this.given;
    const unrelated = { ...request, awayFromConsumers: [], nearConsumers: [] };
    return naiveAnswer({ ...forest, allocations: [] }, unrelated)
      .candidates.map(({ allocations }) => allocations)
      .filter((one) =>
        Object.keys(one).every((uuid) => this.isSharing(uuid) || hosts.includes(this.rootOf.get(uuid)!)),
      );
  }

  /** Returns the places of a consumer, the present one first. */
  protected placesOf(consumer: number): readonly Allocations[] {
    return [this.given.consumers[consumer].allocations, ...this.places[consumer]];
  }

  get start(): Reached {
    return { state: this.given.consumers.map(({ allocations }) => allocations), base: null, mover: -1 };
  }

  /** Returns the best value that at most `maxMoves` moves reach, and the fewest moves to it. */
  solve(): { value: number; moves: number } {
    let best = { value: this.valueOf(this.start.state), moves: 0 };
    let level = [this.start];
    const seen = new Set([keyOfReached(this.start)]);
    for (let moves = 1; moves <= this.given.maxMoves; moves++) {
      const next: Reached[] = [];
      for (const reached of level)
        for (const [consumer, { canMove, allocations }] of this.given.consumers.entries())
          for (const place of canMove
            ? [allocations, ...this.places[consumer], ...this.rests[consumer]]
            : []) {
            const after = this.moved(reached, consumer, place);
            if (after === null || seen.has(keyOfReached(after))) continue;
            seen.add(keyOfReached(after));
            next.push(after);
            if (!this.isFinal(after)) continue;
            const value = this.valueOf(after.state);
            if (value < best.value - 1e-9) best = { value, moves };
          }
      level = next;
    }
    return best;
  }

  /**
   * Returns the state after a move. Null if the place is none of the consumer, if it does not fit,
   * or if it breaks an AWAY relation that held before, or a NEAR relation that no other member of the
   * group can restore.
   */
  moved({ state, base, mover }: Reached, consumer: number, place: Allocations): Reached | null {
    const isOwn = [
      this.given.consumers[consumer].allocations,
      ...this.places[consumer],
      ...this.rests[consumer],
    ].some((one) => keyOf(one) === keyOf(place));
    if (!isOwn || keyOf(place) === keyOf(state[consumer])) return null;
    const start = base ?? state;
    const hasStayed = (one: number, now: State): boolean => keyOf(now[one]) === keyOf(start[one]);
    if (base !== null && !(this.groupOf(mover).has(consumer) && hasStayed(consumer, state))) return null;
    const after = state.map((one, at) => (at === consumer ? place : one));
    if (this.lacksCounters(place) || !this.fits(place, after, state[consumer])) return null;
    const broken = this.relations.filter((one) => this.isBroken(one, after));
    if (broken.some((one) => one.rule === 'AWAY' && !this.isBroken(one, state))) return null;
    const breaks = broken.some((one) => !this.isBroken(one, start));
    if (!breaks) return { state: after, base: null, mover: consumer };
    const others = [...this.groupOf(consumer)].filter((one) => this.given.consumers[one].canMove);
    return others.some((one) => hasStayed(one, after))
      ? { state: after, base: start, mover: consumer }
      : null;
  }

  /** Returns whether a plan may end here: no group is on its way and no consumer rests. */
  isFinal({ state, base }: Reached): boolean {
    if (base !== null) return false;
    return state.every((place, at) =>
      [this.given.consumers[at].allocations, ...this.places[at]].some((one) => keyOf(one) === keyOf(place)),
    );
  }

  private fits(place: Allocations, state: State, former: Allocations): boolean {
    const used = this.usedIn(state);
    return amountsOf(place).every(([uuid, resourceClass, amount]) => {
      const left = this.given.copies ? (former[uuid]?.[resourceClass] ?? 0) - amount : 0;
      const counted = used.get(`${uuid} ${resourceClass}`)! + Math.max(0, left);
      return counted <= capacity(this.inventory(uuid, resourceClass));
    });
  }

  /** Returns whether a write of the place would add counters, because another program wrote it. */
  private lacksCounters(place: Allocations): boolean {
    const consumed = new Map<string, number>();
    for (const [uuid, resourceClass, amount] of amountsOf(place))
      for (const one of this.provider.get(uuid)!.consumes?.[resourceClass] ?? [])
        this.add(consumed, one.provider, one.resourceClass, amount * one.amount);
    return [...consumed].some(([key, amount]) => {
      const [uuid, resourceClass] = key.split(' ');
      return (place[uuid]?.[resourceClass] ?? 0) < amount;
    });
  }

  /** Returns the forest of a state. */
  forestAt(state: State): Forest {
    const { forest, consumers } = this.given;
    const own = new Set(consumers.map(({ uuid }) => uuid));
    const at: Forest = {
      ...forest,
      allocations: forest.allocations.filter(({ consumer }) => !own.has(consumer)),
    };
    for (const [index, { uuid }] of consumers.entries()) allocate(at, uuid, state[index]);
    return at;
  }

  /** Returns the consumers that nearConsumers links to one, directly or through others. */
  private groupOf(consumer: number): Set<number> {
    const { consumers } = this.given;
    const group = new Set([consumer]);
    const near = this.relations.filter(({ rule }) => rule === 'NEAR');
    for (let before = 0; before < group.size;) {
      before = group.size;
      for (const { consumer: one, named } of near) {
        const members = [one, ...named.map((uuid) => consumers.findIndex((other) => other.uuid === uuid))];
        const inside = members.filter((at) => at >= 0);
        if (inside.some((at) => group.has(at))) inside.forEach((at) => group.add(at));
      }
    }
    return group;
  }

  private isBroken({ rule, consumer, named }: Relation, state: State): boolean {
    const own = this.treesIn(state[consumer]);
    const others = new Set(named.flatMap((uuid) => this.treesOf(uuid, state)));
    return rule === 'AWAY' ? own.some((tree) => others.has(tree)) : !own.every((tree) => others.has(tree));
  }

  private treesOf(uuid: string, state: State): string[] {
    const { consumers, forest } = this.given;
    const at = consumers.findIndex((one) => one.uuid === uuid);
    if (at >= 0) return this.treesIn(state[at]);
    const providers = forest.allocations.filter(({ consumer }) => consumer === uuid);
    return this.treesIn(
      Object.fromEntries(providers.map(({ provider }) => [uuidOf('provider', provider), {}])),
    );
  }

  private treesIn(place: Allocations): string[] {
    return Object.keys(place)
      .filter((uuid) => !this.isSharing(uuid))
      .map((uuid) => this.rootOf.get(uuid)!);
  }

  valueOf(state: State): number {
    const { goal, hosts } = this.given;
    const used = this.usedIn(state);
    if (goal === 'EVEN_OUT') return Math.max(0, ...hosts.map((host) => this.utilization(host, used)));
    const keys = [...used].filter(([, amount]) => amount > 0).map(([key]) => key.split(' '));
    const inScope = keys.filter(([uuid]) => hosts.includes(this.rootOf.get(uuid)!));
    if (goal === 'FREE_HOSTS')
      return new Set(inScope.filter(([uuid]) => !this.isSharing(uuid)).map(([uuid]) => this.rootOf.get(uuid)))
        .size;
    const over = inScope.filter(
      ([uuid, name]) => used.get(`${uuid} ${name}`)! > allowedUsage(this.inventory(uuid, name)),
    );
    const broken = this.relations.filter((one) => this.isBroken(one, state));
    const faulty = state.filter(
      (place, at) => this.isFaulty(at, place) || broken.some(({ consumer }) => consumer === at),
    );
    return BROKEN * broken.length + over.length + faulty.length;
  }

  private isFaulty(consumer: number, place: Allocations): boolean {
    if (this.given.consumers[consumer].isStated)
      return !this.places[consumer].some((one) => keyOf(one) === keyOf(place));
    return !amountsOf(place).every(([uuid, resourceClass, amount]) => {
      const inventory = this.inventory(uuid, resourceClass);
      return unitsAllow(amount, inventory) && amount <= allowedUsage(inventory);
    });
  }

  private utilization(host: string, used: ReadonlyMap<string, number>): number {
    const sums = new Map<string, { used: number; capacity: number }>();
    for (const { uuid, inventories } of this.provider.values()) {
      if (this.rootOf.get(uuid) !== host || this.isSharing(uuid)) continue;
      for (const [name, inventory] of Object.entries(inventories)) {
        if (this.given.classes !== null && !this.given.classes.includes(name)) continue;
        if (inventory.reserved === inventory.total) continue;
        const sum = sums.get(name) ?? { used: 0, capacity: 0 };
        sum.used += used.get(`${uuid} ${name}`) ?? 0;
        sum.capacity += capacity(inventory);
        sums.set(name, sum);
      }
    }
    return Math.max(0, ...Array.from(sums.values(), (sum) => sum.used / Math.max(1, sum.capacity)));
  }

  /** Of a counter, the larger of its stored usage and the sum that its partitions imply. */
  private usedIn(state: State): Map<string, number> {
    const used = new Map(this.fixed);
    for (const [uuid, resourceClass, amount] of state.flatMap(amountsOf))
      this.add(used, uuid, resourceClass, amount);
    const implied = new Map<string, number>();
    for (const { uuid, consumes = {} } of this.provider.values())
      for (const [resourceClass, counters] of Object.entries(consumes))
        for (const { provider, resourceClass: counter, amount } of counters)
          this.add(implied, provider, counter, amount * (used.get(`${uuid} ${resourceClass}`) ?? 0));
    for (const [key, amount] of implied) used.set(key, Math.max(used.get(key) ?? 0, amount));
    return used;
  }

  private add(used: Map<string, number>, uuid: string, resourceClass: string, amount: number): void {
    const key = `${uuid} ${resourceClass}`;
    used.set(key, (used.get(key) ?? 0) + amount);
  }

  private isSharing(uuid: string): boolean {
    return this.provider.get(uuid)!.traits.includes(SHARING);
  }

  private inventory(uuid: string, resourceClass: string): InventoryRecord {
    return this.provider.get(uuid)!.inventories[resourceClass];
  }
}

type Amount = readonly [uuid: string, resourceClass: string, amount: number];

const listed = new WeakMap<Allocations, { readonly amounts: readonly Amount[]; readonly key: string }>();

/** Returns the amounts of the allocations, and equal keys for equal allocations. Caches both. */
function listOf(allocations: Allocations): { readonly amounts: readonly Amount[]; readonly key: string } {
  const known = listed.get(allocations);
  if (known) return known;
  const amounts = Object.entries(allocations).flatMap(([uuid, resources]) =>
    Object.entries(resources).map(([name, amount]): Amount => [uuid, name, amount]),
  );
  const list = {
    amounts,
    key: amounts
      .map((one) => one.join(' '))
      .toSorted()
      .join(),
  };
  listed.set(allocations, list);
  return list;
}

const amountsOf = (allocations: Allocations): readonly Amount[] => listOf(allocations).amounts;
const keyOf = (allocations: Allocations): string => listOf(allocations).key;

export function keyOfReached({ state, base }: Reached): string {
  return [...state, ...(base ?? [])].map(keyOf).join('|');
}

const TRAIT = 'CUSTOM_FAST';

interface CaseSize {
  readonly hosts: readonly [number, number];
  readonly consumers: readonly [number, number];
  /** How many of a hundred cases have counters. Default: 35. */
  readonly counters?: number;
}

/**
 * Returns a random small fleet with consumers. Some of them violate capacity, units or their
 * request.
 */
export function rebalanceCase(random: Random, size: CaseSize): RebalanceCase {
  const isScoped = random.chance(20);
  const hasStorage = !isScoped && random.chance(30);
  const isNested = random.chance(35);
  const forest: Forest = { providers: [], allocations: [] };
  const hostCount = random.between(...size.hosts);
  for (let host = 0; host < hostCount; host++) addHost(random, forest, `h${host}`, { isNested, hasStorage });
  if (random.chance(size.counters ?? 35)) addCounters(random, forest.providers);
  if (hasStorage) addProvider(forest, 's0', null, { DISK_GB: inventory(random, 8) }, [SHARING]);
  const hasDisk = hasStorage || !isNested;
  const roots = forest.providers.filter(({ parent }) => parent === null).map(({ name }) => name);
  const hosts = isScoped ? roots.slice(1) : roots;
  const goal = random.pick(['FREE_HOSTS', 'EVEN_OUT', 'FIX'] as const);
  const consumers: CaseConsumer[] = [];
  const count = random.between(...size.consumers);
  for (let at = 0; at < count; at++) {
    const request = hostRequest(random, { isNested, hasDisk });
    const notInTrees = roots.filter((root) => !hosts.includes(root));
    const places = naiveAnswer({ ...forest, allocations: [] }, { ...request, notInTrees }).candidates;
    if (places.length === 0) continue;
    const { allocations } = random.pick(places);
    const isStated = random.chance(55);
    const [first, ...others] = request.groups;
    const isPicky = isStated && random.chance(40);
    const groups = isPicky ? [{ ...first, required: [[TRAIT]] }, ...others] : request.groups;
    const uuid = uuidOf('consumer', `${at}`);
    consumers.push({
      uuid,
      request: { ...request, groups },
      rest: request,
      isStated,
      canMove: random.chance(85),
      allocations,
    });
    allocate(forest, uuid, allocations);
  }
  if (goal === 'FIX' && random.chance(40)) shrinkUnits(random, forest);
  if (random.chance(60)) relate(random, consumers);
  return {
    forest,
    goal,
    hosts,
    classes: random.chance(30) ? ['VCPU'] : null,
    consumers,
    maxMoves: random.between(1, 6),
  };
}

function addHost(
  random: Random,
  forest: Forest,
  name: string,
  { isNested, hasStorage }: { isNested: boolean; hasStorage: boolean },
): void {
  const traits = random.chance(50) ? [TRAIT] : [];
  const compute = () => ({ VCPU: inventory(random, 4), MEMORY_MB: inventory(random, 6) });
  const disk: ProviderRecord['inventories'] = isNested || hasStorage ? {} : { DISK_GB: inventory(random, 6) };
  addProvider(forest, name, null, isNested ? {} : { ...compute(), ...disk }, traits);
  if (isNested) for (const node of ['a', 'b']) addProvider(forest, name + node, name, compute(), traits);
  if (random.chance(25)) {
    const provider = isNested ? `${name}a` : name;
    const used = 1;
    forest.allocations.push({ consumer: uuidOf('consumer', 'fixed'), provider, resourceClass: 'VCPU', used });
  }
}

function addProvider(
  forest: Forest,
  name: string,
  parent: string | null,
  inventories: ProviderRecord['inventories'],
  traits: string[],
): void {
  const aggregates = parent === null ? [uuidOf('aggregate', 'A')] : [];
  forest.providers.push({ name, uuid: uuidOf('provider', name), parent, inventories, traits, aggregates });
}

function inventory(random: Random, total: number): InventoryRecord {
  const max_unit = random.chance(15) ? 2 : 2147483647;
  const units = { min_unit: 1, max_unit, step_size: random.chance(10) ? 2 : 1 };
  return { total: random.between(2, total), reserved: 0, ...units, allocation_ratio: 1 };
}

export function hostRequest(
  random: Random,
  { isNested, hasDisk }: { isNested: boolean; hasDisk: boolean },
): CaseRequest {
  const VCPU = random.between(1, 2);
  const MEMORY_MB = random.between(1, 3);
  const resources: Record<string, number> = random.chance(50) ? { VCPU, MEMORY_MB } : { VCPU };
  const compute = { suffix: '_1', resources };
  if (hasDisk && random.chance(50))
    return { groups: [compute, { suffix: '_2', resources: { DISK_GB: random.between(1, 3) } }] };
  if (isNested && random.chance(30))
    return { groups: [compute, { suffix: '_2', resources: { VCPU: 1 } }], groupPolicy: 'isolate' };
  return { groups: [compute] };
}

export function allocate({ providers, allocations }: Forest, consumer: string, added: Allocations): void {
  for (const [uuid, resourceClass, used] of amountsOf(added)) {
    const provider = providers.find((one) => one.uuid === uuid)!.name;
    allocations.push({ consumer, provider, resourceClass, used });
  }
}

/** Lets some of the consumers with stated requests name others, and the one that is not in the case. */
function relate(random: Random, consumers: CaseConsumer[]): void {
  const all = [...consumers.map(({ uuid }) => uuid), uuidOf('consumer', 'fixed')];
  for (const [at, consumer] of consumers.entries()) {
    if (!consumer.isStated) continue;
    const some = (percent: number): string[] =>
      random.chance(percent) ? random.sample(all, random.between(1, 3)) : [];
    const relations = { awayFromConsumers: some(50), nearConsumers: some(30) };
    consumers[at] = { ...consumer, request: { ...consumer.request, ...relations } };
  }
}

/** Makes some amounts of a provider invalid. */
function shrinkUnits(random: Random, { providers }: Forest): void {
  const { inventories } = random.pick(providers);
  for (const one of Object.values(inventories)) one.max_unit = 1;
}
