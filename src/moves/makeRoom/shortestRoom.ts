import { addToGroup, groupBy, once } from '../../model/collections.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import { AllocatedOverlay, withAllocated } from '../../search/overlay/snapshotOverlay.js';
import { amountOf, treesOfConsumer } from '../../search/plan.js';
import { freeAt, type Snapshot } from '../../fleet/snapshot.js';
import type { ConsumerRequests } from '../rebalance/consumerRequests.js';
import type { FleetState } from '../rebalance/fleetState.js';
import { keyOfState, MoveStates, type Reached } from '../rebalance/moveStates.js';
import { keyOf, treesOf } from '../rebalance/problem.js';
import { treesAt } from '../relations/relation.js';
import { withoutRelations } from '../relations/relations.js';
import { FinalStates } from './finalStates.js';
import type { FleetUsage, Needs } from './needs.js';
import { TreeClaims } from './treeClaims.js';
import type { RoomAnswer, RoomProblem } from './problem.js';
import type { WorkloadFit } from './workloadFit.js';

/** The limits of problems that the search enumerates. */
const MAX_MOVERS = 16;
/** Fewer than those of a block: `usedColumns` of the states has no other block. */
const MAX_TREES = 200;
const MAX_SEEN = 400_000;
/** The number of states above which the final states are enumerated to exclude others. */
const MAX_UNGUIDED = 1_000;

/** An answer, and a number of moves: fewer are proven not to suffice. */
interface ProvenRoom extends RoomAnswer {
  readonly proven: number;
}

/**
 * Enumerates the states that sequences of moves of a few consumers reach, until the workload fits. The states that need
 * the fewest moves in total come first. Skips states that differ from an earlier one by an exchange of equal consumers.
 */
export class ShortestRoom {
  private readonly states: MoveStates;
  /** The fleet of a state without the workload's own consumers, and the places of the consumers in it. */
  private readonly overlay: AllocatedOverlay;
  private shown: Uint8Array;
  /** By key of a state: whether the workload fits. Undefined: the work ran out. */
  private readonly known = new Map<string, boolean | undefined>();
  private isProven = true;
  /** By the moves that a state needs at least, and the moves that reach it: the states to expand. */
  private readonly open: Reached[][][] = [];
  /** By key of a state: the moves that reach it. */
  private readonly seen = new Map<string, number>();
  /** Undefined until the search has become long; null if there are too many. */
  private finals?: FinalStates | null;
  private readonly treesOf = once(treesOf);
  /** The allocations of the movable consumers by tree in the state that was counted last. */
  private counted: {
    readonly current: Uint8Array;
    readonly byTree: ReadonlyMap<number, readonly (readonly CandidateAllocation[])[]>;
  } | null = null;
  /** By movable consumer: its group of interchangeable consumers, and the numbers of its places. */
  private groups: readonly (readonly number[])[] = [];
  private numbers: readonly (readonly number[])[] = [];

  constructor(
    private readonly problem: RoomProblem,
    private readonly state: FleetState,
    private readonly requests: ConsumerRequests,
    private readonly fit: WorkloadFit,
    private needs: Needs,
    private readonly effort: Effort,
    before: Snapshot,
  ) {
    const consumers = state.movableConsumers;
    const movers = { consumers: consumers.length > MAX_MOVERS ? [] : consumers, hosts: state.problem.hosts };
    this.states = new MoveStates(state, requests, effort, movers, 'COPIES');
    this.overlay = new AllocatedOverlay(before);
    this.shown = this.states.start.places;
  }

  /** Returns null if there are too many consumers or places. */
  *run(emptied: Snapshot): Generator<void, ProvenRoom | null> {
    const { states, state } = this;
    if (state.movableConsumers.length > MAX_MOVERS || state.problem.hosts.length > MAX_TREES) return null;
    if (!(yield* states.readPlaces(false, Infinity))) return null;
    if (yield* this.isJointlyImpossible(emptied)) return answerOf('IMPOSSIBLE', Infinity);
    this.findEqual();
    const { start } = states;
    states.occupy(start.places);
    const treeClaims = new TreeClaims(emptied, this.effort);
    this.usage = { ...this.usage, treeClaims };
    this.relate(treeClaims);
    this.seen.set(this.keyOf(start), 0);
    this.add(start, 0, Math.max(1, this.needs.leastMoves(this.usage)));
    for (let limit = 1; limit < this.open.length; limit++) {
      const found = yield* this.within(limit);
      if (found === 'OVER') return answerOf('UNDECIDED', this.isProven ? limit : 0);
      if (found === null) continue;
      const moves = states.movesTo(found);
      return { outcome: 'FOUND', moves, isOptimal: this.isProven, proven: this.isProven ? limit : 0 };
    }
    return this.isProven ? answerOf('IMPOSSIBLE', Infinity) : answerOf('UNDECIDED', 0);
  }

  /** Expands the states that need this number of moves. Returns the first one where the workload fits; null if none. */
  private *within(limit: number): Generator<void, Reached | null | 'OVER'> {
    const { states, effort, problem, seen } = this;
    for (let moves = 1; moves <= limit; moves++) {
      const isNew = (following: Reached): boolean => {
        const key = this.keyOf(following);
        if ((seen.get(key) ?? Infinity) <= moves) return false;
        seen.set(key, moves);
        return true;
      };
      for (const reached of this.open[limit]?.[moves - 1] ?? []) {
        if (effort.isUsedUp) yield;
        if (problem.isOver() || seen.size > MAX_SEEN) return 'OVER';
        if (this.finals === undefined && seen.size > MAX_UNGUIDED) yield* this.findFinals();
        const all = moves - 1 + (this.finals?.leastMoves(reached.places) ?? 0);
        if (all > limit) {
          this.add(reached, moves - 1, all);
          continue;
        }
        for (const following of states.expand(reached, isNew)) {
          const least = this.leastMoves(following);
          if (least === 0 && following.base === null && (yield* this.fits(following))) return following;
          this.add(following, moves, Math.max(limit, moves + Math.max(1, least)));
        }
      }
    }
    this.open[limit] = [];
    return null;
  }

  /** Restricts the needs to the trees where the relations of the workload to movable consumers can hold. */
  private relate(treeClaims: TreeClaims): void {
    const { problem, states, fit } = this;
    if (!fit.dependsOnPositions) return;
    const hosts = once(hostsOf);
    const movers = new Map(
      states.movable.map((consumer, mover) => [problem.consumers[consumer].uuid, mover]),
    );
    const named = problem.workload.members.map(({ requests }) =>
      requests.map(({ awayFromConsumers, nearConsumers, holdings }) => {
        const others = nearConsumers.filter((uuid) => !movers.has(uuid));
        return {
          away: awayFromConsumers.flatMap((uuid) => movers.get(uuid) ?? []),
          near: nearConsumers.flatMap((uuid) => movers.get(uuid) ?? []),
          others: new Set(others.flatMap((uuid) => [...treesOfConsumer(problem.snapshot, holdings, uuid)])),
        };
      }),
    );
    this.needs = this.needs.restricted(({ member, request, tree }, beside) => {
      const { near, others } = named[member][request];
      const isNear = (mover: number): boolean =>
        states.places[mover].some(({ allocations }) => hosts(allocations).has(tree) && beside(allocations));
      return near.length === 0 || others.has(tree) || near.some(isNear);
    }, treeClaims);
    const allocationsOf = (mover: number): readonly CandidateAllocation[] =>
      states.places[mover][states.current[mover]].allocations;
    this.usage = {
      ...this.usage,
      firstMove: ({ member, request, tree }) => {
        const { away, near, others } = named[member][request];
        // A consumer that uses a sharing provider of the tree may enter it and leave more free there by one move.
        const isFar = (mover: number): boolean => !this.treesOf(allocationsOf(mover)).includes(tree);
        if (near.length > 0 && !others.has(tree) && near.every(isFar)) return 'ENTERS';
        return away.some((mover) => hosts(allocationsOf(mover)).has(tree)) ? 'LEAVES' : null;
      },
    };
  }

  /** Enumerates the states in which the workload fits, whether or not moves reach them. */
  private *findFinals(): Generator<void> {
    const { states, problem, effort } = this;
    const mayFit = (): boolean => this.needs.mayFit(this.usage);
    const wanted = { maxMoves: problem.maxMoves, mayFit };
    const finals = yield* FinalStates.of(states, this.requests.relations, wanted, effort);
    for (const places of finals?.remaining ?? []) {
      if (problem.isOver()) break;
      const key = this.keyOf({ ...states.start, places });
      const fits = this.known.get(key) ?? (yield* this.decide(places));
      if (fits !== undefined) this.known.set(key, fits);
      if (fits === false) finals!.exclude(places);
    }
    this.finals = finals;
  }

  private leastMoves({ places }: Reached): number {
    const least = this.needs.leastMoves(this.usage);
    return Math.max(least, this.finals?.leastMoves(places) ?? 0);
  }

  /** Adds a state that some moves reach, and that needs at least `all` of them in total. */
  private add(reached: Reached, moves: number, all: number): void {
    if (all > this.problem.maxMoves) return;
    const byMoves = (this.open[all] ??= []);
    (byMoves[moves] ??= []).push(reached);
  }

  /** The usage and the positions of the state that `expand` has yielded last. */
  private usage: FleetUsage = {
    used: (block) => this.states.usedColumns(block),
    moversOn: (treeIndex) => this.moversByTree.get(treeIndex) ?? [],
  };

  private get moversByTree(): ReadonlyMap<number, readonly (readonly CandidateAllocation[])[]> {
    const { current, places } = this.states;
    if (this.counted?.current !== current) {
      const byTree = new Map<number, (readonly CandidateAllocation[])[]>();
      for (const [mover, own] of places.entries()) {
        const { allocations } = own[current[mover]];
        for (const tree of this.treesOf(allocations)) addToGroup(byTree, tree, allocations);
      }
      this.counted = { current, byTree };
    }
    return this.counted.byTree;
  }

  private *fits(reached: Reached): Generator<void, boolean> {
    const key = this.keyOf(reached);
    if (!this.known.has(key)) {
      this.known.set(key, this.mayHaveGained(reached) ? yield* this.decide(reached.places) : false);
      if (this.known.get(key) === undefined) this.isProven = false;
    }
    if (this.known.get(key) === false) this.finals?.exclude(reached.places);
    return this.known.get(key) === true;
  }

  /** Returns whether the last move has freed amounts in a tree that may take a consumer of the workload. */
  private mayHaveGained({ mover, previous }: Reached): boolean {
    if (this.fit.dependsOnPositions || this.needs.isShareable) return true;
    // The states between the moves of a group are not tested.
    if (previous === null || previous.base !== null) return true;
    const from = this.states.places[mover][previous.places[mover]].allocations;
    return treesOf(from).some((tree) => this.needs.mayTake(tree, this.usage));
  }

  private *decide(places: Uint8Array): Generator<void, boolean | undefined> {
    const { overlay, shown, states } = this;
    for (const [mover, place] of places.entries()) {
      if (place === shown[mover]) continue;
      overlay.allocateAll(states.places[mover][shown[mover]].allocations, -1);
      overlay.allocateAll(states.places[mover][place].allocations);
    }
    this.shown = places;
    const { kind } = yield* this.fit.at(overlay, states.positionsAt(places));
    return kind === 'UNDECIDED' ? undefined : kind === 'FITS';
  }

  /** Returns whether the workload and the movable consumers do not fit together in any order. */
  private *isJointlyImpossible(emptied: Snapshot): Generator<void, boolean> {
    const others: { readonly uuid: string; readonly consumer: number; readonly plan: object }[] = [];
    const kept: CandidateAllocation[] = [];
    for (const [mover, consumer] of this.states.movable.entries()) {
      const plan = this.requests.planOf(consumer);
      // A consumer may stay at allocations that its request, a capacity or a counter does not allow: of it, only what it
      // uses at each of its places counts.
      const { isCandidate, amounts } = this.states.places[mover][0];
      const isOver = amounts.some(({ block, at }) => freeAt(block, at) < 0);
      if (plan === null || !isCandidate || isOver) kept.push(...usedInEach(this.states.places[mover]));
      else others.push({ uuid: this.problem.consumers[consumer].uuid, consumer, plan });
    }
    const members = Array.from(groupBy(others, ({ plan }) => plan).values(), (equal, at) => ({
      name: `${at}`,
      placement: 'ANY' as const,
      requests: [withoutRelations(this.problem.requestOf(equal[0].consumer))],
      uuids: equal.map(({ uuid }) => uuid),
    }));
    const { kind } = yield* this.fit.beside(withAllocated(emptied, kept), members);
    return kind === 'IMPOSSIBLE';
  }

  /** Finds the consumers with equal requests and places that no relation distinguishes. */
  private findEqual(): void {
    const { states, requests, fit } = this;
    const numberOf = new Map<string, number>();
    this.numbers = states.places.map((places) =>
      places.map(({ allocations }) => {
        const key = keyOf(allocations);
        const number = numberOf.get(key) ?? numberOf.size;
        numberOf.set(key, number);
        return number;
      }),
    );
    const movers = [...states.movable.entries()];
    const groups = groupBy(movers, ([mover, consumer]) => {
      const isDistinct = requests.relations.isRelated(consumer) || fit.names(consumer);
      const places = [...this.numbers[mover]].sort((a, b) => a - b);
      return isDistinct ? `consumer ${consumer}` : `${places.join()}`;
    });
    this.groups = Array.from(groups.values(), (group) => group.map(([mover]) => mover));
  }

  /** Returns equal keys for states that differ by an exchange of equal consumers. */
  private keyOf(reached: Reached): string {
    if (reached.base !== null) return keyOfState(reached);
    const { places } = reached;
    return this.groups
      .map((group) => {
        const numbers = group.map((mover) => this.numbers[mover][places[mover]]);
        return String.fromCharCode(...(group.length > 1 ? numbers.sort((a, b) => a - b) : numbers));
      })
      .join('');
  }
}

/** Returns the trees whose own providers serve the allocations. */
function hostsOf(allocations: readonly CandidateAllocation[]): ReadonlySet<number> {
  return new Set(treesAt(0, () => allocations));
}

/** Returns what a consumer uses at each of its places. */
function usedInEach([present, ...others]: MoveStates['places'][number]): CandidateAllocation[] {
  return present.allocations.map(({ provider, resources }) => ({
    provider,
    resources: resources.flatMap(({ resourceClass, amount }) => {
      const amounts = others.map(({ allocations }) => amountOn(allocations, provider, resourceClass));
      const least = Math.min(amount, ...amounts);
      return least === 0 ? [] : [{ resourceClass, amount: least }];
    }),
  }));
}

function amountOn(
  allocations: readonly CandidateAllocation[],
  { treeIndex, row }: CandidateAllocation['provider'],
  resourceClass: number,
): number {
  const own = allocations.find(({ provider }) => provider.treeIndex === treeIndex && provider.row === row);
  return own === undefined ? 0 : amountOf(own.resources, resourceClass);
}

function answerOf(outcome: 'IMPOSSIBLE' | 'UNDECIDED', proven: number): ProvenRoom {
  return { outcome, moves: [], isOptimal: false, proven };
}
