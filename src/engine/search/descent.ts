import type { Assignment } from '../model/candidate.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import { partsOf, type Anchor } from './anchor.js';
import { constraintsOf } from './constraints/all.js';
import type { Constraint } from './constraints/constraint.js';
import { canIsolate } from './constraints/isolation.js';
import { Lookahead } from './lookahead/lookahead.js';
import { Nogoods } from './nogoods.js';

/** Dead ends at one anchor before the search starts to record nogoods and to look ahead. */
const DEAD_ENDS_BEFORE_LEARNING = 32;

/**
 * Backtracking search at one anchor: depth first over the variables, the one with the smallest domain first,
 * turning back as soon as a constraint is broken. It keeps its position between calls, so that it gives
 * solutions one by one and can pause at any partial assignment.
 */
export class Descent {
  /** Variables in the order in which they are assigned. */
  private readonly order: readonly number[];
  private readonly constraints: Constraint[];
  /** By depth: the value assigned, -1 for none. */
  private readonly values: number[];
  /** By depth: the position in the domain of the value to try next. */
  private readonly cursors: number[];
  /** By depth: the state to record as a nogood if nothing is below it, and how many solutions came before. */
  private readonly states: (string | null)[];
  private readonly foundBefore: number[];
  private depth: number;
  private found = 0;
  private deadEnds = 0;
  private nogoods: Nogoods | null = null;
  private lookahead: Lookahead | null = null;

  /**
   * A bound gives the order of variables, and solutions that it rules out are left out. Where many anchors had none, it
   * pays to look ahead at once.
   */
  constructor(
    private readonly plan: Plan,
    private readonly anchor: Anchor,
    private readonly effort: Effort,
    bound: (Constraint & { readonly order: readonly number[] }) | null = null,
    looksAhead = false,
  ) {
    this.order = bound?.order ?? smallestDomainFirst(plan, anchor);
    this.constraints = constraintsOf(plan, anchor);
    if (bound !== null) this.constraints.push(bound);
    this.values = this.order.map(() => -1);
    this.cursors = this.order.map(() => 0);
    this.states = this.order.map(() => null);
    this.foundBefore = this.order.map(() => 0);
    if (looksAhead) this.lookahead = new Lookahead(plan, anchor, effort);
    this.depth =
      (plan.isolation !== null && !canIsolate(plan.isolation, anchor)) || !this.mayComplete(0) ? -1 : 0;
  }

  get treeIndex(): number {
    return this.anchor.treeIndex;
  }

  /** Whether a candidate was found. */
  get wasFruitful(): boolean {
    return this.found > 0;
  }

  /** The next solution: what is assigned to each variable, in the plan's order of variables. */
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

  /** Frees the memory of a descent that is not continued. */
  release(): void {
    this.nogoods?.release();
  }

  /** Whether the values before a depth may have a completion, as far as the search looks ahead. */
  private mayComplete(depth: number): boolean {
    const { lookahead, order, values } = this;
    if (lookahead === null) return true;
    const assigned = new Int32Array(order.length).fill(-1);
    for (let at = 0; at < depth; at++) assigned[order[at]] = values[at];
    return lookahead.canComplete(assigned);
  }

  /** Assigns the next possible value at the current depth. */
  private advance(): 'moved' | typeof PAUSED | typeof EXHAUSTED {
    const { depth, values, cursors } = this;
    const variable = this.order[depth];
    const domain = this.anchor.domains[variable];
    if (values[depth] >= 0) this.undo(variable, values[depth], this.constraints.length);
    values[depth] = -1;
    for (;;) {
      if (cursors[depth] === domain.length) {
        const more = this.anchor.partitions?.grow(variable, this.effort) ?? EXHAUSTED;
        if (more !== 'grown') return more;
      }
      const value = domain[cursors[depth]++];
      this.effort.partialAssignments++;
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

  /** Begins to look ahead, and goes back to where the values chosen so far may still be completed. */
  private learn(): void {
    this.nogoods = new Nogoods(this.plan, this.anchor, this.effort);
    this.lookahead ??= new Lookahead(this.plan, this.anchor, this.effort);
    let depth = 0;
    while (depth <= this.depth && this.mayComplete(depth)) depth++;
    this.leave(depth);
  }

  /** Takes back the values from this depth on, and goes on before it. */
  private leave(depth: number): void {
    for (; this.depth >= depth; this.depth--) {
      const variable = this.order[this.depth];
      this.undo(variable, this.values[this.depth], this.constraints.length);
      this.values[this.depth] = -1;
    }
  }

  private assign(variable: number, value: number): boolean {
    for (let at = 0; at < this.constraints.length; at++) {
      if (!this.constraints[at].add(variable, value)) {
        this.undo(variable, value, at);
        return false;
      }
    }
    return true;
  }

  /** Takes an assignment back from the first so many constraints. */
  private undo(variable: number, value: number, count: number): void {
    for (let at = count - 1; at >= 0; at--) this.constraints[at].remove(variable, value);
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

/** The variables of a plan, the one with the smallest domain first. */
export function smallestDomainFirst(plan: Plan, anchor: Anchor): number[] {
  // How many partitions will be found is not known beforehand.
  const sizeOf = (variable: number): number =>
    (anchor.partitions?.contributorsFor(variable).length ?? 0) > 0
      ? Number.MAX_SAFE_INTEGER
      : anchor.domains[variable].length;
  return [...plan.variables.keys()].sort((a, b) => sizeOf(a) - sizeOf(b) || a - b);
}
