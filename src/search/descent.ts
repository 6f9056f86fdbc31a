import { type Assignment, isSplit, partsOf, type Anchor } from './anchor.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/operation/waiting.js';
import type { Plan } from './plan.js';
import {
  canIsolate,
  Isolation,
  MergedAmounts,
  OneProviderPerTree,
  SameSubtree,
  SharedTraits,
  type Constraint,
} from './constraints.js';
import { AnchorCounters, SharedCounters } from './counters.js';
import { lookahead, type Lookahead } from './lookahead/lookahead.js';
import { Nogoods } from './nogoods.js';

/** After this work (Effort.spent), the first lookahead backtracks no further: nothing can interrupt it. */
const MAX_WORK_OF_LEARNING = 10_000;

/** Dead ends at one anchor before the search records nogoods and looks ahead. */
const DEAD_ENDS_BEFORE_LEARNING = 32;

/**
 * Backtracking search at one anchor: depth first, the variable with the smallest domain first. It keeps
 * its position between calls, returns solutions one by one and can pause anywhere.
 */
export class Descent {
  private readonly order: readonly number[];
  private readonly constraints: readonly Constraint[];
  /** By variable: the constraints on it, and the work of adding a value to them; null: little. */
  private readonly constraintsOf: readonly (readonly Constraint[])[];
  private readonly workOf: readonly number[] | null;
  /** By depth: the assigned value, or -1. */
  private readonly values: number[];
  /** By depth: the position in the domain of the next value. */
  private readonly cursors: number[];
  /** By depth: the state to record as a nogood, and the number of solutions found before. */
  private readonly states: (string | null)[];
  private readonly foundBefore: number[];
  private depth: number;
  private found = 0;
  private deadEnds = 0;
  private nogoods: Nogoods | null = null;
  private lookahead: Lookahead | null = null;

  /**
   * `bound` determines the order of variables and excludes solutions. `looksAhead` starts the lookahead at
   * once.
   */
  constructor(
    private readonly plan: Plan,
    private readonly anchor: Anchor,
    private readonly effort: Effort,
    bound: (Constraint & { readonly order: readonly number[] }) | null = null,
    looksAhead = false,
  ) {
    this.order = bound?.order ?? smallestDomainFirst(plan, anchor);
    this.constraints = constraintsAt(plan, anchor);
    if (bound !== null) this.constraints = [...this.constraints, bound];
    ({ constraintsOf: this.constraintsOf, workOf: this.workOf } = byVariable(plan, this.constraints));
    if (this.workOf !== null) effort.otherWork += workToBegin(this.constraints);
    this.values = this.order.map(() => -1);
    this.cursors = this.order.map(() => 0);
    this.states = this.order.map(() => null);
    this.foundBefore = this.order.map(() => 0);
    if (looksAhead) this.lookahead = lookahead(plan, anchor, effort);
    this.depth =
      (plan.isolation !== null && !canIsolate(plan.isolation, anchor)) || !this.mayComplete(0) ? -1 : 0;
  }

  get treeIndex(): number {
    return this.anchor.treeIndex;
  }

  get wasFruitful(): boolean {
    return this.found > 0;
  }

  /** Returns the next solution, in the plan's order of variables. */
  next(): Assignment[] | typeof PAUSED | typeof EXHAUSTED {
    const last = this.order.length - 1;
    while (this.depth >= 0) {
      if (this.effort.isUsedUp) return PAUSED;
      const moved = this.advance();
      if (moved === PAUSED) return PAUSED;
      if (moved === EXHAUSTED) {
        this.backtrack();
      } else if (this.depth < last) {
        this.enter(this.depth + 1);
      } else if (this.constraints.every((constraint) => constraint.accepts?.() ?? true)) {
        this.found++;
        return this.solution();
      }
    }
    this.release();
    return EXHAUSTED;
  }

  release(): void {
    this.nogoods?.release();
  }

  /** Returns false if the lookahead proves that the values before a depth have no completion. */
  private mayComplete(depth: number): boolean {
    const { order, values } = this;
    if (this.lookahead === null) return true;
    const assigned = new Int32Array(order.length).fill(-1);
    for (let at = 0; at < depth; at++) assigned[order[at]] = values[at];
    return this.lookahead(assigned);
  }

  private advance(): 'moved' | typeof PAUSED | typeof EXHAUSTED {
    const { depth, values, cursors } = this;
    const variable = this.order[depth];
    const domain = this.anchor.domains[variable];
    if (values[depth] >= 0) this.undo(variable, values[depth]);
    values[depth] = -1;
    for (;;) {
      if (cursors[depth] === domain.length) {
        const more = this.anchor.partitions?.grow(variable, this.effort) ?? EXHAUSTED;
        if (more !== 'grown') return more;
      }
      const value = domain[cursors[depth]++];
      this.effort.partialAssignments++;
      if (this.workOf !== null) this.effort.otherWork += this.workOf[variable];
      if (this.assign(variable, value)) {
        values[depth] = value;
        return 'moved';
      }
    }
  }

  private enter(depth: number): void {
    const state = this.nogoods?.stateOf(this.order, this.values, depth) ?? null;
    if (state !== null && this.nogoods?.has(state)) return;
    if (!this.mayComplete(depth)) return;
    this.depth = depth;
    this.cursors[depth] = 0;
    this.states[depth] = state;
    this.foundBefore[depth] = this.found;
  }

  private backtrack(): void {
    const { depth } = this;
    if (this.foundBefore[depth] === this.found) {
      this.effort.deadEnds++;
      this.deadEnds++;
      const state = this.states[depth];
      if (state !== null) this.nogoods?.add(state);
    }
    this.depth = depth - 1;
    if (this.deadEnds === DEAD_ENDS_BEFORE_LEARNING && this.nogoods === null) this.learn();
  }

  /** Starts nogoods and lookahead. Backtracks to values that may still have a completion. */
  private learn(): void {
    this.nogoods = new Nogoods(this.plan, this.anchor, this.effort);
    this.lookahead ??= lookahead(this.plan, this.anchor, this.effort);
    const before = this.effort.spent;
    let depth = 0;
    while (depth <= this.depth && this.mayComplete(depth)) {
      if (this.effort.spent - before > MAX_WORK_OF_LEARNING) return;
      depth++;
    }
    for (; this.depth >= depth; this.depth--) {
      const variable = this.order[this.depth];
      this.undo(variable, this.values[this.depth]);
      this.values[this.depth] = -1;
    }
  }

  private assign(variable: number, value: number): boolean {
    const constraints = this.constraintsOf[variable];
    for (let at = 0; at < constraints.length; at++) {
      if (!constraints[at].add(variable, value)) {
        this.undo(variable, value, at);
        return false;
      }
    }
    return true;
  }

  /** Undoes an assignment in all constraints on the variable, or in the first `count`. */
  private undo(variable: number, value: number, count = this.constraintsOf[variable].length): void {
    const constraints = this.constraintsOf[variable];
    for (let at = count - 1; at >= 0; at--) constraints[at].remove(variable, value);
  }

  private solution(): Assignment[] {
    const { providers } = this.anchor;
    const solution: Assignment[] = [];
    this.order.forEach((variable, depth) => {
      const parts = partsOf(this.anchor, this.values[depth]);
      solution[variable] =
        parts === undefined
          ? providers[this.values[depth]]
          : { parts: parts.map(({ provider, amount }) => ({ provider: providers[provider], amount })) };
    });
    return solution;
  }
}

export function smallestDomainFirst(plan: Plan, anchor: Anchor): number[] {
  // The number of partitions is not known in advance.
  const sizeOf = (variable: number): number =>
    isSplit(anchor, variable) ? Number.MAX_SAFE_INTEGER : anchor.domains[variable].length;
  return [...plan.variables.keys()].sort((a, b) => sizeOf(a) - sizeOf(b) || a - b);
}

/** Returns null if no choice exists, undefined after `maxWork` (Effort.spent). */
export function* firstChoice(
  plan: Plan,
  anchor: Anchor,
  effort: Effort,
  maxWork = Infinity,
): Generator<void, Assignment[] | null | undefined> {
  const descent = new Descent(plan, anchor, effort);
  const before = effort.spent;
  for (;;) {
    const choice = descent.next();
    if (choice === EXHAUSTED) return null;
    const isOver = choice !== PAUSED || effort.spent - before > maxWork;
    if (isOver) {
      descent.release();
      return choice === PAUSED ? undefined : choice;
    }
    yield;
  }
}

/** Constraints on all variables with at most this size together add no work to an assignment. */
const SMALL_SIZE = 64;

function byVariable(
  { variables }: Plan,
  constraints: readonly Constraint[],
): { constraintsOf: readonly (readonly Constraint[])[]; workOf: readonly number[] | null } {
  const isOnAll = constraints.every((constraint) => constraint.variables === undefined);
  const size = constraints.reduce((sum, constraint) => sum + (constraint.size ?? 0), 0);
  if (isOnAll && size <= SMALL_SIZE) return { constraintsOf: variables.map(() => constraints), workOf: null };
  const constraintsOf = variables.map((): Constraint[] => []);
  const sizes = variables.map(() => 0);
  for (const constraint of constraints) {
    for (const variable of constraint.variables ?? variables.keys()) {
      constraintsOf[variable].push(constraint);
      sizes[variable] += constraint.size ?? 0;
    }
  }
  return { constraintsOf, workOf: sizes.map((each) => each >> 4) };
}

/** Returns the work (Effort.spent) of creating constraints on many variables. */
function workToBegin(constraints: readonly Constraint[]): number {
  const variables = constraints.reduce((sum, constraint) => sum + (constraint.variables?.length ?? 0), 0);
  return variables > SMALL_SIZE ? variables >> 5 : 0;
}

function constraintsAt(plan: Plan, anchor: Anchor): Constraint[] {
  const constraints: Constraint[] = [];
  if (plan.isolation !== null) constraints.push(new Isolation(plan.isolation, anchor));
  if (plan.oneProviderPerTree) constraints.push(new OneProviderPerTree(plan, anchor));
  if (plan.mergedClasses.length > 0) constraints.push(new MergedAmounts(plan, anchor));
  if (anchor.providers.some(({ block }) => block.consumption !== null)) {
    const counters = AnchorCounters.at(plan, anchor);
    if (counters !== null) constraints.push(new SharedCounters(counters));
  }
  for (const group of plan.groups) {
    if (!group.isGranular && group.requiredTraits.length > 0)
      constraints.push(new SharedTraits(group, plan, anchor));
  }
  for (const affinity of plan.sameSubtree) {
    if (affinity.within.length + affinity.outside.length > 1)
      constraints.push(new SameSubtree(affinity, anchor));
  }
  return constraints;
}
