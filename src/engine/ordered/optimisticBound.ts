import type { Plan } from '../model/plan.js';
import { freeAt, inventoryAt } from '../model/snapshot.js';
import { partsOf, type Anchor } from '../search/anchor.js';
import type { Constraint } from '../search/constraints/constraint.js';
import { smallestDomainFirst } from '../search/descent.js';
import type { Demand } from './demand.js';
import type { Score } from './score.js';
import type { TopCandidates } from './topCandidates.js';

/**
 * An upper bound on the score of all candidates at one anchor that extend the present partial assignment. As
 * a constraint it prunes assignments that cannot reach the top candidates. The bound relaxes the problem: it
 * counts which providers could serve a class, not which values go together, so it may be too high but is
 * never too low.
 */
export class OptimisticBound implements Constraint {
  /** The variables in the order in which they are to be assigned: those that decide the score first. */
  readonly order: readonly number[];
  private readonly classBounds: readonly ClassBound[];

  constructor(
    plan: Plan,
    demands: readonly Demand[],
    anchor: Anchor,
    private readonly rank: number,
    private readonly top: TopCandidates,
  ) {
    const priorityOf = (variable: number): number => {
      const at = demands.findIndex(({ variables }) => variables.includes(variable));
      return at < 0 ? demands.length : at;
    };
    this.order = smallestDomainFirst(plan, anchor).sort((a, b) => priorityOf(a) - priorityOf(b));
    this.classBounds = demands.map((demand) => new ClassBound(plan, demand, anchor, this.order));
  }

  /** The bound for the present partial assignment. */
  best(): Score {
    return this.classBounds.map((bound) => bound.best());
  }

  add(variable: number, value: number): boolean {
    for (const bound of this.classBounds) bound.move(variable, value, 1);
    if (this.canQualify()) return true;
    this.remove(variable, value);
    return false;
  }

  remove(variable: number, value: number): void {
    for (const bound of this.classBounds) bound.move(variable, value, -1);
  }

  private canQualify(): boolean {
    const { threshold } = this.top;
    if (threshold === null) return true;
    for (const [at, bound] of this.classBounds.entries()) {
      const score = bound.improved(Math.abs(threshold.score[at]));
      if (score !== threshold.score[at]) return score > threshold.score[at];
    }
    return this.rank < threshold.rank;
  }
}

/**
 * The bound for one class of the order. As all candidates allocate the same amount of it in all, the score
 * depends on nothing but the set of providers that it is allocated from.
 */
class ClassBound {
  private readonly free: Float64Array;
  private readonly capacity: Float64Array;
  /** By provider: how many variables allocate the class from it. */
  private readonly uses: Uint16Array;
  /** After so many variables of the class: the providers that could serve those to come. */
  private readonly open: readonly (readonly number[])[];
  /** And how many more providers these can add at most. */
  private readonly openCount: readonly number[];
  private readonly fewest: number;
  private assigned = 0;
  /** Of the providers with uses: how many, what they have free, what they can hold. */
  private count = 0;
  private freeSum = 0;
  private capacitySum = 0;

  constructor(
    plan: Plan,
    private readonly demand: Demand,
    private readonly anchor: Anchor,
    order: readonly number[],
  ) {
    const { providers, domains, partitions } = anchor;
    this.free = new Float64Array(providers.length);
    this.capacity = new Float64Array(providers.length);
    this.uses = new Uint16Array(providers.length);
    const largest: number[] = [];
    providers.forEach(({ block, row }, provider) => {
      const at = inventoryAt(block, row, demand.resourceClass);
      if (at < 0) return;
      this.free[provider] = freeAt(block, at);
      this.capacity[provider] = block.capacities[at];
      largest.push(Math.min(this.free[provider], block.maxUnits[at]));
    });
    this.fewest = Math.max(demand.fewest, fewestFor(demand.amount, largest));
    const variables = order.filter((variable) => demand.variables.includes(variable));
    const rests = [...variables, -1].map((_, at) => variables.slice(at));
    this.open = rests.map((rest) => [
      ...new Set(
        rest.flatMap((variable) => [...domains[variable], ...(partitions?.contributorsFor(variable) ?? [])]),
      ),
    ]);
    this.openCount = rests.map((rest) =>
      rest.some((variable) => plan.variables[variable].canSplit) ? Infinity : rest.length,
    );
  }

  /** Records (1) or takes back (-1) an assignment. */
  move(variable: number, value: number, direction: 1 | -1): void {
    if (!this.demand.variables.includes(variable)) return;
    this.assigned += direction;
    const parts = partsOf(this.anchor, value);
    if (parts === undefined) this.use(value, direction);
    else for (const { provider } of parts) this.use(provider, direction);
  }

  private use(provider: number, direction: 1 | -1): void {
    const before = this.uses[provider];
    this.uses[provider] += direction;
    if ((before === 0) === (this.uses[provider] === 0)) return;
    this.count += direction;
    this.freeSum += direction * this.free[provider];
    this.capacitySum += direction * this.capacity[provider];
  }

  /** The best score of any set of providers that extends those used. */
  best(): number {
    let best = -Infinity;
    for (let score = this.improved(this.demand.direction > 0 ? 0 : 1); score > best;) {
      best = score;
      score = this.improved(Math.abs(best));
    }
    return best;
  }

  /**
   * One step of Dinkelbach's method: with free f and capacity c of each provider and the amount a, there is a
   * set S with (sum of f - a) / (sum of c) > q just if the maximum over S of (sum of f - q c) - a is above 0,
   * and that maximum takes each provider with f - q c > 0. Returns the score of that set: better than the
   * fraction q if any set's is, q if one reaches it.
   */
  improved(fraction: number): number {
    const { direction, amount } = this.demand;
    const gains: { gain: number; provider: number }[] = [];
    for (const provider of this.open[this.assigned]) {
      if (this.uses[provider] === 0) {
        const gain = direction * (this.free[provider] - fraction * this.capacity[provider]);
        gains.push({ gain, provider });
      }
    }
    gains.sort((a, b) => b.gain - a.gain);
    const most = Math.min(this.openCount[this.assigned], gains.length);
    let { count, freeSum, capacitySum } = this;
    for (let at = 0; at < most; at++, count++) {
      if (gains[at].gain <= 0 && count >= this.fewest) break;
      freeSum += this.free[gains[at].provider];
      capacitySum += this.capacity[gains[at].provider];
    }
    return direction * Math.max(0, (freeSum - amount) / capacitySum);
  }
}

/** The fewest providers that can take an amount together, by the largest amount that each can take. */
function fewestFor(amount: number, largest: number[]): number {
  largest.sort((a, b) => b - a);
  let count = 0;
  for (let rest = amount; rest > 0 && count < largest.length; count++) rest -= largest[count];
  return count;
}
