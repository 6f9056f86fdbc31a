import type { Constraint } from '../search/constraints/constraint.js';
import type { TopCandidates } from './topCandidates.js';
import type { Demand } from './demand.js';
import { scarcestFirst } from '../search/descent.js';
import type { Plan } from '../model/plan.js';
import { partsOf, type Anchor } from '../search/anchor.js';
import type { Score } from './score.js';
import { inventoryAt } from '../model/snapshot.js';

/**
 * What can still become of the choices made at one anchor, by score. As a constraint it refuses a choice of which nothing can
 * come that gets into the contest. It may promise too much, never too little: it knows who could give what, not which choices go
 * together.
 */
export class OptimisticBound implements Constraint {
  /** The variables in the order in which they are to be decided: what counts first comes first. */
  readonly order: readonly number[];
  private readonly lines: readonly Line[];

  constructor(
    plan: Plan,
    demands: readonly Demand[],
    anchor: Anchor,
    private readonly rank: number,
    private readonly top: TopCandidates,
  ) {
    const weightOf = (variable: number): number => {
      const at = demands.findIndex(({ variables }) => variables.includes(variable));
      return at < 0 ? demands.length : at;
    };
    this.order = scarcestFirst(plan, anchor).sort((a, b) => weightOf(a) - weightOf(b));
    this.lines = demands.map((demand) => new Line(plan, demand, anchor, this.order));
  }

  /** The best score that could come of the anchor. */
  best(): Score {
    return this.lines.map((line) => line.best());
  }

  add(variable: number, choice: number): boolean {
    for (const line of this.lines) line.move(variable, choice, 1);
    if (this.hasHope()) return true;
    this.remove(variable, choice);
    return false;
  }

  remove(variable: number, choice: number): void {
    for (const line of this.lines) line.move(variable, choice, -1);
  }

  private hasHope(): boolean {
    const { threshold: bar } = this.top;
    if (bar === null) return true;
    for (const [at, line] of this.lines.entries()) {
      const promise = line.promise(Math.abs(bar.score[at]));
      if (promise !== bar.score[at]) return promise > bar.score[at];
    }
    return this.rank < bar.rank;
  }
}

/**
 * One entry of the order. As every candidate draws the same amount of its class in all, a score depends on nothing but the set of
 * providers that give it.
 */
class Line {
  private readonly free: Float64Array;
  private readonly capacity: Float64Array;
  /** Of each unit how many variables draw the class from it. */
  private readonly draws: Uint16Array;
  /** After so many variables that draw the class: who could serve those to come. */
  private readonly open: readonly (readonly number[])[];
  /** And how many more providers they can bring in at most. */
  private readonly openCount: readonly number[];
  private readonly fewest: number;
  private decided = 0;
  /** Of the units drawn from: how many, what they have free, what they can hold. */
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
    this.draws = new Uint16Array(providers.length);
    const ranges: number[] = [];
    providers.forEach(({ block, row }, provider) => {
      const at = inventoryAt(block, row, demand.resourceClass);
      if (at < 0) return;
      this.free[provider] = block.capacities[at] - block.used[at];
      this.capacity[provider] = block.capacities[at];
      ranges.push(Math.min(this.free[provider], block.maxUnits[at]));
    });
    this.fewest = Math.max(demand.fewest, fewestFor(demand.amount, ranges));
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

  move(variable: number, choice: number, direction: 1 | -1): void {
    if (!this.demand.variables.includes(variable)) return;
    this.decided += direction;
    const parts = partsOf(this.anchor, choice);
    if (parts === undefined) this.draw(choice, direction);
    else for (const { provider } of parts) this.draw(provider, direction);
  }

  private draw(provider: number, direction: 1 | -1): void {
    const before = this.draws[provider];
    this.draws[provider] += direction;
    if ((before === 0) === (this.draws[provider] === 0)) return;
    this.count += direction;
    this.freeSum += direction * this.free[provider];
    this.capacitySum += direction * this.capacity[provider];
  }

  /** The best score that any further choices give. */
  best(): number {
    let best = -Infinity;
    for (let promise = this.promise(this.demand.direction > 0 ? 0 : 1); promise > best;) {
      best = promise;
      promise = this.promise(Math.abs(best));
    }
    return best;
  }

  /**
   * The score that comes of the further units that do most for a share: they give a better score than this share if any do, and
   * exactly it if none give a better one but some give it. (The step of Dinkelbach's method: a ratio of sums reaches a given one when
   * the sum of the differences does, and that is greatest when each part is.)
   */
  promise(share: number): number {
    const { direction, amount } = this.demand;
    const gains: { gain: number; unit: number }[] = [];
    for (const provider of this.open[this.decided]) {
      if (this.draws[provider] === 0)
        gains.push({
          gain: direction * (this.free[provider] - share * this.capacity[provider]),
          unit: provider,
        });
    }
    gains.sort((a, b) => b.gain - a.gain);
    const most = Math.min(this.openCount[this.decided], gains.length);
    let { count, freeSum, capacitySum } = this;
    for (let at = 0; at < most; at++, count++) {
      if (gains[at].gain <= 0 && count >= this.fewest) break;
      freeSum += this.free[gains[at].unit];
      capacitySum += this.capacity[gains[at].unit];
    }
    return direction * Math.max(0, (freeSum - amount) / capacitySum);
  }
}

/** The fewest providers with these rooms that can give an amount together. */
function fewestFor(amount: number, ranges: number[]): number {
  ranges.sort((a, b) => b - a);
  let count = 0;
  for (let rest = amount; rest > 0 && count < ranges.length; count++) rest -= ranges[count];
  return count;
}
