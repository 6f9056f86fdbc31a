import type { TopologyRule } from '../../src/moves/workload/workload.js';
import type { PlacementPolicy } from '../../src/moves/workload/workload.js';
import { candidateKey, type Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import { capacity } from './capacity.js';
import { anchors, combinationsUnder, merge, withoutExcluded } from './naive.js';
import { CaseRelations } from './caseRelations.js';
import { ProviderRelations } from './providerRelations.js';

export interface CaseMember {
  name: string;
  count: number;
  requests: CaseRequest[];
  placement: PlacementPolicy;
  /** The uuids of its consumers, if requests name some. */
  consumers?: string[];
  /** By consumer: its allocations before the workload, by provider and class; null for a new one. */
  present?: (Candidate['allocations'] | null)[];
}

export interface CaseWorkload {
  members: CaseMember[];
  topology: TopologyRule[];
  topologyAlternatives?: TopologyRule[][];
}

/** A way to serve one consumer. */
interface Option {
  member: number;
  alternative: number;
  key: string;
  anchor: string;
  candidate: Candidate;
  /** The domains by rule. */
  domains: string[][];
}

/** An option of one consumer. */
interface Placed extends Option {
  /** Its number in the member. */
  consumer: number;
}

/**
 * The members that do not keep the request of their present consumers, the number of moves, the alternatives, the
 * domains of PACK rules, what is free in them and the scores of a way to place all consumers: the lower, the better.
 */
export type Value = number[];

export interface NaiveWorkload {
  /** The best value of a full placement; null if there is none. */
  best: Value | null;
  /** The most consumers that fit together. */
  fit: number;
}

/** Enumerates all ways to place a workload whose requests split no amounts, in full or in part. */
export class WorkloadOracle {
  readonly options: Option[][][];
  readonly #world: ProviderRelations;
  readonly #eligible: Set<string>[];
  readonly #relations: CaseRelations;
  /** By member: the alternative that most of its present consumers have; null if none has one. */
  readonly #kept: (number | null)[];
  /** By present allocations and those of a candidate: whether it moves the consumer. */
  readonly #moves = new Map<Candidate['allocations'], Map<Candidate['allocations'], boolean>>();

  constructor(
    readonly forest: Forest,
    readonly workload: CaseWorkload,
  ) {
    this.#world = new ProviderRelations(forest);
    this.#relations = new CaseRelations(this.#world, forest, workload);
    this.options = this.#optionsIn(forest);
    this.#kept = workload.members.map(({ present = [] }, member) => {
      const counts = this.options[member].map((options) => {
        const keys = new Set(options.map(({ candidate }) => keyOf(candidate.allocations)));
        return present.filter((one) => one !== null && keys.has(keyOf(one))).length;
      });
      const most = Math.max(0, ...counts);
      return most === 0 ? null : counts.indexOf(most);
    });
    const unused = this.#optionsIn(unusedForest(forest));
    this.#eligible = workload.topology.map(({ members }, rule) => {
      const named = workload.members.flatMap(({ name }, at) =>
        members.includes(name) ? unused[at].flat() : [],
      );
      return new Set(named.flatMap(({ domains }) => domains[rule]));
    });
  }

  get #isRelated(): boolean {
    return this.workload.members.some(({ consumers }) => consumers !== undefined);
  }

  /** The maximum number of placements that `solve` examines. */
  get size(): number {
    return this.options.reduce((all, requests, member) => {
      const { count } = this.workload.members[member];
      const ways = this.#isRelated
        ? (kinds: number) => kinds ** count
        : (kinds: number) => multisets(kinds, count);
      return all * requests.reduce((sum, options) => sum + ways(options.length + 1), 0);
    }, 1);
  }

  solve(): NaiveWorkload {
    const { members } = this.workload;
    const answer: NaiveWorkload = { best: null, fit: 0 };
    const total = members.reduce((sum, { count }) => sum + count, 0);
    const placed: Placed[] = [];
    const place = (member: number, alternative: number, left: number, from: number): void => {
      if (member === members.length) {
        if (!this.isAllowed(placed)) return;
        answer.fit = Math.max(answer.fit, placed.length);
        if (placed.length === total) {
          const value = this.valueOf(placed);
          if (answer.best === null || compareValues(value, answer.best) < 0) answer.best = value;
        }
        return;
      }
      const isNamed = this.#isRelated && left > 0;
      if (isNamed) place(member, alternative, left - 1, 0);
      // The remaining consumers stay without resources.
      else next(member + 1);
      if (left === 0) return;
      const options = this.options[member][alternative];
      for (let at = from; at < options.length; at++) {
        placed.push({ ...options[at], consumer: members[member].count - left });
        if (this.#fits(placed)) place(member, alternative, left - 1, isNamed ? 0 : at);
        placed.pop();
      }
    };
    const next = (member: number): void => {
      if (member === members.length) place(member, 0, 0, 0);
      else
        for (const alternative of this.options[member].keys())
          place(member, alternative, members[member].count, 0);
    };
    next(0);
    return answer;
  }

  /** Whether consumers with these options obey the placement policies, the relations and the topology. */
  isAllowed(placed: readonly Placed[]): boolean {
    return (
      placed.every((one) => this.#relations.areMet(one, placed)) &&
      this.workload.members.every(({ placement }, member) => {
        const trees = placed.filter((one) => one.member === member).map(({ anchor }) => anchor);
        if (placement === 'SAME_TREE') return new Set(trees).size <= 1;
        return placement === 'ANY' || new Set(trees).size === trees.length;
      }) &&
      this.workload.topology.every((rule, at) => this.#obeys(rule, this.#domainsOf(placed, at), at))
    );
  }

  /** With `isExact` each consumer has the option of its position; else equal consumers may exchange their options. */
  valueOf(placed: readonly Placed[], isExact = this.#isRelated): Value {
    const chosen = this.workload.members.map(
      (_, member) => placed.find((one) => one.member === member)!.alternative,
    );
    const packed = this.workload.topology.flatMap(({ rule }, at) =>
      rule === 'PACK' ? [new Set(this.#domainsOf(placed, at).flat()).size] : [],
    );
    const fills = this.workload.topology.flatMap(({ rule }, at) =>
      rule === 'PACK' ? [this.#freeIn(at, new Set(this.#domainsOf(placed, at).flat()), chosen)] : [],
    );
    const lost = chosen.map((one, member) =>
      Number(this.#kept[member] !== null && one !== this.#kept[member]),
    );
    const free = chosen.map((one, member) => (one === this.#kept[member] ? 0 : one));
    return [
      ...lost,
      this.#moved(placed, isExact),
      ...free,
      ...packed,
      ...fills,
      ...this.#scores(placed, chosen),
    ];
  }

  /** The free amounts of domains before the workload, as a multiple of what the consumers of the rule request. */
  #freeIn(at: number, domains: ReadonlySet<string>, chosen: readonly number[]): number {
    const { level, members: named } = this.workload.topology[at];
    const requested: Record<string, number> = {};
    this.workload.members.forEach(({ name, count, requests }, member) => {
      if (!named.includes(name)) return;
      for (const { resources = {} } of requests[chosen[member]].groups)
        for (const [resourceClass, amount] of Object.entries(resources))
          requested[resourceClass] = (requested[resourceClass] ?? 0) + count * amount;
    });
    let sum = 0;
    for (const domain of domains)
      for (const provider of this.#world.providers) {
        if (provider.traits.includes(SHARING) || !this.#domains(level, provider).includes(domain)) continue;
        for (const resourceClass of Object.keys(provider.inventories))
          if (requested[resourceClass] !== undefined)
            sum += Math.max(0, this.#world.free(provider, resourceClass)) / requested[resourceClass];
      }
    return sum;
  }

  #moved(placed: readonly Placed[], isExact: boolean): number {
    return this.workload.members.reduce((sum, { present = [] }, member) => {
      const own = placed.filter((one) => one.member === member);
      const after = own.toSorted((a, b) => a.consumer - b.consumer).map(({ candidate }) => candidate);
      if (!isExact) return sum + this.#fewestMoves(present, after);
      return sum + present.filter((one, at) => one !== null && this.#isMoved(one, after[at])).length;
    }, 0);
  }

  /** The fewest moves if the consumers may exchange their candidates. */
  #fewestMoves(present: readonly (Candidate['allocations'] | null)[], left: readonly Candidate[]): number {
    if (present.length === 0) return 0;
    const [first, ...others] = present;
    if (first === null) return this.#fewestMoves(others, left);
    const ways = left.map(
      (one, at) => Number(this.#isMoved(first, one)) + this.#fewestMoves(others, left.toSpliced(at, 1)),
    );
    return Math.min(...ways);
  }

  /** A resize moves a consumer if it leaves its tree; else any change of its allocations does. */
  #isMoved(before: Candidate['allocations'], { allocations: after }: Candidate): boolean {
    const known = this.#moves.get(before) ?? new Map<Candidate['allocations'], boolean>();
    this.#moves.set(before, known);
    let isMoved = known.get(after);
    if (isMoved === undefined) {
      const trees = this.#treesOf(before);
      const isResize = this.#requestedIn(before) !== this.#requestedIn(after);
      isMoved = isResize && trees !== '' ? this.#treesOf(after) !== trees : keyOf(before) !== keyOf(after);
      known.set(after, isMoved);
    }
    return isMoved;
  }

  /** The roots of the non-sharing providers. */
  #treesOf(allocations: Candidate['allocations']): string {
    const own = this.#world.providers.filter(
      (one) => one.uuid in allocations && !one.traits.includes(SHARING),
    );
    return [...new Set(own.map((one) => this.#world.root(one).name))].sort().join();
  }

  /** The sums by class of what a request states: all but counters. */
  #requestedIn(allocations: Candidate['allocations']): string {
    const sums: Record<string, number> = {};
    for (const provider of this.#world.providers)
      for (const [name, amount] of Object.entries(allocations[provider.uuid] ?? {}))
        if (!this.#world.isCounter(provider, name)) sums[name] = (sums[name] ?? 0) + amount;
    return JSON.stringify(Object.entries(sums).sort());
  }

  /** The options of the given candidates, each under the first anchor that allows it; null if one is not an option. */
  optionsOf(
    placed: readonly { member: number; alternative: number; anchor: string; candidate: Candidate }[],
  ): Placed[] | null {
    const found = placed.flatMap(({ member, alternative, anchor, candidate }, at) => {
      const key = candidateKey(candidate);
      const options = this.options[member][alternative];
      const option = options.find((one) => one.key === key && one.anchor === anchor);
      const consumer = at - placed.findIndex((one) => one.member === member);
      return option === undefined ? [] : { ...option, consumer };
    });
    return found.length === placed.length && this.#fits(found) ? found : null;
  }

  #optionsIn(forest: Forest): Option[][][] {
    const { members, topology } = this.workload;
    return members.map(({ requests }, member) =>
      requests.map((given, alternative) => {
        const request = this.#relations.outer(given, member);
        const world = new ProviderRelations(withoutExcluded(forest, request));
        return anchors(world, request).flatMap((anchor) => {
          const options = combinationsUnder(world, request, anchor).map((combination) => {
            const candidate = merge(combination);
            const own = combination
              .flatMap(({ providers }) => providers)
              .filter(({ traits }) => !traits.includes(SHARING));
            const domains = topology.map(({ level }) => [
              ...new Set(own.flatMap((one) => this.#domains(level, one))),
            ]);
            return {
              member,
              alternative,
              key: candidateKey(candidate),
              anchor: anchor.name,
              candidate,
              domains,
            };
          });
          return [...new Map(options.map((option) => [option.key, option])).values()];
        });
      }),
    );
  }

  #domains(level: TopologyRule['level'], provider: ProviderRecord): string[] {
    const line = this.#world.upwards(provider);
    if (level.kind === 'TREE') return [line.at(-1)!.name];
    if (level.kind === 'AGGREGATES')
      return level.aggregates.filter((one) => line.some(({ aggregates }) => aggregates.includes(one)));
    return line
      .filter(({ traits }) => traits.includes(level.trait))
      .slice(0, 1)
      .map(({ name }) => name);
  }

  #domainsOf(placed: readonly Option[], rule: number): string[][] {
    const { members } = this.workload.topology[rule];
    return placed
      .filter(({ member }) => members.includes(this.workload.members[member].name))
      .map(({ domains }) => domains[rule]);
  }

  #obeys({ rule, maxSkew, allowOutside }: TopologyRule, all: string[][], at: number): boolean {
    const domains = all.filter((some) => some.length > 0);
    if (domains.length < all.length && !allowOutside) return false;
    if (rule === 'DIFFERENT') return new Set(domains.flat()).size === domains.flat().length;
    if (rule === 'SAME')
      return domains.length === 0 || domains[0].some((one) => domains.every((some) => some.includes(one)));
    const countIn = (domain: string): number => domains.filter((some) => some.includes(domain)).length;
    const lowest = Math.min(...[...this.#eligible[at]].map(countIn));
    return rule === 'PACK' || domains.flat().every((domain) => countIn(domain) - lowest <= maxSkew);
  }

  /** The amounts that the options take fit the capacities together. */
  #fits(placed: readonly Option[]): boolean {
    const sums = sumsOf(placed);
    return this.#world.providers.every((provider) => {
      const own = sums.get(provider.uuid);
      return (
        own === undefined ||
        Object.entries(own).every(([name, sum]) => sum <= this.#world.free(provider, name))
      );
    });
  }

  #scores(placed: readonly Placed[], chosen: readonly number[]): number[] {
    const sums = sumsOf(placed);
    return this.workload.members.flatMap(({ requests }, member) =>
      (requests[chosen[member]].orderBy ?? []).map(({ freeShare, nearConsumers }) => {
        if (nearConsumers) return -this.#relations.nearby(member, nearConsumers, placed);
        const { resourceClass, strategy } = freeShare!;
        const shares = placed
          .filter((one) => one.member === member)
          .map(({ candidate: { allocations } }) => {
            const givers = this.#world.providers.filter(
              ({ uuid }) => allocations[uuid]?.[resourceClass] !== undefined,
            );
            const held = givers.reduce((sum, one) => sum + capacity(one.inventories[resourceClass]), 0);
            const free = givers.reduce(
              (sum, one) => sum + this.#world.freeAfter(one, resourceClass, sums),
              0,
            );
            return free / held;
          });
        const sum = shares.reduce((all, one) => all + one, 0);
        return strategy === 'SPREAD' ? -sum : sum;
      }),
    );
  }
}

/** The naive answers under each alternative of the topology; itself without alternatives. */
export function oraclesOf(forest: Forest, workload: CaseWorkload): WorkloadOracle[] {
  const { topology, topologyAlternatives: alternatives } = workload;
  if (!alternatives?.length) return [new WorkloadOracle(forest, workload)];
  return alternatives.map(
    (rules) => new WorkloadOracle(forest, { ...workload, topology: [...topology, ...rules] }),
  );
}

/** Returns a value with the position of the alternative, which is worse than a move and better than a request. */
export function underTopology(value: Value, { members }: CaseWorkload, alternative: number): Value {
  return value.toSpliced(members.length + 1, 0, alternative);
}

function sumsOf(placed: readonly Option[]): Map<string, Record<string, number>> {
  const sums = new Map<string, Record<string, number>>();
  for (const { candidate } of placed) {
    for (const [uuid, classes] of Object.entries(candidate.allocations)) {
      const own = sums.get(uuid) ?? {};
      sums.set(uuid, own);
      for (const [name, amount] of Object.entries(classes)) own[name] = (own[name] ?? 0) + amount;
    }
  }
  return sums;
}

/** Negative if the first value is better. Sums of shares count as equal within rounding. */
export function compareValues(one: Value, other: Value): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (Math.abs(difference) > 1e-9) return difference;
  }
  return 0;
}

/** The number of multisets of this size. */
function multisets(kinds: number, size: number): number {
  let count = 1;
  for (let at = 0; at < size; at++) count = (count * (kinds + at)) / (at + 1);
  return count;
}

/** Returns the forest with the same consumers in the same trees, but without usage. */
function unusedForest({ providers, allocations }: Forest): Forest {
  return { providers, allocations: allocations.map((allocation) => ({ ...allocation, used: 0 })) };
}

/** Returns equal texts for equal allocations. */
function keyOf(allocations: Candidate['allocations']): string {
  return Object.entries(allocations)
    .map(([uuid, amounts]) => `${uuid} ${JSON.stringify(Object.entries(amounts).sort())}`)
    .sort()
    .join();
}
