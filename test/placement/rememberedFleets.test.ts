import { afterAll, expect, test } from '@jest/globals';
import { allocationsOf } from '../../src/search/anchor.js';
import { Effort } from '../../src/model/operation/waiting.js';
import type { Holdings } from '../../src/model/request.js';
import { treeIndexOf, type Snapshot } from '../../src/fleet/snapshot.js';
import { withAllocated } from '../../src/search/overlay/snapshotOverlay.js';
import { placeLeaving } from '../../src/moves/drain/drainPlacement.js';
import type { Leaving, OtherConsumer } from '../../src/moves/drain/drainRelations.js';
import { allocationsIn } from '../../src/moves/heldConsumers.js';
import type { RebalanceGoal, RebalanceProblem } from '../../src/moves/rebalance/problem.js';
import { rebalance } from '../../src/moves/rebalance/rebalance.js';
import { RequestsOfConsumers } from '../../src/moves/rebalance/requestsOfConsumers.js';
import { RequestTexts } from '../../src/moves/rememberedRequests.js';
import { WorkloadBindings, type BoundWorkloads } from '../../src/moves/workloadBindings.js';
import type { TopologyRule } from '../../src/moves/workload/workload.js';
import type { HeldConsumer } from '../../src/store/sql/consumers.js';
import { Random } from '../oracle/random.js';
import { finished, snapshotOf } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { aggregate, forest, uuidOf, type Forest } from '../support/forest.js';
import { cases } from '../support/length.js';

/** A fleet of hosts in racks, in which every consumer has a memory, and some are in a workload with rules. */
interface Case {
  readonly hosts: readonly Host[];
  readonly consumers: readonly Remembering[];
  readonly workloads: readonly CaseWorkload[];
}

interface Host {
  /** The capacity of the host, or of each of its nodes. */
  readonly capacity: number;
  readonly traits: readonly string[];
  readonly racks: readonly string[];
  /** By node: the aggregates of the node alone. Absent: the host has no nodes. */
  readonly nodes?: readonly (readonly string[])[];
}

interface Remembering {
  /** The place: see State. */
  readonly host: number;
  readonly amount: number;
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
  readonly memberOf: readonly string[];
  readonly notIn: readonly string[];
  readonly away: readonly number[];
  readonly near: readonly number[];
}

interface CaseWorkload {
  /** By member: its placement policy and its consumers. */
  readonly members: readonly { readonly placement: string; readonly consumers: readonly number[] }[];
  readonly rules: readonly TopologyRule[];
}

/** The place of each consumer: twice the number of its host, plus that of its node. */
type State = readonly number[];

const numRuns = cases(Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 1_500), 100);
const counts = { drained: 0, rebalanced: 0, fixed: 0, kept: 0, rules: 0 };
const TRAITS = ['CUSTOM_RED', 'CUSTOM_BLUE'];
const RACKS = ['R1', 'R2', 'R3'];
const FABRICS = ['F1', 'F2'];
const NODE = 'CUSTOM_NODE';
const hostAt = (place: number): number => place >> 1;

afterAll(() => {
  process.stdout.write(`remembered fleets: ${JSON.stringify(counts)}\n`);
});

const NODE_LEVELS: readonly TopologyRule['level'][] = [
  { kind: 'TRAIT', trait: NODE },
  { kind: 'TRAIT', trait: NODE },
  { kind: 'AGGREGATES', aggregates: FABRICS.map(aggregate) },
];

function randomCase(random: Random): Case {
  const hasNodes = random.chance(50);
  const hosts = Array.from({ length: random.between(3, 6) }, (): Host => ({
    capacity: random.between(2, 8),
    traits: random.some(TRAITS, 55),
    racks: random.chance(85) ? [random.pick(RACKS)] : random.some(RACKS, 40),
    ...(hasNodes && random.chance(80) && { nodes: [random.some(FABRICS, 50), random.some(FABRICS, 50)] }),
  }));
  const free = hosts.flatMap(({ capacity }) => [capacity, capacity]);
  const all = Array.from({ length: random.between(2, 7) }, (_, at) => at);
  const consumers = all.map((at): Remembering => {
    const number = random.between(0, hosts.length - 1);
    const host = 2 * number + (hosts[number].nodes ? random.between(0, 1) : 0);
    const amount = random.between(1, 3);
    if (free[host] < amount) hosts[number] = { ...hosts[number], capacity: hosts[number].capacity + amount };
    else free[host] -= amount;
    // usually what it was placed by still holds
    const { traits, racks } = random.chance(85) ? hosts[number] : random.pick(hosts);
    const others = all.filter((one) => one !== at);
    const some = (percent: number): number[] =>
      random.chance(percent) ? random.sample(others, random.between(1, 2)) : [];
    return {
      host,
      amount,
      required: random.some(traits, 40),
      forbidden: random.some(
        TRAITS.filter((one) => !traits.includes(one)),
        20,
      ),
      memberOf: random.chance(25) && racks.length > 0 ? [...racks, ...random.some(RACKS, 30)] : [],
      notIn: random.some(
        RACKS.filter((one) => !racks.includes(one)),
        10,
      ),
      away: some(20),
      near: some(12),
    };
  });
  const left = random.sample(all, all.length);
  const workloads = Array.from({ length: random.pick([1, 1, 2]) }, () => {
    const members = Array.from({ length: random.between(1, 2) }, () => ({
      placement: random.pick(['ANY', 'ANY', 'ANY', 'SAME_TREE', 'DISTINCT_TREES']),
      consumers: left.splice(0, random.between(1, 4)),
    })).filter((member) => member.consumers.length > 0);
    const names = members.map((_, at) => `m${at}`);
    const rules = Array.from({ length: random.pick([1, 1, 2]) }, (): TopologyRule => ({
      level: random.pick<TopologyRule['level']>([
        { kind: 'TREE' },
        { kind: 'AGGREGATES', aggregates: RACKS.map(aggregate) },
        ...(hasNodes ? NODE_LEVELS : []),
      ]),
      members: names.length === 0 ? [] : random.sample(names, random.between(1, names.length)),
      rule: random.pick(['SAME', 'DIFFERENT', 'DIFFERENT', 'SPREAD', 'PACK']),
      maxSkew: 1,
      allowOutside: random.chance(20),
    }));
    return { members, rules };
  }).filter(({ members }) => members.length > 0);
  return { hosts, consumers, workloads };
}

const uuidAt = (at: number): string => uuidOf('consumer', `${at}`);
const nameOf = ({ hosts }: Case, place: number): string =>
  hosts[hostAt(place)].nodes ? `n${place}` : `h${hostAt(place)}`;
const providerOf = (given: Case, place: number): string => uuidOf('provider', nameOf(given, place));

/** Returns the place of a provider by its name. */
const placeOf = (name: string): number => Number(name.slice(1)) * (name.startsWith('h') ? 2 : 1);

const ids = new Map<string, number>();

/** Equal requests have one id, as in the database. */
function textOf(remembering: Remembering): { readonly id: number; readonly body: string } {
  const body = bodyOf(remembering);
  if (!ids.has(body)) ids.set(body, ids.size);
  return { id: ids.get(body)!, body };
}

function bodyOf({ amount, required, forbidden, memberOf, notIn, away, near }: Remembering): string {
  const uuids = (racks: readonly string[]) => [...new Set(racks)].map((rack) => ({ uuid: aggregate(rack) }));
  const alternatives = memberOf.length === 0 ? [] : [uuids(memberOf)];
  return JSON.stringify({
    groups: [
      {
        suffix: '_1',
        resources: [{ resourceClass: 'VCPU', amount }],
        requiredTraits: required.map((trait) => [trait]),
        forbiddenTraits: forbidden,
        memberOf: alternatives,
        forbiddenAggregates: uuids(notIn),
      },
    ],
    awayFromConsumers: away.map(uuidAt),
    nearConsumers: near.map(uuidAt),
  });
}

/** The naive judgement of a state: the names of what holds, and of what every place must meet. */
class NaiveRules {
  constructor(private readonly given: Case) {}

  /** Whether a consumer may be on a host by the traits and aggregates that it asked for. */
  isPlace(consumer: number, host: number): boolean {
    const { required, forbidden, memberOf, notIn } = this.given.consumers[consumer];
    const { traits, racks } = this.given.hosts[hostAt(host)];
    return (
      required.every((trait) => traits.includes(trait)) &&
      !forbidden.some((trait) => traits.includes(trait)) &&
      (memberOf.length === 0 || memberOf.some((rack) => racks.includes(rack))) &&
      !notIn.some((rack) => racks.includes(rack))
    );
  }

  fits(state: State): boolean {
    return [...new Set(state)].every((place) => {
      const used = this.given.consumers.filter((_, at) => state[at] === place);
      return used.reduce((sum, { amount }) => sum + amount, 0) <= this.given.hosts[hostAt(place)].capacity;
    });
  }

  /** Returns the relations and the rules that hold in a state. */
  holding(state: State): Set<string> {
    const { consumers, workloads } = this.given;
    const held = new Set<string>();
    consumers.forEach(({ away, near }, at) => {
      for (const one of away) if (hostAt(state[one]) !== hostAt(state[at])) held.add(`${at} away ${one}`);
      if (near.length > 0 && near.some((one) => hostAt(state[one]) === hostAt(state[at])))
        held.add(`${at} near ${near.join()}`);
    });
    workloads.forEach(({ members, rules }, number) => {
      members.forEach(({ placement, consumers: own }, at) => {
        const trees = new Set(own.map((one) => hostAt(state[one])));
        if (placement === 'SAME_TREE' && trees.size <= 1) held.add(`${number} member ${at} same`);
        if (placement === 'DISTINCT_TREES' && trees.size === own.length)
          held.add(`${number} member ${at} away`);
      });
      rules.forEach((rule, at) => {
        if (this.isBinding(rule) && this.holds(rule, members, state))
          held.add(`${number} rule ${at} ${rule.rule}`);
      });
    });
    return held;
  }

  /** PACK is a preference, and SPREAD over trees restricts no move. */
  private isBinding({ rule, level }: TopologyRule): boolean {
    return rule !== 'PACK' && !(rule === 'SPREAD' && level.kind === 'TREE');
  }

  private domainsAt({ level }: TopologyRule, place: number): readonly string[] {
    const { racks, nodes } = this.given.hosts[hostAt(place)];
    if (level.kind === 'TREE') return [`${hostAt(place)}`];
    if (level.kind === 'TRAIT') return nodes ? [`${place}`] : [];
    return level.aggregates.includes(aggregate('R1')) ? racks : (nodes?.[place & 1] ?? []);
  }

  private holds(rule: TopologyRule, members: CaseWorkload['members'], state: State): boolean {
    const named = members.flatMap(({ consumers }, at) => (rule.members.includes(`m${at}`) ? consumers : []));
    const domains = named.map((one) => this.domainsAt(rule, state[one]));
    const inside = domains.filter((own) => own.length > 0);
    if (inside.length < domains.length && !rule.allowOutside) return false;
    const countIn = (domain: string): number => inside.filter((own) => own.includes(domain)).length;
    if (rule.rule === 'SAME')
      return inside.length === 0 || inside[0].some((one) => countIn(one) === inside.length);
    if (rule.rule === 'DIFFERENT') return inside.flat().every((one) => countIn(one) === 1);
    // every domain with a host or node counts; those without any consumer of the rule have none
    const places = this.given.hosts.flatMap(({ nodes }, host) =>
      nodes ? [2 * host, 2 * host + 1] : [2 * host],
    );
    const all = [...new Set(places.flatMap((place) => this.domainsAt(rule, place)))].map(countIn);
    return Math.max(...all) - Math.min(...all) <= rule.maxSkew;
  }
}

interface Fleet {
  readonly snapshot: Snapshot;
  readonly held: readonly HeldConsumer[];
  readonly holdings: Holdings;
  readonly bindings: WorkloadBindings;
  readonly drawn: Forest;
}

function fleetOf(given: Case): Fleet {
  const { hosts, consumers, workloads } = given;
  const marks = (traits: readonly string[], aggregates: readonly string[]): string =>
    [...traits.map((one) => `+${one}`), ...aggregates.map((one) => `@${one}`)].join(' ');
  const drawn = forest(
    hosts
      .flatMap(({ capacity, traits, racks, nodes }, host) =>
        nodes === undefined
          ? [`h${host} VCPU:${capacity} ${marks(traits, racks)}`]
          : [
              `h${host} ${marks([], racks)}`,
              ...nodes.map(
                (own, node) =>
                  `  n${2 * host + node} VCPU:${capacity} ${marks([...traits, NODE], [...racks, ...own])}`,
              ),
            ],
      )
      .join('\n'),
  );
  const empty = snapshotOf(drawn);
  const held = consumers.map(({ host, amount }, id): HeldConsumer => ({
    ...{ id, uuid: uuidAt(id), generation: 1, hasSeveralRows: false, isKept: false, consumerType: null },
    ...{ projectId: 'p', userId: 'u', expiresAt: null, createdAt: null, updatedAt: null },
    allocations: [
      { resourceProvider: providerOf(given, host), resources: [{ resourceClass: 'VCPU', amount }] },
    ],
  }));
  const snapshot = withAllocated(
    empty,
    held.flatMap(({ allocations }) => allocationsIn(empty, allocations)),
  );
  const bound: BoundWorkloads = {
    workloads: workloads.map(({ members, rules }) => ({
      rules,
      members: members.map(({ placement, consumers: own }, at) => ({
        name: `m${at}`,
        placement,
        texts: [],
        consumers: own.map(uuidAt),
      })),
    })),
    held: new Map(held.map((one) => [one.uuid, one])),
  };
  const holdings = new Map(held.map(({ uuid, allocations }) => [uuid, [allocations[0].resourceProvider]]));
  const effort = new Effort();
  effort.allow(Infinity);
  const bindings = WorkloadBindings.of(snapshot, bound, effort).next().value!;
  return { snapshot, held, holdings, bindings, drawn };
}

/** Returns the hosts after a drain of one host, as planDrain plans it. */
function drained(given: Case, host: number): State {
  const { snapshot, held, holdings, bindings } = fleetOf(given);
  const texts = new RequestTexts([]);
  const requestAt = (at: number) => {
    const { consumers } = given;
    const { request } = texts.requestFor(textOf(consumers[at]), [
      { resourceClass: 'VCPU', amount: consumers[at].amount },
    ]);
    return bindings.bound(uuidAt(at), request);
  };
  const isLeaving = ({ id }: HeldConsumer): boolean => hostAt(given.consumers[id].host) === host;
  const others = held
    .filter((one) => !isLeaving(one))
    .map(({ id, uuid, allocations }): OtherConsumer => ({
      uuid,
      request: texts.requestOf(textOf(given.consumers[id])),
      allocations: allocationsIn(snapshot, allocations),
    }));
  const leaving = held.filter(isLeaving).map((consumer): Leaving => ({
    consumer,
    from: allocationsIn(snapshot, consumer.allocations),
    requested: null,
    source: 'REMEMBERED',
    requests: [requestAt(consumer.id)],
    seed: 1,
  }));
  const trees = new Set([treeIndexOf(snapshot.locate(uuidOf('provider', `h${host}`))!)]);
  const moves = finished(
    (effort) => placeLeaving({ snapshot, trees, holdings, others, workloads: bindings }, leaving, effort),
    Infinity,
  );
  const state = given.consumers.map((one) => one.host);
  for (const { consumer, found } of moves) {
    if (found === null) continue;
    const [{ provider }] = allocationsOf(found.found.plan!, found);
    state[consumer.id] = placeOf(provider.block.names[provider.row]);
    counts.drained++;
  }
  return state;
}

/** Returns the hosts after each move of a rebalancing, as planRebalance plans it. */
function rebalanced(given: Case, goal: RebalanceGoal): State[] {
  const { snapshot, held, holdings, bindings } = fleetOf(given);
  const options = { requests: [], keep: [], keepTypes: [], keepsTraits: false, excludedRootTraits: [] };
  const consumers = held.map(({ id, uuid, allocations }) => ({
    ...{ uuid, generation: 1, typeId: null, isKept: false, isKnown: true },
    requestId: textOf(given.consumers[id]).id,
    allocations: allocationsIn(snapshot, allocations),
  }));
  const requests = new RequestsOfConsumers(snapshot, options, consumers, new Map(), holdings, {
    bodies: new Map(given.consumers.map(textOf).map(({ id, body }) => [id, body])),
    texts: new RequestTexts([]),
    bindings,
  });
  const effort = new Effort();
  effort.allow(Infinity);
  const all = requests.rebalanced(effort).next().value!;
  const problem: RebalanceProblem = {
    snapshot,
    goal,
    hosts: given.hosts.map((_, host) => treeIndexOf(snapshot.locate(uuidOf('provider', `h${host}`))!)),
    classes: null,
    consumers: all,
    workloads: bindings,
    requestOf: (consumer) => requests.requestOf(consumer),
    restRequestOf: (consumer) => requests.restRequestOf(consumer),
    maxMoves: 4,
    isOver: () => false,
  };
  const { moves } = finished((work) => rebalance(problem, work), Infinity);
  const state = given.consumers.map(({ host }) => host);
  return moves.map(({ consumer, to: [{ provider }] }) => {
    state[consumer] = placeOf(provider.block.names[provider.row]);
    counts[goal === 'FIX' ? 'fixed' : 'rebalanced']++;
    return [...state];
  });
}

/** Nothing that held is broken at the end, and each moved consumer is where its request allows it. */
function check(given: Case, what: string, states: readonly State[]): void {
  const rules = new NaiveRules(given);
  const start = given.consumers.map(({ host }) => host);
  const end = states.at(-1) ?? start;
  const before = rules.holding(start);
  const after = rules.holding(end);
  counts.kept += before.size;
  counts.rules += [...before].filter((one) => one.includes('rule')).length;
  const broken = [...before].filter((one) => !after.has(one));
  const misplaced = [...end.keys()].filter((at) => end[at] !== start[at] && !rules.isPlace(at, end[at]));
  const overfull = states.filter((state) => !rules.fits(state)).length;
  expect({ given, what, end, broken, misplaced, overfull }).toEqual({
    ...{ given, what, end },
    broken: [],
    misplaced: [],
    overfull: 0,
  });
}

test(
  'drains, rebalancings and FIX break no trait, aggregate, relation or rule that consumers asked for',
  async () => {
    const law = fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (seed) => {
      const random = new Random(seed);
      const given = randomCase(random);
      check(given, 'drain', [drained(given, random.between(0, given.hosts.length - 1))]);
      for (const goal of ['FREE_HOSTS', 'EVEN_OUT', 'FIX'] as const)
        check(given, goal, rebalanced(given, goal));
    });
    await assertEnough(
      law,
      { numRuns, endOnFailure: true },
      () => Math.min(counts.drained, counts.rebalanced, counts.fixed, counts.rules) > numRuns / 20,
    );
  },
  Math.max(240_000, numRuns * 100),
);

test('a consumer whose request names others in nearConsumers still stays with its member under SAME_TREE', () => {
  const consumer = (host: number, amount: number, near: readonly number[] = []): Remembering => ({
    ...{ host, amount, near },
    ...{ required: [], forbidden: [], memberOf: [], notIn: [], away: [] },
  });
  const given: Case = {
    hosts: [6, 4, 5, 6, 6].map((capacity) => ({ capacity, traits: [], racks: [] })),
    consumers: [consumer(2, 2), consumer(0, 2), consumer(0, 2), consumer(2, 1, [1]), consumer(2, 1, [0, 3])],
    workloads: [{ members: [{ placement: 'SAME_TREE', consumers: [0, 4, 3] }], rules: [] }],
  };
  check(given, 'EVEN_OUT', rebalanced(given, 'EVEN_OUT'));
});
