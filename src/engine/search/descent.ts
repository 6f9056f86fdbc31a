import type { Assignment } from '../model/candidate.js';
import { constraintsOf } from './constraints/all.js';
import type { Constraint } from './constraints/constraint.js';
import { canIsolate } from './constraints/isolation.js';
import { Nogoods } from './nogoods.js';
import { EXHAUSTED, PAUSED, type Effort } from '../model/effort.js';
import type { Plan } from '../model/plan.js';
import { partsOf, type Anchor } from './anchor.js';

/** Dead ends at one anchor before the search starts to remember them. */
const DEAD_ENDS_BEFORE_LEARNING = 32;

/**
 * The choices at one anchor, one after another: depth first over the variables, the one with the fewest providers
 * first, turning back as soon as a constraint is broken. It keeps its place between calls, so that it can pause
 * at any partial choice.
 */
export class Descent {
  /** Variables in the order in which they are decided. */
  private readonly order: readonly number[];
  private readonly constraints: Constraint[];
  /** Per depth the unit or split chosen, the position in the domain to try next, what to remember if nothing comes of it. */
  private readonly chosen: number[];
  private readonly cursors: number[];
  private readonly states: (string | null)[];
  private readonly yielded: number[];
  private depth: number;
  private found = 0;
  private deadEnds = 0;
  private deadStates: Nogoods | null = null;

  /** With an outlook, candidates of which it says that nobody wants them are left out. */
  constructor(
    private readonly plan: Plan,
    private readonly anchor: Anchor,
    private readonly effort: Effort,
    bound: (Constraint & { readonly order: readonly number[] }) | null = null,
  ) {
    this.order = bound?.order ?? scarcestFirst(plan, anchor);
    this.constraints = constraintsOf(plan, anchor);
    if (bound !== null) this.constraints.push(bound);
    this.chosen = this.order.map(() => -1);
    this.cursors = this.order.map(() => 0);
    this.states = this.order.map(() => null);
    this.yielded = this.order.map(() => 0);
    this.depth = plan.isolation !== null && !canIsolate(plan.isolation, anchor) ? -1 : 0;
  }

  /** The next full choice: what serves each variable, in the plan's order of variables. */
  next(): Assignment[] | typeof PAUSED | typeof EXHAUSTED {
    const last = this.order.length - 1;
    while (this.depth >= 0) {
      if (this.effort.isUsedUp) return PAUSED;
      const moved = this.advance();
      if (moved === PAUSED) return PAUSED;
      if (moved === EXHAUSTED) {
        this.retreat();
      } else if (this.depth < last) {
        this.enter(this.depth + 1);
      } else if (this.constraints.every((constraint) => constraint.accepts?.() ?? true)) {
        this.found++;
        return this.choice();
      }
    }
    return EXHAUSTED;
  }

  /** Moves the current depth on to its next possible unit or split. */
  private advance(): 'moved' | typeof PAUSED | typeof EXHAUSTED {
    const { depth, chosen, cursors } = this;
    const variable = this.order[depth];
    const domain = this.anchor.domains[variable];
    if (chosen[depth] >= 0) this.takeBack(variable, chosen[depth], this.constraints.length);
    chosen[depth] = -1;
    for (;;) {
      if (cursors[depth] === domain.length) {
        const more = this.anchor.partitions?.grow(variable, this.effort) ?? EXHAUSTED;
        if (more !== 'grown') return more;
      }
      const provider = domain[cursors[depth]++];
      this.effort.partialChoices++;
      if (this.provider(variable, provider)) {
        chosen[depth] = provider;
        return 'moved';
      }
    }
  }

  private enter(depth: number): void {
    const state = this.deadStates?.stateOf(this.order, this.chosen, depth) ?? null;
    if (state !== null && this.deadStates?.has(state)) return;
    this.depth = depth;
    this.cursors[depth] = 0;
    this.states[depth] = state;
    this.yielded[depth] = this.found;
  }

  private retreat(): void {
    const { depth } = this;
    if (this.yielded[depth] === this.found) {
      this.effort.deadEnds++;
      if (++this.deadEnds === DEAD_ENDS_BEFORE_LEARNING)
        this.deadStates = new Nogoods(this.plan, this.anchor);
      const state = this.states[depth];
      if (state !== null) this.deadStates?.add(state);
    }
    this.depth = depth - 1;
  }

  private provider(variable: number, unit: number): boolean {
    for (let at = 0; at < this.constraints.length; at++) {
      if (!this.constraints[at].add(variable, unit)) {
        this.takeBack(variable, unit, at);
        return false;
      }
    }
    return true;
  }

  private takeBack(variable: number, provider: number, count: number): void {
    for (let at = count - 1; at >= 0; at--) this.constraints[at].remove(variable, provider);
  }

  private choice(): Assignment[] {
    const { anchor, chosen } = this;
    const served: Assignment[] = [];
    this.order.forEach((variable, depth) => {
      const parts = partsOf(anchor, chosen[depth]);
      served[variable] =
        parts === undefined
          ? anchor.providers[chosen[depth]]
          : {
              parts: parts.map(({ provider, amount }) => ({ provider: anchor.providers[provider], amount })),
            };
    });
    return served;
  }
}

/** The variables of a plan, the one with the fewest providers first. */
export function scarcestFirst(plan: Plan, anchor: Anchor): number[] {
  // Where there are splits to be found, nobody knows how many.
  const sizeOf = (variable: number): number =>
    (anchor.partitions?.contributorsFor(variable).length ?? 0) > 0
      ? Number.MAX_SAFE_INTEGER
      : anchor.domains[variable].length;
  return [...plan.variables.keys()].sort((a, b) => sizeOf(a) - sizeOf(b) || a - b);
}
