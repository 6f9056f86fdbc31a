import { below, domainWeights, sumOf, upTo, type DomainWeights } from './domainFill.js';
import type { Feasibility } from './feasibility.js';
import type { Goal } from './goal.js';
import type { Problem } from './problem.js';
import type { Step } from './steps.js';

/** The best placement of a search. */
interface Best {
  /** Returns the domains of a rule that it uses. */
  readonly used: (rule: number) => readonly number[];
  readonly improve: (steps: readonly Step[]) => void;
  /** Records that a goal remained undecided. */
  readonly giveUp: () => void;
}

/** The share of the work for each attempt at a better fit. */
const SHARE_OF_FIT = 0.1;

/** How many domains are tried one by one before the bounds of all are read. */
const MOST_ALONE = 4;

/** Reduces the domains of PACK rules, then what is free in them. */
export class Packing {
  constructor(
    private readonly problem: Problem,
    private readonly solver: Feasibility,
    private readonly best: Best,
  ) {}

  /** Returns the goal with the limits of the best placement. */
  *run(goal: Goal): Generator<void, Goal> {
    const packed = this.problem.rules.flatMap(({ kind }, rule) => (kind === 'PACK' ? [rule] : []));
    let settled = goal;
    for (const rule of packed) settled = yield* this.reduce(settled, rule);
    for (const rule of packed) settled = yield* this.fit(settled, rule);
    return settled;
  }

  /** Finds the fewest domains. */
  private *reduce(goal: Goal, rule: number): Generator<void, Goal> {
    for (;;) {
      const used = this.best.used(rule).length;
      const settled = { ...goal, packLimits: goal.packLimits.with(rule, used) };
      if (used === (this.problem.rules[rule].allowOutside ? 0 : 1)) return settled;
      const { steps } = yield* this.solver.solve({
        ...goal,
        packLimits: goal.packLimits.with(rule, used - 1),
      });
      if (steps === undefined) this.best.giveUp();
      if (!steps) return settled;
      this.best.improve(steps);
    }
  }

  /** Finds the domains with the least free amounts. Tries those of the lower bound first. */
  private *fit(goal: Goal, rule: number): Generator<void, Goal> {
    const { problem, solver, best } = this;
    if (best.used(rule).length === problem.levels[rule].treesByDomain.size) return goal;
    const domains = yield* domainWeights(problem, goal, rule);
    const { weights } = domains;
    const weight = (): number => sumOf(weights, best.used(rule));
    const within = (limit: number, only = weights): Goal => ({
      ...goal,
      fills: goal.fills.with(rule, { weights: only, limit }),
    });
    const limited = { work: goal.work * SHARE_OF_FIT };
    if ((yield* this.fitAlone(goal, rule, domains)) === 'LIGHTEST') return within(upTo(weight()));
    const bound = yield* solver.lightestDomains(goal, rule, weights);
    const least = bound?.weight ?? 0;
    if (weight() > upTo(least) && bound?.domains) {
      const only = new Map(bound.domains.map((domain) => [domain, weights.get(domain)!]));
      const { steps } = yield* solver.solve({ ...within(upTo(least), only), ...limited });
      if (steps) best.improve(steps);
    }
    while (weight() > upTo(least)) {
      const { steps } = yield* solver.solve({ ...within(below(weight())), ...limited });
      if (steps === undefined) best.giveUp();
      if (!steps) break;
      best.improve(steps);
    }
    return within(upTo(weight()));
  }

  /**
   * Finds the lightest domain that takes all consumers, if one domain does: tries a few that are large enough, which
   * reads no other domain. UNKNOWN: a lighter one is left.
   */
  private *fitAlone(
    goal: Goal,
    rule: number,
    { weights, large }: DomainWeights,
  ): Generator<void, 'LIGHTEST' | 'UNKNOWN'> {
    const { problem, solver, best } = this;
    const [used, ...others] = best.used(rule);
    const mayBeElsewhere =
      problem.rules[rule].allowOutside || goal.maxSkipped > 0 || problem.present.count > 0;
    if (mayBeElsewhere || used === undefined || others.length > 0) return 'UNKNOWN';
    const limit = below(weights.get(used)!);
    const lighter = Array.from(large, (domain) => [domain, weights.get(domain)!] as const)
      .filter(([, weight]) => weight <= limit)
      .sort(([, a], [, b]) => a - b);
    for (const [domain, weight] of lighter.slice(0, MOST_ALONE)) {
      const fills = goal.fills.with(rule, { weights: new Map([[domain, weight]]), limit: upTo(weight) });
      const { steps } = yield* solver.solve({ ...goal, fills, work: goal.work * SHARE_OF_FIT }, true);
      if (steps === undefined) return 'UNKNOWN';
      if (steps === null) continue;
      best.improve(steps);
      return 'LIGHTEST';
    }
    return lighter.length <= MOST_ALONE ? 'LIGHTEST' : 'UNKNOWN';
  }
}
